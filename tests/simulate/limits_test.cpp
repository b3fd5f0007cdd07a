#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "simulate/runs.h"

namespace articula::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> texts(const Findings& findings) {
  std::vector<std::string> all;
  for (const Finding& finding : findings) all.push_back(to_text(finding));
  return all;
}

SimulationOptions options(double until, LimitPolicy on_limit, Method method = Method::rk45) {
  return {.integrator = {.method = method, .relative = 1e-9, .absolute = 1e-9, .step = 1e-2},
          .until = until,
          .output_every = 0.1,
          .on_limit = on_limit};
}

/// A wheel that a torque of 1 N·m turns: v = t, q = t²/2.
Model limited_wheel() {
  Model model = wheel();
  Joint& joint = model.at<Joint>("axle");
  joint.limits = {{-1, 2}};
  joint.speed_limit = {1.5};
  joint.force_limit = {5};
  return model;
}
BlockSpec torque(double value) { return {"push", PrescribedTorque{.value = {value}}, {}}; }

TEST(Limits, AreReportedOnceWithTheTimeOfTheirFirstPassing) {
  for (const Method method : {Method::rk45, Method::bdf, Method::rk4}) {
    const auto system = make_system(limited_wheel(), {torque(1)});
    const Ran ran = run(*system, {}, options(3, LimitPolicy::warn, method));
    EXPECT_EQ(ran.outcome.end, RunEnd::done);
    ASSERT_EQ(ran.outcome.findings.size(), 2u);
    // q = 2 at t = 2, v = 1.5 at t = 1.5.
    EXPECT_THAT(ran.outcome.findings[0].message, HasSubstr("the speed of joint \"axle\" passes its limit, 1.5 rad/s"));
    EXPECT_THAT(ran.outcome.findings[1].message, HasSubstr("joint \"axle\" passes its upper limit, 2 rad"));
    const auto time = [&](std::size_t k) { return std::stod(ran.outcome.findings[k].message.substr(7)); };
    EXPECT_NEAR(time(0), 1.5, 1e-7);
    EXPECT_NEAR(time(1), 2, 1e-7);
  }
}

TEST(Limits, OfForcesAreSeenAtTheStart) {
  const auto system = make_system(limited_wheel(), {torque(-6)});
  const Ran ran = run(*system, {}, options(0.1, LimitPolicy::warn));
  EXPECT_THAT(texts(ran.outcome.findings),
              ElementsAre("at t = 0 s the force along joint \"axle\" passes its limit, 5 N*m: it is -6. The run "
                          "goes on. Nothing limits it in this run. `on_limit: warn`, `stop` or `ignore` decides.  "
                          "[limit-passed]"));
}

TEST(Limits, CanEndTheRunOrBeIgnored) {
  const auto system = make_system(limited_wheel(), {torque(1)});
  const Ran ran = run(*system, {}, options(3, LimitPolicy::stop));
  EXPECT_EQ(ran.outcome.end, RunEnd::event);
  EXPECT_NEAR(ran.outcome.t, 1.5, 1e-7);
  EXPECT_NEAR(ran.rows.last("v.axle"), 1.5, 1e-7);
  EXPECT_THAT(ran.outcome.what, HasSubstr("the speed of joint \"axle\" passes its limit"));
  const Ran ignored = run(*system, {}, options(3, LimitPolicy::ignore));
  EXPECT_EQ(ignored.outcome.end, RunEnd::done);
  EXPECT_TRUE(ignored.outcome.findings.empty());
}

TEST(Limits, ThatStopsGuardAreNotReported) {
  Model model = limited_wheel();
  model.at<Joint>("axle").speed_limit.clear();
  model.at<Joint>("axle").force_limit.clear();  // stops push harder
  const auto system = make_system(model, {torque(1), {"stops", JointStops{.stiffness = {1e4}, .damping = {10}}, {}}});
  const Ran ran = run(*system, {}, options(3, LimitPolicy::warn));
  EXPECT_TRUE(ran.outcome.findings.empty());
}

/// v = t/2, since the drive exerts half of what is asked; its speed limit is passed at t = 2.4.
TEST(Limits, OfTheTorqueOfADriveSaturateIt) {
  Model model = wheel();
  model.add("motor", Drive{.torque_limit = 0.5, .speed_limit = 1.2}, "axle");
  for (const Method method : {Method::rk45, Method::bdf}) {
    const auto system = make_system(model, {torque(1)});
    const Ran ran = run(*system, {}, options(3, LimitPolicy::warn, method));
    EXPECT_EQ(ran.outcome.end, RunEnd::done);
    ASSERT_EQ(ran.outcome.findings.size(), 2u);
    EXPECT_EQ(
        to_text(ran.outcome.findings[0]),
        "at t = 0 s blocks ask for 1 N*m of the drive of \"axle\", whose torque_limit is 0.5: it exerts that. The "
        "signal joint.axle.saturated tells when.  [drive-saturated]");
    EXPECT_THAT(ran.outcome.findings[1].message, HasSubstr("the speed of joint \"axle\" passes its limit, 1.2 rad/s"));
    EXPECT_NEAR(std::stod(ran.outcome.findings[1].message.substr(7)), 2.4, 1e-7);
    EXPECT_NEAR(ran.rows.last("v.axle"), 1.5, 1e-8);
    EXPECT_NEAR(ran.rows.last("tau.axle"), 0.5, 1e-15);
    EXPECT_NEAR(ran.rows.last("joint.axle.drive"), 0.5, 1e-15);
    EXPECT_EQ(ran.rows.last("joint.axle.saturated"), 1);
  }
}

/// A saturated drive is as the model says; only what the model forbids ends the run.
TEST(Limits, OfTheTorqueOfADriveEndNoRun) {
  Model model = wheel();
  model.add("motor", Drive{.torque_limit = 0.5}, "axle");
  const auto system = make_system(model, {torque(-1)});
  const Ran ran = run(*system, {}, options(1, LimitPolicy::stop));
  EXPECT_EQ(ran.outcome.end, RunEnd::done);
  EXPECT_NEAR(ran.rows.last("v.axle"), -0.5, 1e-9);
  EXPECT_EQ(ran.rows.last("joint.axle.saturated"), -1);
}

TEST(Limits, OfADriveDoNotHoldBackWhatActsBesideIt) {
  Model model = wheel();
  model.add("motor", Drive{.torque_limit = 0.5}, "axle");
  const auto system = make_system(model, {torque(1), {"spring", SpringDamper{.stiffness = {8}, .rest = {1}}, {}}});
  const Ran ran = run(*system, {.q = std::vector<double>{0.25}}, options(0.1, LimitPolicy::ignore));
  EXPECT_NEAR(ran.rows.column("tau.axle")[0], 0.5 + 8 * 0.75, 1e-14);
  EXPECT_TRUE(ran.outcome.findings.empty());
}

/// The limit is on the joint's side; the drive of a follower has it there too.
TEST(Limits, OfElasticAndGearedDrivesAreThoseOfTheJoint) {
  Model elastic = wheel();
  elastic.add("motor", Drive{.rotor_inertia = 1e-3, .gear = 10, .stiffness = 100, .torque_limit = 0.5}, "axle");
  const auto spring = make_system(elastic, {{"push", PrescribedTorque{.joints = {"motor.motor"}, .value = {1}}, {}}});
  EXPECT_NEAR(run(*spring, {}, options(0.1, LimitPolicy::ignore)).rows.last("tau.motor.motor"), 0.05, 1e-15);

  Model geared = wheel();
  geared.add("other", RigidBody{.mass = 1, .inertia = SymMat3<double>::diagonal(1, 1, 1)});
  geared.add("second", Joint{.axis = geared.at<Joint>("axle").axis}, "world", "other");
  geared.add("gear", Gear{.ratio = {{3}}}, "second", "axle");  // second = 3·axle
  geared.add("motor", Drive{.torque_limit = 0.5}, "second");
  const auto train = make_system(geared, {{"push", PrescribedTorque{.joints = {"second"}, .value = {-2}}, {}}});
  const Ran ran = run(*train, {}, options(0.1, LimitPolicy::ignore));
  EXPECT_NEAR(ran.rows.last("tau.axle"), -3 * 0.5, 1e-14);
  EXPECT_NEAR(ran.rows.last("joint.second.drive"), -0.5, 1e-15);
}

/// Negative damping.
struct Growing : BlockOf<Growing> {
  std::vector<std::string> inputs() const override { return {"v.axle"}; }
  std::vector<Signal> outputs() const override { return {{"axle", "N*m"}}; }
  std::vector<Action> actions() const override { return {{0, "axle"}}; }
  template <class T>
  void evaluate(double, std::span<const T> in, std::span<const T>, std::span<T> out, std::span<T>) const {
    out[0] = 5.0 * in[0];
  }
};

TEST(Limits, AMotionThatDivergesEndsTheRun) {
  // Negative damping: v grows as exp(5·t) and passes 1e7 at t = 3.22.
  std::vector<std::unique_ptr<Block>> blocks;
  blocks.push_back(std::make_unique<Growing>());
  blocks.back()->name = "growing";
  System unstable(wheel(), {}, std::move(blocks));
  const Ran ran = run(unstable, {.v = std::vector<double>{1}}, options(20, LimitPolicy::ignore));
  EXPECT_EQ(ran.outcome.end, RunEnd::diverged);
  EXPECT_FALSE(ran.outcome.ok());
  EXPECT_NEAR(ran.outcome.t, std::log(1e7) / 5, 0.5);
  EXPECT_THAT(ran.outcome.what, HasSubstr("the motion diverges: in the next step v.axle is"));
  EXPECT_TRUE(std::isfinite(ran.rows.last("v.axle")));
}

}  // namespace
}  // namespace articula::test
