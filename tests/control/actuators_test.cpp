// Actuators, friction and stops against closed forms.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include <Eigen/Eigenvalues>

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
}

/// A cylinder in the middle of its stroke, both chambers alike.
HydraulicCylinder cylinder() {
  HydraulicCylinder oil;
  oil.joint = "slide", oil.x_0 = 0.25, oil.stroke = 0.5, oil.area_a = oil.area_b = 2e-3;
  oil.dead_volume_a = oil.dead_volume_b = 1e-4, oil.supply_pressure = 200e5, oil.nominal_flow = 5e-4;
  return oil;
}

TEST(Actuators, AClosedValveLeavesAnOilSpring) {
  // ω = √(4·β·A²/(V·m)) with V the oil in both chambers.
  const double m = 300, V = 2 * (1e-4 + 2e-3 * 0.25);
  const auto system = make_system(slider(m), {{"ram", cylinder(), {}}});
  const std::vector<double> y = system->start();
  std::vector<double> J(16);
  ASSERT_TRUE(system->jacobian(0, y, J));
  const Eigen::Map<Eigen::Matrix<double, 4, 4, Eigen::RowMajor>> A(J.data());
  double highest = 0;
  for (const auto& each : A.eigenvalues()) highest = std::max(highest, each.imag());
  const double omega = std::sqrt(4 * 1.4e9 * 4e-6 / (V * m));
  EXPECT_NEAR(highest, omega, 1e-9 * omega);
}

TEST(Actuators, BothSidesOfADifferentialPistonAreOilSprings) {
  // k = β·(A_A²/V_A + A_B²/V_B), each chamber with its own area and volume.
  HydraulicCylinder oil = cylinder();
  oil.area_b = 5e-4, oil.x_0 = 0.1, oil.dead_volume_b = 3e-4;
  const double m = 300, V_a = 1e-4 + 2e-3 * 0.1, V_b = 3e-4 + 5e-4 * 0.4;
  const auto system = make_system(slider(m), {{"ram", oil, {}}});
  std::vector<double> J(16);
  ASSERT_TRUE(system->jacobian(0, system->start(), J));
  const Eigen::Map<Eigen::Matrix<double, 4, 4, Eigen::RowMajor>> A(J.data());
  double highest = 0;
  for (const auto& each : A.eigenvalues()) highest = std::max(highest, each.imag());
  const double omega = std::sqrt(1.4e9 * (2e-3 * 2e-3 / V_a + 5e-4 * 5e-4 / V_b) / m);
  EXPECT_NEAR(highest, omega, 1e-9 * omega);
}

TEST(Actuators, SuddenClosureMakesTheOilSwing) {
  // Moving at v when it shuts, the mass swings with A = v/ω, for small motions.
  HydraulicCylinder oil = cylinder();
  oil.close_at = 0;
  const double m = 300, V = 2 * (1e-4 + 2e-3 * 0.25), omega = std::sqrt(4 * 1.4e9 * 4e-6 / (V * m)), v = 0.01;
  const auto system = make_system(slider(m), {{"ram", oil, {}}});
  SimulationOptions chosen = options(4 * pi / omega, pi / omega / 8);
  chosen.integrator.method = Method::bdf;
  const Ran ran = run(*system, {.v = std::vector<double>{v}}, chosen);
  for (const auto& row : ran.rows.rows) EXPECT_NEAR(row[1], v / omega * std::sin(omega * row[0]), 2e-4 * v / omega);
}

TEST(Actuators, AnOpenValveMovesThePistonAtTheSpeedOfItsOrifices) {
  // No load, equal areas: p_A − p_B = 0, each edge takes half of the supply; Q = K·√(p_S/2), v = Q/A.
  HydraulicCylinder oil = cylinder();
  oil.opening = 0.02, oil.stroke = 10, oil.soft_pressure = 1, oil.leakage = 1e-11;  // which lets swings die out
  const auto system = make_system(slider(10), {{"ram", oil, {}}});
  const Ran ran = run(*system, {}, options(2, 0.5, Method::bdf));
  const double flow = 0.02 * 5e-4 / std::sqrt(35e5) * std::sqrt(100e5);
  EXPECT_NEAR(ran.rows.last("v.slide"), flow / 2e-3, 1e-6);
  EXPECT_NEAR(ran.rows.last("ram.pressure_a"), 100e5, 10);
}

TEST(Actuators, PressuresStartInBalanceWithTheLoad) {
  HydraulicCylinder oil = cylinder();
  oil.joint = "hinge", oil.lever = 0.2, oil.area_b = 1e-3;
  const auto system = make_system(pendulum(20), {{"ram", oil, {}}});
  const std::vector<double> y = system->start({.q = std::vector<double>{0.7}});
  std::vector<double> rate(4);
  ASSERT_TRUE(system->rate(0, y, rate));
  EXPECT_NEAR(rate[1], 0, 1e-10);
  EXPECT_NEAR(y[2] + y[3], 200e5, 1e-6);
  EXPECT_NEAR(2e-3 * y[2] - 1e-3 * y[3], 20 * 9.81 * std::sin(0.7) / 0.2, 1e-6);
}

TEST(Actuators, ACylinderBetweenTwoPointsFollowsTheirDistance) {
  // From a pin on the ground at (0.3, 0, 0) to one on the bob at (0, 0, −0.4): a triangle with the hinge.
  Model model("crane");
  model.add("bob", RigidBody{.mass = 5,
                             .com = {0, 0, -1},
                             .inertia = SymMat3<double>::diagonal(0.1, 0.1, 0.1),
                             .frames = {{"pin", to_pose({.xyz = {0, 0, -0.4}})}}});
  model.add("foot", ReferenceFrame{.frames = {{"pin", to_pose({.xyz = {0.3, 0, 0}})}}});
  model.connect({{"world", ""}, {"foot", ""}});
  model.add("hinge", Joint{.axis = y_axis}, "world", "bob");
  HydraulicCylinder oil = cylinder();
  oil.joint.clear(), oil.from = "foot.pin", oil.to = "bob.pin", oil.retracted_length = 0.2;
  const auto system = make_system(model, {{"ram", oil, {}}});
  std::vector<double> values(system->signals().size());
  for (const double q : {-1.0, 0.2, 0.9}) {
    const std::vector<double> y = system->start({.q = std::vector<double>{q}, .v = std::vector<double>{0.3}});
    ASSERT_TRUE(system->signal_values(0, y, values));
    const auto at = [&](std::string_view name) {
      for (std::size_t k = 0; k < values.size(); ++k) {
        if (system->signals()[k].name == name) return values[k];
      }
      return double(NAN);
    };
    // The pin is at 0.4·(−sin q, 0, −cos q); L² = 0.3² + 0.4² + 2·0.3·0.4·sin q.
    const double L = std::sqrt(0.25 + 0.24 * std::sin(q)), slope = 0.12 * std::cos(q) / L;
    EXPECT_NEAR(at("ram.stroke"), L - 0.2, 1e-13);
    EXPECT_NEAR(at("tau.hinge"), slope * at("ram.force"), 1e-9);
    EXPECT_NEAR(at("a.hinge"), 0, 1e-9);  // it starts in balance
  }
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
