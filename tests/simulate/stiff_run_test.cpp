/// Runs of stiff systems, and of steps that are too long.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "simulate/runs.h"

namespace articula::test {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

/// A wheel of inertia 1 held back by a damper, driven by a wave: v̇ = −d·v + sin t.
std::unique_ptr<System> damped_wheel(double damping) {
  Friction friction;
  friction.joints = {"axle"}, friction.viscous = {damping};
  return make_system(
      wheel(), {{"friction", friction, {}}, {"push", PrescribedTorque{.joints = {"axle"}, .reference = "wave"}, {}}},
      {{"wave", {"axle"}, std::make_shared<Wave>(1, 1, 1)}});
}

/// v = (d·sin t − cos t + e^(−d·t))/(1 + d²)
double speed_of_damped_wheel(double d, double t) {
  return (d * std::sin(t) - std::cos(t) + std::exp(-d * t)) / (1 + d * d);
}

SimulationOptions options(Method method, double until) {
  return {.integrator = {.method = method, .relative = 1e-8, .absolute = 1e-10}, .until = until, .output_every = 0.5};
}

TEST(StiffRun, ChangesToBdfByItselfAndSaysSo) {
  constexpr double d = 1e5;
  const auto system = damped_wheel(d);
  const Ran ran = run(*system, {}, options(Method::automatic, 10));
  EXPECT_EQ(ran.outcome.end, RunEnd::done);
  EXPECT_EQ(ran.outcome.method, Method::bdf);
  EXPECT_EQ(ran.outcome.counts.switches, 1);
  EXPECT_LT(ran.outcome.counts.rates, 3000);
  for (const auto& row : ran.rows.rows) {
    EXPECT_NEAR(row[ran.rows.place("v.axle")], speed_of_damped_wheel(d, row[0]), 1e-9);
  }
  ASSERT_EQ(ran.outcome.findings.size(), 1u);
  EXPECT_EQ(ran.outcome.findings[0].severity, Severity::note);
  EXPECT_THAT(
      to_text(ran.outcome.findings[0]),
      testing::MatchesRegex(
          "run: at t = 0.00[0-9]+ s the motion is stiff: steps of [0-9.]+e-05 s are as long as stability allows "
          "\\(h·\\|λ\\| = 3[.0-9]*\\), not the tolerance. Integrator \"auto\" goes on with \"bdf\".  \\[run-stiff\\]"));
}

TEST(StiffRun, OfRk45Warns) {
  const auto system = damped_wheel(1e4);
  const Ran ran = run(*system, {}, options(Method::rk45, 0.2));
  EXPECT_EQ(ran.outcome.method, Method::rk45);
  ASSERT_EQ(ran.outcome.findings.size(), 1u);
  EXPECT_EQ(ran.outcome.findings[0].severity, Severity::warning);
  EXPECT_THAT(to_text(ran.outcome.findings[0]), StartsWith("run: at t = 0.0"));
  EXPECT_THAT(to_text(ran.outcome.findings[0]),
              EndsWith("not the tolerance. Integrator \"rk45\" takes many of them. Choose \"bdf\", or \"auto\", which "
                       "changes to it by itself.  [run-stiff]"));
}

TEST(StiffRun, OfOthersHasNothingToSay) {
  for (const Method method : {Method::automatic, Method::rk45, Method::bdf, Method::adams}) {
    const auto system = damped_wheel(1);
    EXPECT_THAT(run(*system, {}, options(method, 10)).outcome.findings, IsEmpty());
  }
}

TEST(StiffRun, IsResumedBitByBitAcrossTheChangeOfMethod) {
  SimulationOptions chosen = options(Method::automatic, 1);
  chosen.output_every = 0.01, chosen.checkpoint_every = 0.002;
  const auto system = damped_wheel(1e4);
  const Ran whole = run(*system, {}, chosen);
  EXPECT_EQ(whole.outcome.method, Method::bdf);
  for (std::size_t k = 0; k < whole.rows.checkpoints.size(); k += k < 20 ? 1 : 50) {
    const KeptRows::Kept& from = whole.rows.checkpoints[k];
    const auto again = damped_wheel(1e4);
    KeptRows rows;
    const Outcome outcome = Simulation(*again, chosen).resume(from.bytes, rows);
    EXPECT_EQ(std::memcmp(outcome.y.data(), whole.outcome.y.data(), outcome.y.size() * sizeof(double)), 0) << from.t;
    EXPECT_EQ(outcome.counts.rates, whole.outcome.counts.rates) << from.t;
    EXPECT_EQ(outcome.counts.switches, 1);
    EXPECT_EQ(outcome.counts.restarts, whole.outcome.counts.restarts);
  }
}

/// A slide between stiff stops: v(t) and the events are those of bdf throughout.
TEST(StiffRun, MeetsEventsAfterTheChangeOfMethod) {
  const auto ran = [](Method method) {
    Friction friction;
    friction.joints = {"axle"}, friction.viscous = {1e4};
    const JointStops stops{.joints = {"axle"}, .lower = {-1e-5}, .upper = {1e-4}, .stiffness = {1e6}, .damping = {1e3}};
    const auto system = make_system(wheel(),
                                    {{"friction", friction, {}},
                                     {"stops", stops, {}},
                                     {"push", PrescribedTorque{.joints = {"axle"}, .reference = "wave"}, {}}},
                                    {{"wave", {"axle"}, std::make_shared<Wave>(1, 1, 1)}});
    SimulationOptions chosen = options(method, 10);
    chosen.integrator.relative = chosen.integrator.absolute = 1e-11;
    return run(*system, {}, chosen);
  };
  const Ran a = ran(Method::automatic), b = ran(Method::bdf);
  EXPECT_GE(a.outcome.counts.switches, 1);
  EXPECT_GT(a.outcome.events, 1);
  EXPECT_EQ(a.outcome.events, b.outcome.events);
  EXPECT_NEAR(a.rows.last("q.axle"), b.rows.last("q.axle"), 1e-9);
}

/// Where nothing is stiff, f at the row's state is the better acceleration, and the one that is given.
TEST(StiffRun, OfOthersTakesAccelerationsFromTheStatesOfRows) {
  for (const Method method : {Method::bdf, Method::adams, Method::dirk}) {
    const auto system = make_system(pendulum(), {});
    const Ran ran = run(*system, {.q = std::vector<double>{1}}, options(method, 10));
    for (const auto& row : ran.rows.rows) {
      EXPECT_NEAR(row[ran.rows.place("a.hinge")], -9.81 * std::sin(row[ran.rows.place("q.hinge")]), 1e-13);
    }
  }
}

/// A stiff spring with ω = 1000/s: rk4 is stable up to h·ω = 2.8, semi_implicit up to 2.
TEST(FixedStepRun, WarnsOfAStepThatIsTooLong) {
  const auto spring = [] {
    PdControl pd;
    pd.joints = {"axle"}, pd.reference = "rest", pd.stiffness = {1e6}, pd.damping = {0};
    return make_system(wheel(), {{"spring", pd, {}}}, {{"rest", {"axle"}, std::make_shared<Wave>(1, 0, 1)}});
  };
  const auto ran = [&](Method method, double step) {
    const auto system = spring();
    return run(*system, {.q = std::vector<double>{1e-7}},
               {.integrator = {.method = method, .step = step}, .until = 100 * step, .output_every = step});
  };
  EXPECT_THAT(ran(Method::rk4, 1e-3).outcome.findings, IsEmpty());
  EXPECT_THAT(ran(Method::semi_implicit, 1e-3).outcome.findings, IsEmpty());
  const Findings rk4 = ran(Method::rk4, 3.1e-3).outcome.findings;
  ASSERT_EQ(rk4.size(), 1u);
  EXPECT_EQ(rk4[0].severity, Severity::warning);
  EXPECT_THAT(to_text(rk4[0]), StartsWith("run: at t = 0.0"));
  EXPECT_THAT(to_text(rk4[0]), HasSubstr(" s the step, 0.0031 s, is too long for what moves fastest: h·|λ| = "));
  EXPECT_THAT(to_text(rk4[0]),
              HasSubstr(", and \"rk4\" is stable up to 2.785. The motion is not to be trusted from there "
                        "on. Take steps of 0.00"));
  EXPECT_THAT(to_text(rk4[0]), EndsWith(" s or less, or an integrator that follows a tolerance.  [run-step-too-long]"));
  const Findings semi = ran(Method::semi_implicit, 2.5e-3).outcome.findings;
  ASSERT_EQ(semi.size(), 1u);
  EXPECT_THAT(to_text(semi[0]), HasSubstr("\"semi_implicit\" is stable up to 2."));
}

}  // namespace
}  // namespace articula::test
