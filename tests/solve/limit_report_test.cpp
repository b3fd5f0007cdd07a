#include <articula/solve/limit_report.h>

#include <gtest/gtest.h>

#include <articula/articula.h>

#include "support/findings.h"

namespace articula::test {
namespace {

using solve::LimitReport;

/// A wheel of inertia 1.
Model wheel() {
  Model model("wheel");
  model.add("disk", RigidBody{.mass = 1, .inertia = SymMat3<double>::diagonal(1, 1, 1)});
  model.add("axle", Joint{.axis = z_axis}, "world", "disk");
  return model;
}

std::vector<std::string> texts(const LimitReport& report) {
  std::vector<std::string> all;
  for (const Finding& finding : report.findings()) all.push_back(to_text(finding));
  return all;
}

TEST(LimitReport, NamesTheLargestOfWhatIsBeyondALimit) {
  Model model = wheel();
  model.at<Joint>("axle").force_limit = {5};
  model.add("motor", Drive{.torque_limit = 3, .speed_limit = 2}, "axle");
  InverseDynamics torques(model);
  LimitReport report(torques, "t = {} s", "times");
  for (int k = 0; k < 8; ++k) {
    const double t = 0.5 * k, v = t, a = k % 2 == 0 ? t : -t - 1.0;
    torques.update({.q = std::vector{0.0}, .v = std::vector{v}, .vdot = std::vector{a}});
    report.look(t, std::vector{v}, torques.compute());
  }
  // |a| = 0, 1.5, 1, 2.5, 2, 3.5, 3, 4.5 at 0, 0.5, … s
  EXPECT_EQ(texts(report), (std::vector<std::string>{
                               "tau.axle is -4.5 N*m at t = 3.5 s: the model's limit is 3. It is passed at 2 of 8 "
                               "times.  [limit-passed]",
                               "v.axle is 3.5 rad/s at t = 3.5 s: the model's limit is 2. It is passed at 3 of 8 "
                               "times.  [limit-passed]"}));
}

TEST(LimitReport, WithinLimitsOrWithoutThemSaysNothing) {
  Model model = wheel();
  InverseDynamics free(model);
  model.at<Joint>("axle").force_limit = {5};
  InverseDynamics limited(model);
  LimitReport of_free(free, "state {}", "states"), of_limited(limited, "state {}", "states");
  of_free.look(0, std::vector{1e9}, std::vector{1e9});
  of_limited.look(0, std::vector{1e9}, std::vector{5.0});
  EXPECT_TRUE(texts(of_free).empty());
  EXPECT_TRUE(texts(of_limited).empty());
}

/// Limits of a drive are on the side of its joint; those of its motor behind a gear of 10, a tenth and ten times them.
TEST(LimitReport, OfMotorsIsOnTheirSideOfTheGear) {
  for (const bool elastic : {false, true}) {
    Model model = wheel();
    Drive drive{.rotor_inertia = 1e-3, .gear = -10, .torque_limit = 3, .speed_limit = 2};
    if (elastic) drive.stiffness = 1e4;
    model.add("motor", drive, "axle");
    const ElasticInverseDynamics motors(model);
    ASSERT_EQ(motors.motor_limits().size(), 1u);
    EXPECT_NEAR(motors.motor_limits()[0].torque, 0.3, 1e-15);
    EXPECT_NEAR(motors.motor_limits()[0].speed, 20, 1e-13);
    LimitReport report(motors, "state {}", "states");
    report.look(3, std::vector{-19.0}, std::vector{0.4});
    EXPECT_EQ(texts(report),
              (std::vector<std::string>{"tau.motor.motor is 0.4 N*m at state 3: the model's limit is 0.3. "
                                        "It is passed at 1 of 1 states.  [limit-passed]"}));
  }
}

}  // namespace
}  // namespace articula::test
