// Controllers against the closed forms of what they do.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "simulate/runs.h"

namespace articula::test {
namespace {

SimulationOptions options(double until, double every, Method method = Method::rk45) {
  return {
      .integrator = {.method = method, .relative = 1e-10, .absolute = 1e-10}, .until = until, .output_every = every};
}

/// Two links with weight.
Model arm() {
  Model model = pendulum(2, 0.7);
  model.add("fore", RigidBody{.mass = 1, .com = {0.1, 0, -0.3}, .inertia = SymMat3<double>::diagonal(0.1, 0.2, 0.1)});
  model.add("elbow", Joint{.axis = y_axis}, at("bob", {.xyz = {0, 0, -0.7}}), "fore");
  return model;
}
const std::vector<std::string> both{"hinge", "elbow"};

TEST(Controllers, PdIsASpringAndADamper) {
  // J·ë + c·ė + k·e = 0 with J = 2, c = 1, k = 10: a damped oscillation.
  const PdControl pd{.joints = {"axle"}, .reference = "rest", .stiffness = {10}, .damping = {1}};
  const auto system =
      make_system(wheel(2), {{"servo", pd, {}}}, {{"rest", {"axle"}, std::make_shared<Wave>(1, 0, 1, 0, 0)}});
  const Ran ran = run(*system, {.q = std::vector<double>{1}}, options(3, 0.1));
  const double sigma = 0.25, omega = std::sqrt(5 - sigma * sigma);
  for (const auto& row : ran.rows.rows) {
    const double t = row[0];
    EXPECT_NEAR(row[1], std::exp(-sigma * t) * (std::cos(omega * t) + sigma / omega * std::sin(omega * t)), 1e-8);
  }
}

TEST(Controllers, LimitedPidBleedsItsIntegralOffByBackCalculation) {
  // The wheel is too heavy to move: e = 1 stays, u is above the limit all the time, and
  // ż = integral·e + (limit − stiffness·e − z)/T, z(0) = 0.
  PidControl pid;
  pid.joints = {"axle"}, pid.reference = "rest", pid.stiffness = {8}, pid.damping = {0}, pid.integral = {3};
  pid.limit = {2}, pid.tracking_time = 0.2;
  const auto system =
      make_system(wheel(1e15), {{"servo", pid, {}}}, {{"rest", {"axle"}, std::make_shared<Wave>(1, 0, 1, 0, 1)}});
  const Ran ran = run(*system, {}, options(2, 0.1));
  const double last = 0.2 * 3 + 2 - 8;
  for (const auto& row : ran.rows.rows) {
    EXPECT_NEAR(row[ran.rows.place("servo.integral.axle")], last * (1 - std::exp(-row[0] / 0.2)), 1e-8);
    EXPECT_EQ(row[ran.rows.place("tau.axle")], 2);
  }
}

TEST(Controllers, AnIntegralRemovesWhatALoadLeavesBehind) {
  PidControl pid;
  pid.joints = {"hinge"}, pid.reference = "rest", pid.stiffness = {60}, pid.damping = {20}, pid.integral = {80};
  const auto system =
      make_system(pendulum(), {{"servo", pid, {}}}, {{"rest", {"hinge"}, std::make_shared<Wave>(1, 0, 1, 0, 1)}});
  const Ran ran = run(*system, {}, options(30, 1));
  EXPECT_NEAR(ran.rows.last("q.hinge"), 1, 1e-7);
  EXPECT_NEAR(ran.rows.last("servo.integral.hinge"), 9.81 * std::sin(1.0), 1e-5);
}

TEST(Controllers, ComputedTorqueMakesErrorsDecayByThemselves) {
  // ë + 2ω·ė + ω²·e = 0, e(0) = e_0, ė(0) = −v_r(0): e = (e_0 + (ė_0 + ω·e_0)·t)·exp(−ω·t)
  const auto wave = std::make_shared<Wave>(2, 0.6, 2.0, 0.4);
  const auto system = make_system(
      arm(), {{"servo", ComputedTorque{.joints = both, .reference = "wave", .stiffness = {25}, .damping = {10}}, {}}},
      {{"wave", both, wave}});
  const std::vector<double> q{0.5, -1.2};
  const Ran ran = run(*system, {.q = q}, options(3, 0.1));
  const double r0 = 0.6 * std::sin(0.4), v0 = 1.2 * std::cos(0.4);
  for (const auto& row : ran.rows.rows) {
    for (std::size_t k = 0; k < 2; ++k) {
      const double t = row[0], e0 = r0 - q[k];
      const double e = (e0 + (v0 + 5 * e0) * t) * std::exp(-5 * t);
      EXPECT_NEAR(row[1 + k], 0.6 * std::sin(2 * t + 0.4) - e, 1e-7);
    }
  }
}

TEST(Controllers, GravityCompensationHoldsAnArmWhereItIs) {
  const auto system = make_system(arm(), {{"carry", GravityCompensation{}, {}}});
  const Ran ran = run(*system, {.q = std::vector<double>{1.1, -0.4}}, options(2, 0.5));
  EXPECT_NEAR(ran.rows.last("q.hinge"), 1.1, 1e-12);
  EXPECT_NEAR(ran.rows.last("q.elbow"), -0.4, 1e-12);
}

TEST(Controllers, FeedForwardFollowsAMotionWithoutLookingWithPassiveForcesToo) {
  Model model = arm();
  model.at<Joint>("elbow").damping = {0.7};
  const auto system = make_system(model, {{"ahead", FeedForward{.joints = both, .reference = "wave"}, {}}},
                                  {{"wave", both, std::make_shared<Wave>(2, 0.3, 3.0)}});
  const Ran ran = run(*system, {.q = std::vector<double>{0, 0}, .v = std::vector<double>{0.9, 0.9}}, options(1, 0.1));
  for (const auto& row : ran.rows.rows) {
    EXPECT_NEAR(row[1], 0.3 * std::sin(3 * row[0]), 1e-7);
    EXPECT_NEAR(row[2], 0.3 * std::sin(3 * row[0]), 1e-7);
  }
}

TEST(Controllers, ACascadeWithAMotorHoldsALoadAndKeepsItsLimits) {
  CascadeControl cascade;
  cascade.joint = "hinge", cascade.reference = "rest", cascade.position_gain = 8, cascade.speed_gain = 20;
  cascade.speed_time = 0.1, cascade.speed_limit = 0.5, cascade.limit = 40, cascade.motor = "motor";
  cascade.torque_per_current = 5, cascade.current_gain = 4, cascade.current_time = 0.01, cascade.voltage_limit = 48;
  DcMotor motor;
  motor.joint = "hinge", motor.command = "cascade.voltage", motor.resistance = 1, motor.inductance = 2e-3;
  motor.torque_constant = 0.05, motor.gear = 100;
  const auto system = make_system(pendulum(), {{"cascade", cascade, {}}, {"motor", motor, {}}},
                                  {{"rest", {"hinge"}, std::make_shared<Wave>(1, 0, 1, 0, 1.2)}});
  const Ran ran = run(*system, {}, options(8, 0.05, Method::bdf));
  EXPECT_NEAR(ran.rows.last("q.hinge"), 1.2, 1e-6);
  EXPECT_NEAR(ran.rows.last("motor.current"), 9.81 * std::sin(1.2) / 5, 1e-5);
  double fastest = 0;
  for (const double v : ran.rows.column("v.hinge")) fastest = std::max(fastest, v);
  EXPECT_GT(fastest, 0.45);
  EXPECT_LT(fastest, 0.6);
}

/// A controller that gives what its reference is: so its samples can be read off.
BlockSpec follower() { return {"follow", PrescribedTorque{.joints = {"axle"}, .reference = "ramp"}, {}}; }

class Ramp : public Trajectory {
 public:
  int size() const override { return 1; }
  void evaluate(double t, int order, std::span<double> x) const override {
    x[0] = t;
    for (int k = 1; k <= order; ++k) x[static_cast<std::size_t>(k)] = k == 1 ? 1 : 0;
  }
};

TEST(Controllers, SampledOutputsActExactlyAfterTheirDelay) {
  for (const double delay : {0.0, 0.003, 0.01, 0.013, 0.02}) {
    SampledBlock digital;
    digital.block = "follow", digital.period = 0.01, digital.delay = delay;
    const auto system =
        make_system(wheel(), {follower(), {"digital", digital, {}}}, {{"ramp", {"axle"}, std::make_shared<Ramp>()}});
    const Ran ran = run(*system, {}, options(0.2, 0.001));
    for (const auto& row : ran.rows.rows) {
      // Sample k = 0.01·k acts from 0.01·k + delay on; rows at a jump show what is after it.
      const double k = std::max(0.0, std::floor((row[0] - delay) / 0.01 + 1e-6));
      EXPECT_NEAR(row[ran.rows.place("digital.axle")], 0.01 * k, 1e-12) << "t = " << row[0] << ", delay " << delay;
    }
    // The speed is the exact sum of what was held: Σ u_k·0.01, cut at the ends.
    double speed = 0;
    for (int k = 1; k < 20; ++k) {
      const double from = 0.01 * k + delay, to = std::min(0.2, from + 0.01);
      speed += 0.01 * k * std::max(0.0, to - from);
    }
    EXPECT_NEAR(ran.rows.last("v.axle"), speed, 1e-12) << "delay " << delay;
  }
}

TEST(Controllers, SampledInputsAndOutputsAreRounded) {
  SampledBlock digital;
  digital.block = "servo", digital.period = 0.01, digital.position_step = 0.1, digital.output_step = 0.25;
  const PdControl pd{.joints = {"axle"}, .reference = "rest", .stiffness = {1}, .damping = {0}};
  const auto system = make_system(wheel(1e15), {{"servo", pd, {}}, {"digital", digital, {}}},
                                  {{"rest", {"axle"}, std::make_shared<Wave>(1, 0, 1)}});
  // 0.37 is measured as 0.4, and −0.4 given as −0.5.
  const Ran ran = run(*system, {.q = std::vector<double>{0.37}}, options(0.05, 0.01));
  EXPECT_DOUBLE_EQ(ran.rows.last("digital.axle"), -0.5);
}

TEST(Controllers, ASampledIntegralAdvancesByItsPeriod) {
  PidControl pid;
  pid.joints = {"axle"}, pid.reference = "rest", pid.stiffness = {0}, pid.damping = {0}, pid.integral = {2};
  SampledBlock digital;
  digital.block = "pid", digital.period = 0.1;
  const auto system = make_system(wheel(1e15), {{"pid", pid, {}}, {"digital", digital, {}}},
                                  {{"rest", {"axle"}, std::make_shared<Wave>(1, 0, 1, 0, 1)}});
  const Ran ran = run(*system, {}, options(1.05, 0.1));
  EXPECT_NEAR(ran.rows.last("digital.integral.axle"), 11 * 0.1 * 2, 1e-12);  // samples at 0, 0.1, …, 1
}

TEST(Controllers, ASwitchedBlockActsBetweenItsTimesOnly) {
  const auto system = make_system(wheel(), {{"push", PrescribedTorque{.joints = {"axle"}, .value = {2}}, {}},
                                            {"gate", SwitchedBlock{.block = "push", .from = 0.25, .until = 0.75}, {}}});
  const Ran ran = run(*system, {}, options(1, 0.25));
  EXPECT_THAT(ran.rows.column("tau.axle"), testing::ElementsAre(0, 2, 2, 0, 0));
  EXPECT_NEAR(ran.rows.last("v.axle"), 1, 1e-12);
}

}  // namespace
}  // namespace articula::test
