/// Solvers of one interface against one another: flat against network, each computation against its inverse, all
/// against closed forms where gears, springs and loads come in.

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include <articula/articula.h>

#include "support/random_state.h"

namespace articula::test {
namespace {

constexpr double agreement = 1e-12;

Numbers copy(VectorView x) { return {x.begin(), x.end()}; }
Numbers copy(const MatrixView& x) { return {x.data(), x.data() + x.size()}; }

Model random_tree(std::uint32_t seed) {
  RandomModelOptions options;
  options.moving_frames = 0;
  options.chained = 0;
  return random_model(seed, options);
}

TEST(Solvers, ForwardAfterInverseIsTheIdentityHoweverTheyRun) {
  for (std::uint32_t seed = 1; seed <= 100; ++seed) {
    const Model model = random_tree(seed);
    const RandomState s = random_state(seed, model);
    for (const RunAs run_as : {RunAs::flat, RunAs::network}) {
      for (const auto in : {Representation::body, Representation::inertial, Representation::absolute}) {
        InverseDynamics torques(model, {.run_as = run_as, .representation = in});
        ForwardDynamics motion(model, {.run_as = run_as, .representation = in});
        torques.update({.q = s.q, .v = s.v, .vdot = s.vdot});
        const Numbers tau = copy(torques.compute());
        motion.update({.q = s.q, .v = s.v, .tau = tau});
        EXPECT_LT(distance(copy(motion.compute()), s.vdot), agreement * s.condition) << "seed " << seed;
      }
    }
  }
}

TEST(Solvers, NetworkEqualsFlat) {
  for (std::uint32_t seed = 1; seed <= 100; ++seed) {
    RandomModelOptions options;
    options.moving_frames = 0;
    options.chained = 0;
    const Model model = random_model(seed, options);
    const RandomState s = random_state(seed, model);
    InverseDynamics flat(model), network(model, {.run_as = RunAs::network});
    for (InverseDynamics* each : {&flat, &network}) each->update({.q = s.q, .v = s.v, .vdot = s.vdot});
    EXPECT_LT(distance(copy(network.compute()), copy(flat.compute())), agreement) << "seed " << seed;
    ForwardKinematics where_flat(model), where_network(model, {.run_as = RunAs::network});
    for (ForwardKinematics* each : {&where_flat, &where_network}) each->update({.q = s.q, .v = s.v, .vdot = s.vdot});
    const auto a = where_flat.compute(), b = where_network.compute();
    for (std::size_t k = 0; k < a.size(); ++k) {
      EXPECT_LT(norm(a[k].X_WF.p - b[k].X_WF.p), 1e-12) << "seed " << seed;
      EXPECT_LT(norm(a[k].V.v - b[k].V.v), 1e-11) << "seed " << seed;
      EXPECT_LT(norm(a[k].A.v - b[k].A.v), 1e-10) << "seed " << seed;
    }
  }
}

/// Without internal momentum, which is no inertial parameter.
Model random_tree_without_rotors(std::uint32_t seed) {
  RandomModelOptions options;
  options.moving_frames = options.parts = 0;
  options.chained = 0;
  Model model = random_model(seed, options);
  const Regressor regressor(model);
  for (const std::string& name : regressor.bodies()) model.at<RigidBody>(name).internal_momentum = Vec3<double>::zero();
  return model;
}

TEST(Solvers, AgreeThatTorquesAreMassesTimesAccelerationsAndTheRest) {
  for (std::uint32_t seed = 1; seed <= 50; ++seed) {
    const Model model = random_tree_without_rotors(seed);
    const RandomState s = random_state(seed, model);
    const auto nv = static_cast<std::size_t>(s.built.mechanism.nv);
    InverseDynamics torques(model);
    EquationsOfMotion equations(model);
    Regressor regressor(model);
    MassMatrix masses(model);
    const State state{.q = s.q, .v = s.v, .vdot = s.vdot};
    torques.update(state), equations.update(state), regressor.update(state), masses.update(state);
    const Numbers tau = copy(torques.compute());
    const MotionMatrices& m = equations.compute();
    Numbers sum(nv), linear(nv);
    const MatrixView Y = regressor.compute();
    const VectorView parameters = regressor.inertial_parameters();
    for (std::size_t i = 0; i < nv; ++i) {
      sum[i] = m.G[i] + m.Q[i];
      for (std::size_t j = 0; j < nv; ++j) {
        const int r = static_cast<int>(i), c = static_cast<int>(j);
        sum[i] += m.D(r, c) * s.vdot[j] + m.C(r, c) * s.v[j];
      }
      for (std::size_t j = 0; j < parameters.size(); ++j)
        linear[i] += Y(static_cast<int>(i), static_cast<int>(j)) * parameters[j];
    }
    EXPECT_LT(distance(sum, tau), agreement) << "seed " << seed;
    EXPECT_LT(distance(linear, tau), agreement) << "seed " << seed;
    EXPECT_LT(distance(copy(m.D), copy(masses.compute())), agreement) << "seed " << seed;
  }
}

// --- loads, springs, gears: closed forms ----------------------------------------------------------------------------

/// A uniform rod of mass m and length l that turns about z, hung at its end, lying along x at q = 0; gravity along −y.
Model pendulum(double m, double l) {
  Model model("pendulum");
  model.environment.gravity = UniformGravity{{0, -9.81, 0}};
  model.add("rod", RigidBody{.mass = m,
                             .com = {l / 2, 0, 0},
                             .inertia = SymMat3<double>::diagonal(0, m * l * l / 12, m * l * l / 12)});
  model.add("hinge", Joint{.axis = z_axis}, "world", "rod");
  return model;
}

TEST(Solvers, ChangeTorquesWithAccelerationsByTheMassMatrix) {
  for (std::uint32_t seed = 1; seed <= 100; ++seed) {
    const Model model = random_tree(seed);
    const RandomState s = random_state(seed, model);
    for (const bool passive : {false, true}) {
      MassMatrix masses(model, {.passive = passive});
      Derivatives changes(model, Derivatives::Of::inverse_dynamics, {.passive = passive});
      masses.update({.q = s.q});
      const MatrixView M = masses.compute();
      for (int k = 0; k < 3; ++k) {  // what was computed before leaves no trace
        changes.update({.q = s.q, .v = s.v, .vdot = s.vdot});
        const MatrixView du = changes.compute().du;
        EXPECT_LT(distance(copy(du), copy(M)), agreement) << "seed " << seed;
        for (int i = 0; i < du.rows(); ++i) {
          for (int j = 0; j < i; ++j) ASSERT_EQ(du(i, j), du(j, i)) << "seed " << seed;
        }
      }
    }
  }
}

TEST(Loads, ActAtTheirFrameInTheAxesTheyAreGivenIn) {
  Model model = pendulum(2, 1.5);
  model.add("marker", RigidBody{});
  model.add("mount", Displacement{.placement = {Rotation<double>::identity(), {1.5, 0, 0}}}, "rod", "marker");
  InverseDynamics torques(model);
  const int tip = torques.frame({"marker", ""});
  const double q = 0.7, weight = 2 * 9.81 * 0.75 * std::cos(q);
  const Load in_world{.frame = tip, .wrench = {{0, 0, 0.2}, {0, 10, 0}}};
  torques.update({.q = Numbers{q}, .loads = {&in_world, 1}});
  EXPECT_NEAR(torques.compute()[0], weight - 10 * 1.5 * std::cos(q) - 0.2, 1e-12);
  const Load in_rod{.frame = tip, .wrench = {{0, 0, 0.2}, {0, 10, 0}}, .axes = tip};
  torques.update({.q = Numbers{q}, .loads = {&in_rod, 1}});
  EXPECT_NEAR(torques.compute()[0], weight - 10 * 1.5 - 0.2, 1e-12);
  torques.update({.q = Numbers{q}});
  EXPECT_NEAR(torques.compute()[0], weight, 1e-12);
}

TEST(Loads, OfTheModelActAlways) {
  Model model = pendulum(2, 1.5);
  model.add("push", ExternalForce{.force = {0, 10, 0}}, at("rod", {.xyz = {1.5, 0, 0}}));
  InverseDynamics torques(model);
  torques.update({.q = Numbers{0.7}});
  EXPECT_NEAR(torques.compute()[0], (2 * 9.81 * 0.75 - 15) * std::cos(0.7), 1e-12);
}

TEST(Passive, SpringBetweenPointsPullsAlongItsLine) {
  Model model = pendulum(2, 1.0);
  model.add("spring", SpringDamperActuator{.stiffness = 100, .damping = 3, .rest = 0.4, .force = 2},
            at("world", {.xyz = {0, 1, 0}}), at("rod", {.xyz = {1, 0, 0}}));
  const double q = 0.3, v = 0.8;
  // L² = |e^{iq} − i|² = 2 − 2·sin q, so that L·dL/dq = −cos q.
  const double L = std::sqrt(2 - 2 * std::sin(q)), arm = -std::cos(q) / L;
  const double f = 2 - 100 * (L - 0.4) - 3 * arm * v;
  const double weight = 2 * 9.81 * 0.5 * std::cos(q);
  InverseDynamics bare(model), passive(model, {.passive = true});
  for (InverseDynamics* each : {&bare, &passive}) each->update({.q = Numbers{q}, .v = Numbers{v}});
  EXPECT_NEAR(bare.compute()[0], weight, 1e-12);
  EXPECT_NEAR(passive.compute()[0], weight - f * arm, 1e-11);
  ForwardDynamics motion(model, {.passive = true});
  motion.update({.q = Numbers{q}, .v = Numbers{v}, .tau = Numbers{0.5}});
  EXPECT_NEAR(motion.compute()[0], (0.5 - weight + f * arm) / (2.0 / 3), 1e-11);
}

TEST(Passive, DampingFrictionAndReflectedInertiaResist) {
  Model model = pendulum(3, 1.0);
  Joint& hinge = model.at<Joint>("hinge");
  hinge.damping = 0.5, hinge.friction = 0.2;
  model.add("drive", Drive{.rotor_inertia = 1e-3, .gear = 50, .friction = 0.1, .viscous_friction = 0.3}, "hinge");
  const double q = -0.4, v = -1.5, a = 0.9, weight = 3 * 9.81 * 0.5 * std::cos(q);
  const double expected = 1.0 * a + weight + 2.5 * a + 0.8 * v - 0.3;
  InverseDynamics torques(model, {.passive = true});
  torques.update({.q = Numbers{q}, .v = Numbers{v}, .vdot = Numbers{a}});
  EXPECT_NEAR(torques.compute()[0], expected, 1e-12);
  ForwardDynamics motion(model, {.passive = true});
  motion.update({.q = Numbers{q}, .v = Numbers{v}, .tau = Numbers{expected}});
  EXPECT_NEAR(motion.compute()[0], a, 1e-12);
  EXPECT_NEAR(motion.tau()[0], expected, 1e-12);
  MassMatrix masses(model, {.passive = true});
  masses.update({.q = Numbers{q}});
  EXPECT_NEAR(masses.compute()(0, 0), 3.5, 1e-12);
  EXPECT_NEAR(masses.compute_inverse()(0, 0), 1 / 3.5, 1e-12);
}

TEST(Gears, MakeOneJointFollowAnother) {
  // Two flywheels about parallel axes; the second turns with −3 times the first plus an offset.
  Model model("gears");
  for (const char* name : {"a", "b"}) {
    model.add(name, RigidBody{.mass = 1, .inertia = SymMat3<double>::diagonal(0.1, 0.1, name[0] == 'a' ? 0.4 : 0.2)});
    model.add(std::string("j") + name, Joint{.axis = z_axis}, at("world", {.xyz = {name[0] == 'a' ? 0.0 : 1.0, 0, 0}}),
              name);
  }
  // in = ratio·out + offset
  model.add("gear", Gear{.ratio = {{-3.0}}, .offset = {0.25}}, "jb", "ja");
  InverseDynamics torques(model);
  ASSERT_EQ(torques.nv(), 1);
  EXPECT_EQ(torques.v_names()[0], "ja");
  torques.update({.q = Numbers{0.3}, .v = Numbers{1}, .vdot = Numbers{2}});
  EXPECT_NEAR(torques.compute()[0], (0.4 + 9 * 0.2) * 2, 1e-12);
  ForwardDynamics motion(model);
  motion.update({.q = Numbers{0.3}, .v = Numbers{1}, .tau = Numbers{4.4}});
  EXPECT_NEAR(motion.compute()[0], 2, 1e-12);
  ForwardKinematics where(model);
  where.update({.q = Numbers{0.3}, .v = Numbers{1}});
  const auto frames = where.compute();
  EXPECT_NEAR(frames[1].X_WF.R.m(0, 0), std::cos(-3 * 0.3 + 0.25), 1e-12);
  EXPECT_NEAR(frames[1].V.w.z, -3, 1e-12);
}

TEST(CutForce, OfAHingeCarriesTheRod) {
  InverseDynamics torques(pendulum(2, 1));
  torques.update({.q = Numbers{0}, .v = Numbers{2}});
  torques.compute();
  // The centre of mass circles with v²·l/2 inward; the hinge carries weight and that.
  const Force<double> F = torques.cut_force({"rod", ""});
  EXPECT_NEAR(F.f.x, -2 * 4 * 0.5, 1e-12);
  EXPECT_NEAR(F.f.y, 2 * 9.81, 1e-12);
  EXPECT_NEAR(F.n.z, 2 * 9.81 * 0.5, 1e-12);
}

TEST(CenterOfMass, ChangesItsEnergyByThePowerOfTheTorques) {
  for (std::uint32_t seed = 1; seed <= 20; ++seed) {
    const Model model = random_tree(seed);
    const RandomState s = random_state(seed, model);
    InverseDynamics torques(model);
    torques.update({.q = s.q, .v = s.v, .vdot = s.vdot});
    const Numbers tau = copy(torques.compute());
    double power = 0;
    for (std::size_t k = 0; k < tau.size(); ++k) power += tau[k] * s.v[k];
    // Central differences of fourth order along the motion.
    CenterOfMass whole(model);
    const auto energy_at = [&](double t) {
      Numbers q = s.q, v = s.v, step = s.v;
      for (std::size_t k = 0; k < step.size(); ++k) step[k] *= t, v[k] += s.vdot[k] * t;
      for (const Body& body : s.built.mechanism.bodies) {
        visit_joint(body.joint, [&]<class J>(J) {
          J::advanced(s.q.data() + body.q.first, step.data() + body.v.first, q.data() + body.q.first);
        });
      }
      whole.update({.q = q, .v = v});
      const WholeMechanism& w = whole.compute();
      return w.kinetic_energy + w.potential_energy;
    };
    const double h = 1e-3;
    const double rate = (8 * (energy_at(h) - energy_at(-h)) - (energy_at(2 * h) - energy_at(-2 * h))) / (12 * h);
    EXPECT_NEAR(rate, power, 1e-6 * (1 + std::abs(power))) << "seed " << seed;
  }
}

}  // namespace
}  // namespace articula::test
