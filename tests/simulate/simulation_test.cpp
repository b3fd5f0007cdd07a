#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "simulate/runs.h"

namespace articula::test {
namespace {

using testing::HasSubstr;
constexpr double pi = std::numbers::pi;

SimulationOptions options(double until, double every, double tolerance = 1e-10, Method method = Method::rk45) {
  return {.integrator = {.method = method, .relative = tolerance, .absolute = tolerance},
          .until = until,
          .output_every = every};
}

/// 4·√(l/g)·K(sin(θ/2)), by the arithmetic-geometric mean.
double pendulum_period(double angle, double length = 1, double g = 9.81) {
  double a = 1, b = std::cos(angle / 2);
  for (int k = 0; k < 10; ++k) {  // doubles its digits each time
    const double mean = (a + b) / 2;
    b = std::sqrt(a * b);
    a = mean;
  }
  return 2 * pi * std::sqrt(length / g) / a;
}

TEST(Simulation, APendulumReturnsAfterItsPeriod) {
  for (const double angle : {0.1, 1.0, 3.0}) {
    const double period = pendulum_period(angle);
    for (const Method method : {Method::rk45, Method::adams, Method::bdf, Method::dirk}) {
      const auto system = make_system(pendulum(), {});
      const Ran ran = run(*system, {.q = std::vector<double>{angle}}, options(period, period / 10, 1e-10, method));
      EXPECT_EQ(ran.outcome.end, RunEnd::done);
      EXPECT_EQ(ran.rows.rows.size(), 11u);
      EXPECT_NEAR(ran.rows.last("q.hinge"), angle, 3e-7) << method_names[static_cast<std::size_t>(method)];
      EXPECT_NEAR(ran.rows.last("v.hinge"), 0, 3e-6);
      // Half-way it is on the other side.
      EXPECT_NEAR(ran.rows.column("q.hinge")[5], -angle, 3e-7);
    }
  }
}

TEST(Simulation, EnergyIsKeptAlongConservativeMotions) {
  Model model = pendulum();
  model.add("arm", RigidBody{.mass = 1, .com = {0, 0, -0.5}, .inertia = SymMat3<double>::diagonal(0.1, 0.1, 0.1)});
  model.add("elbow", Joint{.axis = y_axis}, at("bob", {.xyz = {0, 0, -1}}), "arm");
  const auto system = make_system(model, {});
  const Ran ran = run(*system, {.q = std::vector<double>{2, 1}}, options(10, 0.1, 1e-11));
  const auto kinetic = ran.rows.column("energy.kinetic"), potential = ran.rows.column("energy.potential");
  for (std::size_t k = 0; k < kinetic.size(); ++k) {
    EXPECT_NEAR(kinetic[k] + potential[k], kinetic[0] + potential[0], 1e-7);
  }
}

TEST(Simulation, ASymmetricTopPrecessesAtItsRateAndItsQuaternionStaysUnit) {
  // I = (2, 2, 1), body-fixed ω: ω_x + iω_y turns with Ω = (I_3 − I_1)/I_1·ω_3, here −½·ω_3.  [Euler]
  Model model("top");
  model.add("b", RigidBody{.mass = 1, .inertia = SymMat3<double>::diagonal(2, 2, 1)});
  model.add("free", Joint{.kind = JointKind::free}, "world", "b");
  model.environment.gravity = UniformGravity{{0, 0, 0}};
  for (const Method method : {Method::rk45, Method::bdf, Method::adams, Method::dirk}) {
    const auto system = make_system(model, {});
    const Ran ran = run(*system, {.v = std::vector<double>{0, 0, 0, 0.3, 0, 4}}, options(3, 0.5, 1e-10, method));
    for (const auto& row : ran.rows.rows) {
      const auto at = [&](const char* name) { return row[ran.rows.place(name)]; };
      const double turn = (1.0 - 2.0) / 2.0 * 4 * row[0];
      EXPECT_NEAR(at("v.free.wx"), 0.3 * std::cos(turn), 1e-7);
      EXPECT_NEAR(at("v.free.wy"), 0.3 * std::sin(turn), 1e-7);
      EXPECT_NEAR(
          std::hypot(std::hypot(at("q.free.qx"), at("q.free.qy")), std::hypot(at("q.free.qz"), at("q.free.qw"))), 1,
          1e-14);
    }
  }
}

TEST(Simulation, ATorqueThatJumpsIsMetExactly) {
  // A wheel at rest until 0.3 s, then ω = t − 0.3: the integrator never sees both sides in one step.
  for (const Method method : {Method::rk45, Method::bdf, Method::rk23}) {
    const auto system = make_system(wheel(), {{"push", PrescribedTorque{.joints = {"axle"}, .reference = "jump"}, {}}},
                                    {{"jump", {"axle"}, std::make_shared<Step>(0.3, 0, 1)}});
    const Ran ran = run(*system, {}, options(1, 0.1, 1e-9, method));
    EXPECT_NEAR(ran.rows.last("v.axle"), 0.7, 1e-10) << method_names[static_cast<std::size_t>(method)];
    EXPECT_EQ(ran.outcome.counts.rejected, 0) << method_names[static_cast<std::size_t>(method)];
    EXPECT_NEAR(ran.rows.last("q.axle"), 0.5 * 0.7 * 0.7, 1e-8);
    EXPECT_EQ(ran.rows.column("tau.axle")[2], 0);
    EXPECT_EQ(ran.rows.column("tau.axle")[3], 1);  // at a jump, the value after it
  }
}

TEST(Simulation, EndsWhereABlockSaysSo) {
  const auto system = make_system(slider(), {{"watch", StopWhen{.signal = "q.slide", .reaches = 1}, {}}});
  const Ran ran = run(*system, {.v = std::vector<double>{2}}, options(5, 0.2));
  EXPECT_EQ(ran.outcome.end, RunEnd::event);
  EXPECT_NEAR(ran.outcome.t, 0.5, 1e-12);
  EXPECT_EQ(ran.outcome.what, "at t = " + number_text(ran.outcome.t) + " s, block \"watch\": q.slide reaches 1.");
  ASSERT_EQ(ran.rows.rows.size(), 4u);  // 0, 0.2, 0.4, and the end
  EXPECT_NEAR(ran.rows.last("q.slide"), 1, 1e-12);
}

/// Pushes the harder the faster: v' = v², which has no value from t = 1/v_0 on.
class RunAway : public BlockOf<RunAway> {
 public:
  RunAway() { name = "away"; }
  std::vector<std::string> inputs() const override { return {"v.slide"}; }
  std::vector<Signal> outputs() const override { return {{"push", "N"}}; }
  std::vector<Action> actions() const override { return {{0, "slide"}}; }
  template <class T>
  void evaluate(double, std::span<const T> in, std::span<const T>, std::span<T> out, std::span<T>) const {
    out[0] = in[0] * in[0];
  }
};

TEST(Simulation, ADivergenceKeepsWhatWasComputedAndSaysWhere) {
  for (const Method method : {Method::rk45, Method::bdf, Method::rk4}) {
    const BlockSite site(slider());
    std::vector<std::unique_ptr<Block>> blocks;
    blocks.push_back(std::make_unique<RunAway>());
    System system(site, {}, std::move(blocks));
    SimulationOptions chosen = options(3, 0.1, 1e-8, method);
    if (method == Method::rk4) chosen.integrator.step = 0.01;
    const Ran ran = run(system, {.v = std::vector<double>{1}}, chosen);
    EXPECT_FALSE(ran.outcome.ok());
    EXPECT_NEAR(ran.outcome.t, 1, 0.2);
    EXPECT_GE(ran.rows.rows.size(), 10u);
    // v = 1/(1 − t)
    EXPECT_NEAR(ran.rows.column("v.slide")[5], 2, 1e-5);
    for (const auto& row : ran.rows.rows) {
      for (const double x : row) EXPECT_TRUE(std::isfinite(x));
    }
    EXPECT_THAT(ran.outcome.what, HasSubstr("Everything until then is kept."));
  }
}

TEST(Simulation, GivesTheRowsThatAreAskedFor) {
  const auto system = make_system(pendulum(), {});
  SimulationOptions chosen = options(1, 0.3);
  chosen.signals = {"energy.kinetic", "q.hinge"};
  const Ran ran = run(*system, {}, chosen);
  EXPECT_EQ(ran.rows.signals, (std::vector<Signal>{{"t", "s"}, {"energy.kinetic", "J"}, {"q.hinge", "rad"}}));
  EXPECT_THAT(ran.rows.column("t"), testing::ElementsAre(0, 0.3, 0.6, 0.3 * 3, 1));
  chosen.output_every = 0;  // every step
  const Ran all = run(*system, {}, chosen);
  EXPECT_EQ(static_cast<long>(all.rows.rows.size()), all.outcome.counts.steps + 1);
}

TEST(Simulation, TellsItsProgress) {
  const auto system = make_system(pendulum(), {});
  SimulationOptions chosen = options(10, 1);
  std::vector<double> told;
  chosen.progress = [&](const Progress& progress) { told.push_back(progress.fraction()); };
  run(*system, {.q = std::vector<double>{1}}, chosen);
  ASSERT_GT(told.size(), 20u);
  EXPECT_LT(told.size(), 400u);
  EXPECT_TRUE(std::is_sorted(told.begin(), told.end()));
  EXPECT_GT(told.back(), 0.9);
}

TEST(Simulation, ASinkThatFailsEndsTheRun) {
  class Full : public KeptRows {
    void row(std::span<const double> values) override {
      KeptRows::row(values);
      if (rows.size() == 5) throw std::runtime_error("disk full");
    }
  } full;
  const auto system = make_system(pendulum(), {});
  Simulation simulation(*system, options(10, 1));
  EXPECT_THROW(simulation.run(system->start(), full), std::runtime_error);
  EXPECT_EQ(full.rows.size(), 5u);
  KeptRows rows;  // and the system is as good as new
  EXPECT_EQ(simulation.run(system->start(), rows).end, RunEnd::done);
}

std::string error_of(const SimulationOptions& chosen) {
  const auto system = make_system(pendulum(), {});
  try {
    Simulation(*system, chosen);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(Simulation, RefusesOptionsThatMakeNoSense) {
  EXPECT_EQ(error_of({.begin = 2, .until = 1}), "run: until is 1. It must be a time after begin, 2.  [run-option]");
  EXPECT_THAT(error_of({.output_every = -1}), HasSubstr("run: output_every is -1. It must be at least 0"));
  EXPECT_THAT(error_of({.checkpoint_every = 1e-13}), HasSubstr("That gives more than 1e12 of them."));
  SimulationOptions misspelt;
  misspelt.signals = {"q.hing"};
  EXPECT_THAT(error_of(misspelt), HasSubstr("signal \"q.hing\" not found. Did you mean \"q.hinge\"?"));
}

TEST(Simulation, SemiImplicitStepsKeepAFreeBodysQuaternionUnit) {
  Model model("top");
  model.add("b", RigidBody{.mass = 1, .inertia = SymMat3<double>::diagonal(2, 2, 1)});
  model.add("free", Joint{.kind = JointKind::free}, "world", "b");
  const auto system = make_system(model, {});
  SimulationOptions chosen = options(1, 0.25, 1e-6, Method::semi_implicit);
  chosen.integrator.step = 1e-3;
  const Ran ran = run(*system, {.v = std::vector<double>{0, 0, 0, 1, 0, 4}}, chosen);
  EXPECT_EQ(ran.outcome.counts.rates, 1000);
  // Falling: z = −½·g·t², of first order in the step, 1e-3.
  EXPECT_NEAR(ran.rows.last("q.free.z"), -0.5 * 9.81, 0.01);
}

}  // namespace
}  // namespace articula::test
