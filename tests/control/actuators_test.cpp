// Actuators, friction and stops against closed forms.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "simulate/runs.h"

namespace articula::test {
namespace {

constexpr double pi = std::numbers::pi;

SimulationOptions options(double until, double every, Method method = Method::rk45) {
  return {
      .integrator = {.method = method, .relative = 1e-10, .absolute = 1e-10}, .until = until, .output_every = every};
}

NamedTrajectory volts(double level) { return {"feed", {"u"}, std::make_shared<Wave>(1, 0, 1, 0, level)}; }

TEST(Actuators, AHeldMotorsCurrentRisesAsThroughACoil) {
  // i = U/R·(1 − exp(−t·R/L))
  DcMotor motor;
  motor.joint = "axle", motor.command = "feed.q.u", motor.resistance = 2, motor.inductance = 0.1;
  motor.torque_constant = 0.05, motor.gear = 10;
  const auto system = make_system(wheel(1e15), {{"motor", motor, {}}}, {volts(12)});
  const Ran ran = run(*system, {}, options(0.3, 0.01));
  for (const auto& row : ran.rows.rows) {
    const double i = 6 * (1 - std::exp(-row[0] * 20));
    EXPECT_NEAR(row[ran.rows.place("motor.current")], i, 1e-8);
    EXPECT_NEAR(row[ran.rows.place("tau.axle")], 0.5 * i, 1e-8);
  }
}

TEST(Actuators, AFreeMotorRunsUpWithItsTwoTimeConstants) {
  // L·J·ω̈ + R·J·ω̇ + k²·ω = k·U from rest: two real roots.
  DcMotor motor;
  motor.joint = "axle", motor.command = "feed.q.u", motor.resistance = 2, motor.inductance = 0.1;
  motor.torque_constant = 0.5;
  const double J = 0.2;
  const auto system = make_system(wheel(J), {{"motor", motor, {}}}, {volts(12)});
  const Ran ran = run(*system, {}, options(2, 0.1));
  const double a = 2 / 0.1, b = 0.25 / (0.1 * J), root = std::sqrt(a * a / 4 - b), s1 = -a / 2 + root,
               s2 = -a / 2 - root;
  for (const auto& row : ran.rows.rows) {
    const double t = row[0], last = 12 / 0.5;
    EXPECT_NEAR(row[2], last * (1 - (s2 * std::exp(s1 * t) - s1 * std::exp(s2 * t)) / (s2 - s1)), 1e-7);
  }
}

TEST(Actuators, AMotorWithoutInductanceIsADamper) {
  // ω = U/k·(1 − exp(−t·k²/(R·J)))
  DcMotor motor;
  motor.joint = "axle", motor.command = "feed.q.u", motor.resistance = 2, motor.torque_constant = 0.5;
  motor.voltage_limit = 10;
  const auto system = make_system(wheel(0.2), {{"motor", motor, {}}}, {volts(12)});
  EXPECT_TRUE(system->z_names().empty());
  const Ran ran = run(*system, {}, options(2, 0.1));
  for (const auto& row : ran.rows.rows) EXPECT_NEAR(row[2], 20 * (1 - std::exp(-row[0] * 0.25 / 0.4)), 1e-7);
}

TEST(Actuators, AMotorStartsWithTheCurrentThatHoldsItsLoad) {
  DcMotor motor;
  motor.joint = "hinge", motor.command = "feed.q.u", motor.resistance = 2, motor.inductance = 0.1;
  motor.torque_constant = 0.05, motor.gear = 100, motor.amplifier_time = 0.01;
  const auto system = make_system(pendulum(), {{"motor", motor, {}}}, {volts(0)});
  const std::vector<double> y = system->start({.q = std::vector<double>{0.8}});
  const double current = 9.81 * std::sin(0.8) / 5;
  EXPECT_NEAR(y[2], current, 1e-12);
  EXPECT_NEAR(y[3], 2 * current, 1e-12);
}

TEST(Actuators, AnIdealActuatorGivesItsCommandWithinTheJointsForceLimit) {
  Model model = wheel();
  model.at<Joint>("axle").force_limit = {3};
  const auto system = make_system(model,
                                  {{"want", PrescribedTorque{.joints = {"axle"}, .reference = "wave"}, {}},
                                   {"actuator", IdealActuator{.command = "want"}, {}}},
                                  {{"wave", {"axle"}, std::make_shared<Wave>(1, 5, 2 * pi)}});
  const Ran ran = run(*system, {}, options(1, 0.05));
  for (const auto& row : ran.rows.rows) {
    EXPECT_NEAR(row[ran.rows.place("tau.axle")], std::clamp(5 * std::sin(2 * pi * row[0]), -3.0, 3.0), 1e-12);
  }
}

TEST(Actuators, TheElasticLawTakesOverWhereTheValveCloses) {
  // A slider driven at constant speed; from 0.5 s on it swings about where it was: A = v·√(m/k).
  SpringDamper shut;
  shut.form = Form::translational, shut.joints = {"slide"}, shut.stiffness = {400}, shut.from = 0.5;
  const auto system = make_system(slider(4), {{"shut", shut, {}}});
  const Ran ran = run(*system, {.v = std::vector<double>{2}}, options(2, 0.05));
  for (const auto& row : ran.rows.rows) {
    const double t = row[0], omega = 10;
    EXPECT_NEAR(row[1], t < 0.5 ? 2 * t : 1 + 0.2 * std::sin(omega * (t - 0.5)), 1e-8);
  }
}

TEST(Actuators, TheElasticLawCarriesTheLoadThatItMeets) {
  SpringDamper shut;
  shut.joints = {"hinge"}, shut.stiffness = {500};
  const auto system = make_system(pendulum(), {{"shut", shut, {}}});
  const Ran ran = run(*system, {.q = std::vector<double>{1}}, options(2, 0.5));
  EXPECT_NEAR(ran.rows.last("q.hinge"), 1, 1e-10);

  // Moving, it carries its own damper too: no acceleration at first, as of a cylinder that shuts.
  shut.damping = {30};
  const auto moving = make_system(pendulum(), {{"shut", shut, {}}});
  std::vector<double> rate(3);
  ASSERT_TRUE(moving->rate(0, moving->start({.q = std::vector<double>{1}, .v = std::vector<double>{0.5}}), rate));
  EXPECT_NEAR(rate[1], 0, 1e-12);
}

TEST(Actuators, ViscousFrictionSlowsExponentiallyAndCoulombLinearly) {
  Friction viscous;
  viscous.form = Form::translational, viscous.joints = {"slide"}, viscous.viscous = {3};
  Friction coulomb = viscous;
  coulomb.viscous = {0}, coulomb.coulomb = {3};
  const auto slow = make_system(slider(2), {{"friction", viscous, {}}});
  const Ran first = run(*slow, {.v = std::vector<double>{2}}, options(2, 0.1));
  for (const auto& row : first.rows.rows) EXPECT_NEAR(row[2], 2 * std::exp(-1.5 * row[0]), 1e-8);
  const auto dry = make_system(slider(2), {{"friction", coulomb, {}}});
  const Ran second = run(*dry, {.v = std::vector<double>{2}}, options(2, 0.1, Method::bdf));
  for (const auto& row : second.rows.rows) EXPECT_NEAR(row[2], std::max(0.0, 2 - 1.5 * row[0]), 2e-3);
}

TEST(Actuators, StribeckFrictionFallsFromBreakawayToCoulomb) {
  Friction friction;
  friction.joints = {"axle"}, friction.coulomb = {1}, friction.breakaway = {2}, friction.stribeck_speed = 0.1;
  friction.smoothing = 1e-6;
  const auto system = make_system(wheel(), {{"friction", friction, {}}});
  std::vector<double> rate(2);
  for (const auto& [v, torque] : {std::pair{1e-4, -2.0}, {0.1, -(1 + std::exp(-1.0))}, {5.0, -1.0}, {-5.0, 1.0}}) {
    ASSERT_TRUE(system->rate(0, std::vector<double>{0, v}, rate));
    EXPECT_NEAR(rate[1], torque, 1e-5);
  }
}

TEST(Actuators, AnElasticStopThrowsBackAfterHalfAPeriod) {
  // Met at t = 0.5 with v = 2, it presses for π/ω and lets go with −v.
  JointStops stops;
  stops.form = Form::translational, stops.joints = {"slide"}, stops.lower = {-5}, stops.upper = {1},
  stops.stiffness = {400};
  const auto system = make_system(slider(4), {{"stops", stops, {}}});
  const Ran ran = run(*system, {.v = std::vector<double>{2}}, options(1.5, 0.05));
  EXPECT_EQ(ran.outcome.events, 2);
  const double leaves = 0.5 + pi / 10;
  for (const auto& row : ran.rows.rows) {
    const double t = row[0];
    const double x = t < 0.5 ? 2 * t : t < leaves ? 1 + 0.2 * std::sin(10 * (t - 0.5)) : 1 - 2 * (t - leaves);
    EXPECT_NEAR(row[1], x, 1e-8);
  }
}

TEST(Actuators, ALimitOfTheModelCanEndTheRun) {
  Model model = slider();
  model.at<Joint>("slide").limits = {{-1, 0.75}};
  const auto system = make_system(model, {{"limits", JointStops{.on_limit = OnLimit::stop}, {}}});
  const Ran ran = run(*system, {.v = std::vector<double>{1}}, options(2, 0.5));
  EXPECT_EQ(ran.outcome.end, RunEnd::event);
  EXPECT_NEAR(ran.outcome.t, 0.75, 1e-12);
  EXPECT_THAT(ran.outcome.what, testing::HasSubstr("block \"limits\": joint \"slide\" is at its upper limit, 0.75 m."));
}

}  // namespace
}  // namespace articula::test
