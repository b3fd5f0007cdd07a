/// Derivatives with forces on bodies: constant in World's axes, in another body's, in those of the body itself. Against
/// dual numbers through the flat recursion, and against central differences of the network, which shares no algorithm
/// with it.

#include <articula/solve/derivatives.h>

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <articula/articula.h>
#include <articula/dynamics/cut_forces.h>
#include <articula/dynamics/force_elements.h>
#include <articula/dynamics/forward_dynamics.h>
#include <articula/dynamics/inverse_dynamics.h>

#include "support/random_state.h"
#include "support/seeded.h"

namespace articula::test {
namespace {

constexpr double dual_agreement = 1e-10, difference_agreement = 1e-6;
constexpr int mechanisms = 25;

Numbers copy(VectorView x) { return {x.begin(), x.end()}; }
Numbers copy(const MatrixView& x) { return {x.data(), x.data() + x.size()}; }

/// A random tree in which every joint moves some inertia, with forces of the model on some of its bodies.
Model tree_with_forces(std::uint32_t seed) {
  RandomModelOptions options;
  options.moving_frames = 0;
  options.chained = 0;
  options.parts = 0;
  Model model = random_model(seed, options);
  Random random(seed + 1000);
  std::vector<std::string> bodies;
  for (const Entity& entity : model.entities()) {
    if (std::holds_alternative<RigidBody>(entity.kind)) bodies.push_back(entity.name);
  }
  const std::string axes[] = {"world", "local", random.one_of(bodies)};
  for (int k = 0; k < 3; ++k) {
    model.add("push" + std::to_string(k),
              ExternalForce{.force = random.vec3() * 10.0, .moment = random.vec3() * 3.0, .expressed_in = axes[k]},
              at(random.one_of(bodies), {.xyz = random.vec3()}));
  }
  return model;
}

struct Case {
  explicit Case(std::uint32_t seed)
      : model(tree_with_forces(seed)),
        built(build_mechanism(model)),
        q(to_q(built.mechanism, random_coordinates(model, seed))) {
    Random random(seed + 2000);
    for (Numbers* x : {&v, &vdot, &tau}) {
      for (int k = 0; k < built.mechanism.nv; ++k) x->push_back(3 * random.number());
    }
    const int frames = static_cast<int>(built.mechanism.frames.size());
    for (const int axes : {0, -1, random.below(frames)}) {
      const int frame = random.below(frames);
      loads.push_back({frame, {random.vec3() * 5.0, random.vec3() * 20.0}, axes < 0 ? frame : axes});
    }
  }

  State state() const { return {.q = q, .v = v, .vdot = vdot, .tau = tau, .loads = loads}; }

  Model model;
  Built built;
  Numbers q, v, vdot, tau;
  std::vector<Load> loads;
};

/// Column k by one run with dual numbers.
Numbers along_q_by_duals(const Case& c, bool forward, std::size_t k) {
  const Mechanism& mech = c.built.mechanism;
  const Parameters<double>& par = c.built.parameters;
  Numbers direction(static_cast<std::size_t>(mech.nv));
  direction[k] = 1;
  const std::vector<Dual> q = seeded_q(mech, c.q, direction), v = constant(c.v);
  Velocities<Dual> kin(mech);
  WorldPoses<Dual> poses(mech);
  std::vector<Force<Dual>> F_F(mech.frames.size()), F_B(mech.bodies.size());
  positions<Dual, double>(mech, par, q, kin);
  velocities<Dual, double>(mech, par, q, v, kin);
  world_poses<Dual, double>(mech, par, kin, poses);
  add_external_forces<Dual, double>(mech, par, poses, F_F);
  for (const Load& load : c.loads) {
    add_wrench<Dual, double>(mech, par, poses, load.frame, load.axes, load.wrench, F_F);
  }
  applied_forces<Dual, double>(mech, par, {}, F_F, F_B);
  std::vector<Dual> result(v.size());
  if (forward) {
    ArticulatedBody<Dual> scratch(mech);
    forward_dynamics<Dual, double>(mech, par, kin, constant(c.tau), F_B, scratch, result);
  } else {
    NewtonEuler<Dual> scratch(mech);
    inverse_dynamics<Dual, double>(mech, par, kin, q, v, constant(c.vdot), F_B, scratch, result);
  }
  return derivatives(result);
}

/// Column k by central differences.
Numbers along_q_by_differences(const Case& c, Solver& solver, const std::function<VectorView()>& compute,
                               std::size_t k) {
  const double h = 1e-5;
  const auto at = [&](double step) {
    Numbers dv(c.v.size()), q(c.q.size());
    dv[k] = step;
    for (const Body& body : c.built.mechanism.bodies) {
      visit_joint(body.joint, [&]<class J>(J) {
        J::advanced(c.q.data() + body.q.first, dv.data() + body.v.first, q.data() + body.q.first);
      });
    }
    State state = c.state();
    state.q = q;
    solver.update(state);
    return copy(compute());
  };
  const Numbers ahead = at(h), behind = at(-h);
  Numbers column(ahead.size());
  for (std::size_t i = 0; i < column.size(); ++i) column[i] = (ahead[i] - behind[i]) / (2 * h);
  return column;
}

void expect_right_derivatives(bool forward) {
  for (std::uint32_t seed = 1; seed <= mechanisms; ++seed) {
    const Case c(seed);
    const std::size_t n = c.v.size();
    Derivatives solver(c.model, forward ? Derivatives::Of::forward_dynamics : Derivatives::Of::inverse_dynamics);
    solver.update(c.state());
    const Numbers dq = copy(solver.compute().dq);
    ASSERT_TRUE(solver.report().ok());
    InverseDynamics torques(c.model, {.run_as = RunAs::network});
    ForwardDynamics motion(c.model, {.run_as = RunAs::network});
    Numbers by_duals(n * n), by_differences(n * n);
    for (std::size_t k = 0; k < n; ++k) {
      const Numbers exact = along_q_by_duals(c, forward, k);
      const Numbers near = forward ? along_q_by_differences(
                                         c, motion, [&] { return motion.compute(); }, k)
                                   : along_q_by_differences(
                                         c, torques, [&] { return torques.compute(); }, k);
      for (std::size_t i = 0; i < n; ++i) by_duals[i * n + k] = exact[i], by_differences[i * n + k] = near[i];
    }
    EXPECT_LT(distance(dq, by_duals), dual_agreement) << "seed " << seed;
    EXPECT_LT(distance(dq, by_differences), difference_agreement) << "seed " << seed;
  }
}

TEST(DerivativesWithForces, OfTorquesAreThoseOfDualNumbersAndOfTheNetwork) { expect_right_derivatives(false); }
TEST(DerivativesWithForces, OfAccelerationsAreThoseOfDualNumbersAndOfTheNetwork) { expect_right_derivatives(true); }

/// tau = m·g·l·sin(q) − F·l·cos(q) for a force F along x in World's axes: ∂tau/∂q = m·g·l·cos(q) + F·l·sin(q).
TEST(DerivativesWithForces, OfAPendulumPushedSidewaysAreItsClosedForm) {
  const double m = 1.3, l = 0.8, F = 7, q = 0.7, g = 9.81;
  Model pendulum("pendulum");
  pendulum.add("bob", RigidBody{.mass = m, .com = {0, 0, -l}});
  pendulum.add("hinge", Joint{.axis = Direction{{0, -1, 0}}}, "world", "bob");
  pendulum.add("wind", ExternalForce{.force = {F, 0, 0}}, at("bob", {.xyz = {0, 0, -l}}));
  for (const bool as_load : {false, true}) {
    Model model = pendulum;
    Derivatives of_torques(model, Derivatives::Of::inverse_dynamics),
        of_motion(model, Derivatives::Of::forward_dynamics);
    const Load load{.frame = of_torques.frame({"wind", "on"}), .wrench = {.f = {F, 0, 0}}};
    const double force = as_load ? 2 * F : F;
    const State state{.q = {&q, 1}, .loads = {&load, as_load ? 1u : 0u}};
    of_torques.update(state);
    of_motion.update(state);
    const double expected = m * g * l * std::cos(q) + force * l * std::sin(q);
    EXPECT_NEAR(of_torques.compute().dq(0, 0), expected, 1e-12);
    EXPECT_NEAR(of_motion.compute().dq(0, 0), -expected / (m * l * l), 1e-12);
  }
}

/// What is held or prescribed does not move along.
TEST(DerivativesWithForces, OfAccelerationsLeavePrescribedJointsAlone) {
  Model arm("arm");
  const RigidBody link{.mass = 1, .com = {0.3, 0.1, 0}, .inertia = SymMat3<double>::diagonal(0.1, 0.2, 0.3)};
  arm.add("a", link);
  arm.add("b", link);
  arm.add("c", link);
  arm.add("ja", Joint{.axis = z_axis}, "world", "a");
  arm.add("jb", Joint{.axis = y_axis, .prescribed = true}, at("a", {.xyz = {1, 0, 0}}), "b");
  arm.add("jc", Joint{.axis = x_axis}, at("b", {.xyz = {1, 0, 0}}), "c");
  arm.add("push", ExternalForce{.force = {1, 2, 3}, .expressed_in = "a"}, at("c", {.xyz = {0.2, 0.5, 0}}));
  Derivatives solver(arm, Derivatives::Of::forward_dynamics);
  ForwardDynamics motion(arm, {.run_as = RunAs::network});
  const Numbers q{0.3, 0.5, 0.7}, v{1, 2, 3}, vdot{9, 0.4, 9}, tau{1, 9, 2};
  solver.update({.q = q, .v = v, .vdot = vdot, .tau = tau});
  const MatrixView dq = solver.compute().dq;
  for (int k = 0; k < 3; ++k) {
    const double h = 1e-5;
    const auto at = [&](double step) {
      Numbers moved = q;
      moved[static_cast<std::size_t>(k)] += step;
      motion.update({.q = moved, .v = v, .vdot = vdot, .tau = tau});
      return copy(motion.compute());
    };
    const Numbers ahead = at(h), behind = at(-h);
    for (const int i : {0, 2}) {
      const auto row = static_cast<std::size_t>(i);
      EXPECT_NEAR(dq(i, k), (ahead[row] - behind[row]) / (2 * h), 1e-7);
    }
    EXPECT_EQ(dq(1, k), 0);
  }
}

/// What acts changes with the state in every way there is: a spring and damper between a moving point and the ground, one
/// between two links, springs on shafts, damping, drives, a gear, a field of gravity, a force that keeps its direction.
Model with_everything(bool field) {
  Model model = load(ARTICULA_SOURCE_DIR "/models/kuka_lwr4.yaml");
  // Differences know accelerations no better than the mass matrix's condition allows.
  for (const char* link : {"link5", "link6", "link7"})
    model.at<RigidBody>(link).inertia = SymMat3<double>::diagonal(0.3, 0.2, 0.25);
  if (field) model.environment.gravity = CentralGravity{{0.3, 0.2, -40}, 15'000};
  model.add("stay", SpringDamperActuator{.stiffness = 300, .damping = 20, .rest = 0.3},
            at("world", {.xyz = {1, 0, 0.4}}), at("link5", {.xyz = {0.05, 0, 0.1}}));
  model.add("tie", Spring{.stiffness = 150, .rest = 0.2}, "link2", at("link6", {.xyz = {0, 0.1, 0}}));
  model.add("coil", Spring{.form = Form::torsional, .stiffness = 40, .rest = 0.5}, "joint7", "joint1");
  model.add("wind", ExternalForce{.force = {3, -2, 5}, .moment = {0.1, 0.4, -0.3}}, at("link7", {.xyz = {0, 0, 0.1}}));
  model.add("motor", Drive{.rotor_inertia = 2e-4, .gear = 60, .friction = 0.4, .viscous_friction = 0.7}, "joint3");
  model.add("gear", Gear{.ratio = {{-1.5}}, .offset = {0.2}}, "joint6", "joint4");
  for (const char* joint : {"joint1", "joint5"}) model.at<Joint>(joint).damping = 1.3;
  model.at<Joint>("joint2").friction = 0.8;
  return model;
}

/// The derivative of f at 0, of sixth order.
template <class F>
Numbers slope(F&& f) {
  constexpr double h = 8e-3;
  const auto central = [&](double step) {
    const Numbers a = f(step), b = f(-step);
    Numbers d(a.size());
    for (std::size_t k = 0; k < d.size(); ++k) d[k] = (a[k] - b[k]) / (2 * step);
    return d;
  };
  const Numbers d1 = central(h), d2 = central(h / 2), d4 = central(h / 4);
  Numbers result(d1.size());
  for (std::size_t k = 0; k < result.size(); ++k) {
    const double a = (4 * d2[k] - d1[k]) / 3, b = (4 * d4[k] - d2[k]) / 3;
    result[k] = (16 * b - a) / 15;
  }
  return result;
}

TEST(DerivativesWithForces, OfEverythingThatActsAreThoseOfDifferences) {
  for (const bool field : {false, true}) {
    for (const bool passive : {false, true}) {
      SCOPED_TRACE(testing::Message() << "field " << field << ", passive " << passive);
      const Model model = with_everything(field);
      const SolverOptions options{.passive = passive};
      InverseDynamics torques(model, options);
      ForwardDynamics motion(model, options);
      Derivatives of_torques(model, Derivatives::Of::inverse_dynamics, options);
      Derivatives of_motion(model, Derivatives::Of::forward_dynamics, options);
      const auto n = static_cast<std::size_t>(torques.nv());
      ASSERT_EQ(n, 6u);
      Numbers q(n), v(n), x(n);
      for (std::size_t k = 0; k < n; ++k) {
        const auto s = static_cast<double>(k);
        q[k] = 0.6 * std::sin(1 + 2 * s), v[k] = 0.8 * std::cos(2 * s + 0.3), x[k] = 3 * std::sin(3 * s + 0.7);
      }
      const Load load{torques.frame({"link4", ""}), {{1, 2, -1}, {4, -3, 6}}};
      const State state{.q = q, .v = v, .vdot = x, .tau = x, .loads = {&load, 1}};
      of_torques.update(state), of_motion.update(state);
      const StateDerivatives &t = of_torques.compute(), &m = of_motion.compute();
      ASSERT_TRUE(of_motion.report().ok());
      const auto expect_column = [&](const MatrixView& matrix, std::size_t k, const Numbers& column) {
        double gap = 0, size = 1;
        for (std::size_t i = 0; i < n; ++i) {
          gap += std::pow(matrix(static_cast<int>(i), static_cast<int>(k)) - column[i], 2);
          size += column[i] * column[i];
        }
        EXPECT_LT(std::sqrt(gap / size), 2e-9);
      };
      for (std::size_t k = 0; k < n; ++k) {
        const auto moved = [&](auto& solver, int which) {
          return [&, which](double step) {
            Numbers at_q = q, at_v = v, at_x = x;
            (which == 0 ? at_q : which == 1 ? at_v : at_x)[k] += step;
            solver.update({.q = at_q, .v = at_v, .vdot = at_x, .tau = at_x, .loads = {&load, 1}});
            const VectorView y = solver.compute();
            return Numbers(y.begin(), y.end());
          };
        };
        expect_column(t.dq, k, slope(moved(torques, 0)));
        expect_column(t.dv, k, slope(moved(torques, 1)));
        expect_column(t.du, k, slope(moved(torques, 2)));
        expect_column(m.dq, k, slope(moved(motion, 0)));
        expect_column(m.dv, k, slope(moved(motion, 1)));
        expect_column(m.du, k, slope(moved(motion, 2)));
      }
    }
  }
}

/// Of a preloaded spring whose ends coincide: the line has no direction there, and the derivatives stay of the size that
/// the force and the rounding of lengths allow.
TEST(DerivativesWithForces, AreFiniteWhereTheEndsOfASpringCoincide) {
  Model model("pressed");
  model.add("slider", RigidBody{.mass = 1, .inertia = SymMat3<double>::identity()});
  model.add("slide", Joint{.kind = JointKind::prismatic, .axis = {1, 0, 0}}, "world", "slider");
  model.add("spring", Spring{.stiffness = 100, .rest = 0.1}, "world", "slider");
  Derivatives changes(model, Derivatives::Of::inverse_dynamics, {.passive = true});
  changes.update({.q = Numbers{0}, .v = Numbers{0}});
  EXPECT_LT(std::abs(changes.compute().dq(0, 0)), 1e12);
  changes.update({.q = Numbers{0.05}, .v = Numbers{0}});
  EXPECT_NEAR(changes.compute().dq(0, 0), 100, 1e-9);
}

TEST(DerivativesWithForces, AreTheSameAsGeneratedCode) {
  const Model model = with_everything(true);
  for (const auto of : {Derivatives::Of::inverse_dynamics, Derivatives::Of::forward_dynamics}) {
    Derivatives flat(model, of), generated(model, of, {.run_as = RunAs::generated});
    if (generated.run_as() != RunAs::generated) GTEST_SKIP() << "there is no C compiler";
    const Numbers q{0.3, -0.5, 0.7, 0.2, -0.9, 0.4}, v{1, -2, 0.5, 0.8, -0.3, 0.2}, x{3, 1, -2, 0.5, 2, -1};
    flat.update({.q = q, .v = v, .vdot = x, .tau = x}), generated.update({.q = q, .v = v, .vdot = x, .tau = x});
    const StateDerivatives &a = flat.compute(), &b = generated.compute();
    const auto expect_same = [](const MatrixView& one, const MatrixView& other) {
      double size = 0, gap = 0;
      for (int i = 0; i < one.rows(); ++i) {
        for (int j = 0; j < one.columns(); ++j)
          size += one(i, j) * one(i, j), gap += std::pow(one(i, j) - other(i, j), 2);
      }
      EXPECT_LT(std::sqrt(gap / size), 1e-11);
    };
    expect_same(a.dq, b.dq), expect_same(a.dv, b.dv), expect_same(a.du, b.du);
  }
}

}  // namespace
}  // namespace articula::test
