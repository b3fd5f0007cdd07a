#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "simulate/runs.h"

namespace articula::test {
namespace {

constexpr double g = 9.81;
constexpr std::array all_methods{Method::rk4, Method::rk23,  Method::rk45, Method::kutta_merson,
                                 Method::bdf, Method::adams, Method::dirk, Method::semi_implicit};

SimulationOptions options(double until, double every, Method method, double tolerance = 1e-9) {
  return {.integrator = {.method = method, .relative = tolerance, .absolute = tolerance, .step = 1e-3},
          .until = until,
          .output_every = every};
}

std::string name(Method method) { return std::string(method_names[static_cast<std::size_t>(method)]); }

Model rough_slider(double mass, double friction) {
  Model model("slider");
  model.add("mass", RigidBody{.mass = mass});
  model.add("slide", Joint{.kind = JointKind::prismatic, .axis = x_axis, .friction = friction}, "world", "mass");
  return model;
}

TEST(Friction, ASlidingMassStopsWhereItMustAndStays) {
  // t = m·v₀/f, x = m·v₀²/(2·f).
  const double m = 2, f = 3, v0 = 1.2, stop = m * v0 / f;
  for (const Method method : all_methods) {
    const auto system = make_system(rough_slider(m, f), {});
    const Ran ran = run(*system, {.v = std::vector<double>{v0}}, options(2, 0.25, method));
    ASSERT_EQ(ran.outcome.end, RunEnd::done) << name(method) << ran.outcome.what;
    // Semi-implicit Euler moves with the speed at a step's end.
    const double tolerance = method == Method::semi_implicit ? 1e-3 : 1e-8;
    EXPECT_NEAR(ran.rows.last("q.slide"), m * v0 * v0 / (2 * f), tolerance) << name(method);
    EXPECT_EQ(ran.rows.last("v.slide"), 0);
    EXPECT_EQ(ran.rows.last("joint.slide.slip"), 0);
    EXPECT_EQ(ran.outcome.events, 1);
    for (const auto& row : ran.rows.rows) {
      if (row[0] > stop + 0.01) {
        EXPECT_EQ(row[ran.rows.place("q.slide")], ran.rows.last("q.slide"));
      }
    }
  }
}

TEST(Friction, APendulumThatMustStickDoesNotCreep) {
  // m·g·l·sin θ = 2.9 N·m under a friction of 3 N·m; from 0.32 rad on it slides back to where it sticks.
  for (const Method method : all_methods) {
    Model model = pendulum();
    model.at<Joint>("hinge").friction = 3;
    const auto system = make_system(model, {});
    const Ran ran = run(*system, {.q = std::vector<double>{0.3}}, options(3, 0.5, method));
    ASSERT_EQ(ran.outcome.end, RunEnd::done) << name(method);
    EXPECT_EQ(ran.rows.last("q.hinge"), 0.3) << name(method);
    EXPECT_NEAR(ran.rows.last("joint.hinge.friction"), g * std::sin(0.3), 1e-12);
    EXPECT_LT(ran.outcome.counts.rates, 20000);
  }
}

TEST(Friction, ARampOfForceBreaksItLooseAtItsTime) {
  // m·ẍ = c·t − f from t₀ = f/c on: x = c·(t − t₀)³/(6·m).
  const double m = 1.5, f = 2, c = 4, t0 = f / c;
  struct Ramp : Trajectory {
    double c;
    explicit Ramp(double slope) : c(slope) {}
    int size() const override { return 1; }
    void evaluate(double t, int order, std::span<double> x) const override {
      for (int k = 0; k <= order; ++k) x[static_cast<std::size_t>(k)] = k == 0 ? c * t : k == 1 ? c : 0;
    }
  };
  const std::vector<BlockSpec> specs{{"push", PrescribedTorque{.form = Form::translational, .reference = "ramp"}, {}}};
  for (const Method method : {Method::rk45, Method::bdf, Method::adams, Method::rk4}) {
    const auto system = make_system(rough_slider(m, f), specs, {{"ramp", {"slide"}, std::make_shared<Ramp>(c)}});
    const Ran ran = run(*system, {}, options(2, 0.25, method));
    for (const auto& row : ran.rows.rows) {
      const double past = std::max(0.0, row[0] - t0);
      EXPECT_NEAR(row[ran.rows.place("q.slide")], c * past * past * past / (6 * m), 1e-7) << name(method) << row[0];
    }
    EXPECT_EQ(ran.outcome.events, 1);
  }
}

TEST(Friction, AnOscillatorLosesTheSameEachHalfSwingAndEndsStuck) {
  // Turning points shrink by 2·f/k each half period π·√(m/k), until |x| ≤ f/k: 1, −0.7, 0.4, −0.1 with f/k = 0.15.
  const double m = 1, k = 20, f = 3, half = std::numbers::pi * std::sqrt(m / k);
  Model model = rough_slider(m, f);
  model.add("spring", Spring{.stiffness = k, .rest = 2}, at("world", {.xyz = {-2, 0, 0}}), "mass");
  for (const Method method : {Method::rk45, Method::bdf, Method::adams, Method::dirk}) {
    const auto system = make_system(model, {});
    const Ran ran = run(*system, {.q = std::vector<double>{1}}, options(4 * half, half, method));
    const auto q = ran.rows.column("q.slide");
    const std::array expected{1.0, -0.7, 0.4, -0.1, -0.1};
    for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(q[i], expected[i], 1e-6) << name(method) << i;
    EXPECT_EQ(ran.rows.last("v.slide"), 0);
    // At rest the spring's force is friction's.
    EXPECT_NEAR(ran.rows.last("element.spring.force"), -k * q[4], 1e-9);
    EXPECT_NEAR(ran.rows.last("joint.slide.friction"), k * q[4], 1e-9);
  }
}

TEST(Friction, OneOfTwoJointsSlidesWhileTheOtherSticks) {
  // A mass on a mass: the upper one is pulled by F > f₂; the lower one feels only f₂ < f₁ and stays.
  const double m1 = 3, m2 = 1, f1 = 5, f2 = 2, F = 3.5;
  Model model("stack");
  model.add("lower", RigidBody{.mass = m1});
  model.add("upper", RigidBody{.mass = m2});
  model.add("floor", Joint{.kind = JointKind::prismatic, .axis = x_axis, .friction = f1}, "world", "lower");
  model.add("top", Joint{.kind = JointKind::prismatic, .axis = x_axis, .friction = f2}, "lower", "upper");
  const std::vector<BlockSpec> specs{
      {"pull", PrescribedTorque{.form = Form::translational, .joints = {"floor", "top"}, .value = {F, F}}, {}}};
  // A force F on the upper mass alone is F along both joints.
  const auto system = make_system(model, specs);
  const Ran ran = run(*system, {}, options(1, 0.5, Method::rk45));
  EXPECT_EQ(ran.rows.last("q.floor"), 0);
  EXPECT_NEAR(ran.rows.last("q.top"), (F - f2) / m2 / 2, 1e-9);
  EXPECT_NEAR(ran.rows.last("joint.floor.friction"), -f2, 1e-9);

  // With F beyond what both carry, the lower mass slides too: a₁ = (f₂ − f₁)/m₁ if f₂ > f₁.
  model.at<Joint>("floor").friction = 1;
  const auto loose = make_system(model, specs);
  const Ran both = run(*loose, {}, options(1, 0.5, Method::rk45));
  EXPECT_NEAR(both.rows.last("q.floor"), (f2 - 1) / m1 / 2, 1e-9);
  EXPECT_NEAR(both.rows.last("q.top") + both.rows.last("q.floor"), (F - f2) / m2 / 2, 1e-9);
}

TEST(Friction, OfAFollowerActsThroughItsGear) {
  // follower = 3·driver: friction f on it is 3·f on the driver.
  Model model("gear");
  model.environment.gravity = UniformGravity{{0, 0, 0}};
  model.add("a", RigidBody{.mass = 1, .inertia = SymMat3<double>::diagonal(1, 1, 1)});
  model.add("b", RigidBody{.mass = 1, .inertia = SymMat3<double>::diagonal(0.1, 0.1, 0.1)});
  model.add("driver", Joint{.axis = z_axis}, "world", "a");
  model.add("follower", Joint{.axis = z_axis, .friction = 0.2}, "world", "b");
  model.add("gear", Gear{.ratio = {{3}}}, "follower", "driver");
  const auto system = make_system(model, {});
  const double inertia = 1 + 9 * 0.1, f = 3 * 0.2, v0 = 1;
  const Ran ran = run(*system, {.v = std::vector<double>{v0}}, options(5, 1, Method::rk45));
  EXPECT_NEAR(ran.rows.last("q.driver"), inertia * v0 * v0 / (2 * f), 1e-7);
  EXPECT_NEAR(ran.rows.last("q.follower"), 3 * ran.rows.last("q.driver"), 1e-12);
  // While it turns the gear gives the follower its acceleration and carries its friction.
  EXPECT_NEAR(ran.rows.column("a.follower")[1], -3 * f / inertia, 1e-9);
  EXPECT_NEAR(ran.rows.column("tau.follower")[1], 0.1 * -3 * f / inertia + 0.2, 1e-9);
}

TEST(Friction, BlocksMayActOnAFollower) {
  Model model("gear");
  model.environment.gravity = UniformGravity{{0, 0, 0}};
  model.add("a", RigidBody{.mass = 1, .inertia = SymMat3<double>::diagonal(1, 1, 1)});
  model.add("b", RigidBody{.mass = 1, .inertia = SymMat3<double>::diagonal(0.1, 0.1, 0.1)});
  model.add("driver", Joint{.axis = z_axis}, "world", "a");
  model.add("follower", Joint{.axis = z_axis}, "world", "b");
  model.add("gear", Gear{.ratio = {{3}}}, "follower", "driver");
  // A spring and damper at the follower, k = 2, d = 0.3: 9·k and 9·d at the driver.
  const std::vector<BlockSpec> specs{
      {"servo", SpringDamper{.joints = {"follower"}, .stiffness = {2}, .damping = {0.3}, .rest = {0.0}}, {}}};
  const auto system = make_system(model, specs);
  const double M = 1.9, k = 18, d = 2.7, decay = d / (2 * M), w = std::sqrt(k / M - decay * decay);
  for (const Method method : {Method::rk45, Method::bdf}) {
    const Ran ran = run(*system, {.q = std::vector<double>{0.5}}, options(1, 0.5, method));
    EXPECT_NEAR(ran.rows.last("q.driver"), 0.5 * std::exp(-decay) * (std::cos(w) + decay / w * std::sin(w)), 1e-6);
  }
}

TEST(Friction, SmoothedFrictionCreepsAtItsSpeed) {
  // f·tanh(v/v_s) = F: v = v_s·atanh(F/f).
  SystemOptions smooth;
  smooth.friction_speed = 1e-3;
  const std::vector<BlockSpec> specs{{"push", PrescribedTorque{.form = Form::translational, .value = {1}}, {}}};
  const BlockSite site(rough_slider(1, 2), smooth);
  System system(site, {}, make_blocks(specs, site));
  const Ran ran = run(system, {}, options(2, 1, Method::bdf));
  EXPECT_NEAR(ran.rows.last("v.slide"), 1e-3 * std::atanh(0.5), 1e-9);
}

TEST(Friction, ARunThatIsResumedGoesOnBitByBit) {
  Model model = rough_slider(1, 3);
  model.add("spring", Spring{.stiffness = 20, .rest = 2}, at("world", {.xyz = {-2, 0, 0}}), "mass");
  for (const Method method : {Method::rk45, Method::bdf}) {
    SimulationOptions with = options(3, 0.05, method);
    with.checkpoint_every = 0.5;
    const auto system = make_system(model, {});
    const Ran whole = run(*system, {.q = std::vector<double>{1}}, with);
    for (const auto& kept : whole.rows.checkpoints) {
      const auto other = make_system(model, {});
      KeptRows rest;
      Simulation simulation(*other, with);
      const Outcome outcome = simulation.resume(kept.bytes, rest);
      EXPECT_EQ(outcome.events, whole.outcome.events);
      ASSERT_EQ(rest.rows.size() + kept.rows, whole.rows.rows.size());
      for (std::size_t k = 0; k < rest.rows.size(); ++k) EXPECT_EQ(rest.rows[k], whole.rows.rows[kept.rows + k]);
    }
  }
}

}  // namespace
}  // namespace articula::test
