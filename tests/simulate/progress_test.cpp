// Runs that make no progress end, at a place that counts decide, with what was computed until then.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "simulate/runs.h"

namespace articula::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

/// A wheel of inertia 1 behind a damper: steps of rk45 are at most 3.3/damping long.
std::unique_ptr<System> stiff_wheel(double damping) {
  Friction friction;
  friction.joints = {"axle"}, friction.viscous = {damping};
  return make_system(
      wheel(), {{"friction", friction, {}}, {"push", PrescribedTorque{.joints = {"axle"}, .reference = "wave"}, {}}},
      {{"wave", {"axle"}, std::make_shared<Wave>(1, 1, 1)}});
}

SimulationOptions stiff_options() {
  return {.integrator = {.method = Method::rk45},
          .until = 10,
          .output_every = 0.001,
          .checkpoint_every = 0.001,
          .most_steps = 10'000};
}

TEST(Progress, OfTooManyStepsEndsTheRunAtTheSamePlaceEveryTime) {
  const auto system = stiff_wheel(1e7);
  const Ran ran = run(*system, {}, stiff_options());
  EXPECT_EQ(ran.outcome.end, RunEnd::stalled);
  EXPECT_FALSE(ran.outcome.ok());
  EXPECT_LT(ran.outcome.t, 0.01);
  EXPECT_EQ(ran.rows.rows.back()[0], ran.outcome.t) << "the last good state is kept";
  EXPECT_GE(ran.outcome.counts.steps + ran.outcome.counts.rejected, 10'000);
  EXPECT_THAT(
      ran.outcome.what,
      AllOf(HasSubstr("the run makes no progress: within a thousandth of its time, 0.01 s, it took 10001 steps, "
                      "rejected ones included."),
            HasSubstr("raise most_steps, 10000 now.")));
  const auto again = stiff_wheel(1e7);
  EXPECT_EQ(run(*again, {}, stiff_options()).outcome.t, ran.outcome.t);
  // From a checkpoint too: what was counted before it counts.
  ASSERT_FALSE(ran.rows.checkpoints.empty()) << "or nothing is resumed";
  const auto resumed = stiff_wheel(1e7);
  KeptRows rows;
  EXPECT_EQ(Simulation(*resumed, stiff_options()).resume(ran.rows.checkpoints[0].bytes, rows).t, ran.outcome.t);
}

TEST(Progress, OfManyStepsInAllIsFine) {
  const auto system = stiff_wheel(1e4);
  SimulationOptions options = stiff_options();
  options.until = 1;
  const Ran ran = run(*system, {}, options);
  EXPECT_EQ(ran.outcome.end, RunEnd::done) << ran.outcome.what;
}

/// −5 N·sign(v + 10·q), with a very narrow hysteresis: on that line it switches to and fro without end.
class Relay : public BlockOf<Relay> {
 public:
  Relay() { name = "relay"; }
  std::vector<std::string> inputs() const override { return {"q.slide", "v.slide"}; }
  std::vector<Signal> outputs() const override { return {{"force", "N"}}; }
  std::vector<Action> actions() const override { return {{0, "slide"}}; }
  std::vector<Signal> states() const override { return {{"side", "1"}}; }
  void start(double, std::span<const double> in, std::span<const double>, std::span<double> z) const override {
    z[0] = in[1] + 10 * in[0] > 0 ? 1 : -1;
  }
  template <class T>
  void evaluate(double, std::span<const T>, std::span<const T> z, std::span<T> out, std::span<T> zdot) const {
    out[0] = -5.0 * z[0];
    zdot[0] = T(0);
  }
  int event_count() const override { return 2; }
  void event_values(double, std::span<const double> in, std::span<const double>, std::span<double> g) const override {
    const double s = in[1] + 10 * in[0];
    g[0] = s + 1e-6, g[1] = s - 1e-6;
  }
  std::string event_name(int) const override { return "the relay switches"; }
  bool on_event(int k, double, std::span<const double>, std::span<double> z) const override {
    z[0] = k == 0 ? -1 : 1;
    return false;
  }
};

TEST(Progress, OfSwitchingWithoutEndEndsTheRun) {
  const BlockSite site(slider());
  std::vector<std::unique_ptr<Block>> blocks;
  blocks.push_back(std::make_unique<Relay>());
  System system(site, {}, std::move(blocks));
  const Ran ran = run(system, {.q = std::vector<double>{0.02}},
                      {.integrator = {.method = Method::rk45}, .until = 10, .most_steps = 100'000});
  EXPECT_EQ(ran.outcome.end, RunEnd::stalled);
  EXPECT_THAT(ran.outcome.what, HasSubstr("the last of them: "));
  EXPECT_THAT(ran.outcome.what, HasSubstr("the relay switches"));
  // Until it reaches the line, v = −10·q, the motion is a parabola: 5·t = 10·(0.02 − 2.5·t²).
  const double t = (-5 + std::sqrt(45.0)) / 50;
  EXPECT_NEAR(ran.outcome.t, t, 0.011);
  EXPECT_NEAR(ran.rows.rows.at(3)[ran.rows.place("q.slide")], 0.02 - 2.5 * 0.03 * 0.03, 1e-9);
}

TEST(Progress, StepsThatTimesCannotTellApartAreRefused) {
  const auto system = stiff_wheel(1);
  const auto error = [&](IntegratorOptions integrator, double begin = 0, double until = 1) -> std::string {
    try {
      Simulation(*system, {.integrator = integrator, .begin = begin, .until = until});
    } catch (const Error& thrown) {
      return thrown.what();
    }
    return "none";
  };
  EXPECT_EQ(
      error({.method = Method::rk4, .step = 1e-20}),
      "run: step is 1e-20. Times near 1 s are 2.220446049250313e-16 s apart; give at least 3.552713678800501e-15.  "
      "[run-option]");
  EXPECT_EQ(error({.method = Method::rk4, .step = 1e-10}),
            "run: step is 1e-10. That makes more than 1e+09 steps (1000·most_steps). Make it longer, or raise "
            "most_steps.  [run-option]");
  EXPECT_THAT(error({.method = Method::rk45, .max_step = 1e-12}), HasSubstr("max_step is 1e-12. That makes more than"));
  EXPECT_THAT(error({.method = Method::rk45, .step = 1e-12}, 1e9, 1e9 + 1), HasSubstr("Times near 1000000001 s are"));
  EXPECT_EQ(error({.method = Method::rk45, .step = 1e-12}), "none");
}

}  // namespace
}  // namespace articula::test
