// The hydraulic cylinder against closed forms: its oil springs, its valve, its end stops and its cavities.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
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

/// A cylinder in the middle of its stroke, both chambers alike.
HydraulicCylinder cylinder() {
  HydraulicCylinder oil;
  oil.joint = "slide", oil.x_0 = 0.25, oil.stroke = 0.5, oil.area_a = oil.area_b = 2e-3;
  oil.dead_volume_a = oil.dead_volume_b = 1e-4, oil.supply_pressure = 200e5, oil.nominal_flow = 5e-4;
  return oil;
}

TEST(HydraulicCylinder, AClosedValveLeavesAnOilSpring) {
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

TEST(HydraulicCylinder, BothSidesOfADifferentialPistonAreOilSprings) {
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

TEST(HydraulicCylinder, SuddenClosureMakesTheOilSwing) {
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

TEST(HydraulicCylinder, AnOpenValveMovesThePistonAtTheSpeedOfItsOrifices) {
  // No load, equal areas: p_A − p_B = 0, each edge takes half of the supply; Q = K·√(p_S/2), v = Q/A.
  HydraulicCylinder oil = cylinder();
  oil.opening = 0.02, oil.stroke = 10, oil.soft_pressure = 1, oil.leakage = 1e-11;  // which lets swings die out
  const auto system = make_system(slider(10), {{"ram", oil, {}}});
  const Ran ran = run(*system, {}, options(2, 0.5, Method::bdf));
  const double flow = 0.02 * 5e-4 / std::sqrt(35e5) * std::sqrt(100e5);
  EXPECT_NEAR(ran.rows.last("v.slide"), flow / 2e-3, 1e-6);
  EXPECT_NEAR(ran.rows.last("ram.pressure_a"), 100e5, 10);
}

TEST(HydraulicCylinder, PressuresStartInBalanceWithTheLoad) {
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

TEST(HydraulicCylinder, ACylinderBetweenTwoPointsFollowsTheirDistance) {
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

/// A cylinder whose chambers are so large that their pressures stay: what acts is its stop.
HydraulicCylinder stop_alone() {
  HydraulicCylinder oil = cylinder();
  oil.dead_volume_a = oil.dead_volume_b = 1e9, oil.pressure_a = oil.pressure_b = 0.0;
  oil.x_0 = 0.4;
  return oil;
}

TEST(HydraulicCylinder, AStopThrowsThePistonBackAsADampedOscillatorDoes) {
  // In contact d'' + 2·σ·d' + ω²·d = 0 from d = 0, d' = v, until the push k·d + c·d' = −m·d'' is zero:
  // tan(ω_d·τ) = −2·σ·ω_d/(ω² − 2·σ²).
  const double m = 40, k = 4e5, omega = 100, v = 2;
  for (const double zeta : {0.0, 0.2}) {
    const double sigma = zeta * omega, omega_d = std::sqrt(omega * omega - sigma * sigma);
    HydraulicCylinder oil = stop_alone();
    oil.stop_stiffness = k, oil.stop_damping = 2 * sigma * m;
    const double met = 0.1 / v;
    const double tau = (pi - std::atan2(2 * sigma * omega_d, omega * omega - 2 * sigma * sigma)) / omega_d;
    const auto d = [&](double s) { return v / omega_d * std::exp(-sigma * s) * std::sin(omega_d * s); };
    const auto d_rate = [&](double s) {
      return v * std::exp(-sigma * s) * (std::cos(omega_d * s) - sigma / omega_d * std::sin(omega_d * s));
    };
    for (const Method method : {Method::rk45, Method::bdf, Method::dirk}) {
      const auto system = make_system(slider(m), {{"ram", oil, {}}});
      const Ran ran = run(*system, {.v = std::vector<double>{v}}, options(0.12, 0.001, method));
      // It meets the end and its stop at once; the stop lets go, and then the piston passes the end.
      EXPECT_EQ(ran.outcome.events, 4) << zeta;
      for (const auto& row : ran.rows.rows) {
        const double s = row[0] - met;
        const double x = s < 0 ? v * s : s < tau ? d(s) : d(tau) + d_rate(tau) * (s - tau);
        EXPECT_NEAR(row[ran.rows.place("ram.stroke")], 0.5 + x, 1e-7) << s;
        const double push = s < 0 || s > tau ? 0 : k * d(s) + 2 * sigma * m * d_rate(s);
        if (std::abs(s) > 1e-9) {
          EXPECT_NEAR(row[ran.rows.place("ram.stop_force")], -push, 1e-2) << s;
        }
      }
      EXPECT_NEAR(ran.rows.last("v.slide"), d_rate(tau), 1e-6);  // < v: the damper took the rest
    }
  }
}

TEST(HydraulicCylinder, AnOpenValvePressesThePistonAgainstItsStop) {
  // By default a stop yields by a thousandth of the stroke under the supply pressure.
  for (const double side : {1.0, -1.0}) {
    HydraulicCylinder oil = cylinder();
    oil.opening = side, oil.damping = 1e3;
    const auto system = make_system(slider(100), {{"ram", oil, {}}});
    const Ran ran = run(*system, {}, options(20, 0.01, Method::bdf));
    ASSERT_EQ(ran.outcome.end, RunEnd::done) << ran.outcome.what;
    const double supply = 200e5, F = supply * 2e-3;
    EXPECT_NEAR(ran.rows.last(side > 0 ? "ram.pressure_a" : "ram.pressure_b"), supply, 2e3);
    EXPECT_NEAR(ran.rows.last("ram.stop_force"), -side * F, 10);
    EXPECT_NEAR(ran.rows.last("ram.stroke"), side > 0 ? 0.5 + 0.5e-3 : -0.5e-3, 1e-6);
    EXPECT_NEAR(ran.rows.last("ram.force"), 0, 1e-3);
    for (const double x : ran.rows.column("ram.stroke")) {
      EXPECT_GT(x, -0.005);
      EXPECT_LT(x, 0.505);
    }
  }
}

/// Both chambers shut. A begins just full at its vapour pressure, B is so large that its pressure stays.
HydraulicCylinder cavity(double p_b = 1e5) {
  HydraulicCylinder oil = cylinder();
  oil.x_0 = 0.1, oil.dead_volume_b = 1e9, oil.pressure_b = p_b;
  oil.vapour_pressure = 3e3, oil.pressure_a = 3e3 - 101325.0;
  return oil;
}

TEST(HydraulicCylinder, APistonFliesFreelyOverACavity) {
  // A constant force, A·(p_v − p_B): a parabola until the cavity, A·(x − x_0), is closed at the time −2·v/a.
  const double m = 5, v = 3, a = 2e-3 * (3e3 - 101325.0 - 1e5) / m, back = -2 * v / a;
  for (const Method method : {Method::rk45, Method::bdf, Method::dirk, Method::rk4}) {
    SimulationOptions chosen = options(back, back / 50, method);
    if (method == Method::rk4) chosen.integrator.step = 1e-3;
    const auto system = make_system(slider(m), {{"ram", cavity(), {}}});
    const Ran ran = run(*system, {.v = std::vector<double>{v}}, chosen);
    ASSERT_EQ(ran.outcome.end, RunEnd::done) << ran.outcome.what;
    for (const auto& row : ran.rows.rows) {
      const double t = row[0], x = v * t + a * t * t / 2;
      EXPECT_NEAR(row[1], x, 1e-7);
      EXPECT_NEAR(row[ran.rows.place("ram.vapour_a")], 2e-3 * x, 1e-9);
      EXPECT_NEAR(row[ran.rows.place("ram.pressure_a")], 3e3 - 101325.0, 2e3);
    }
    EXPECT_NEAR(ran.rows.last("v.slide"), -v, 1e-6);
  }
}

TEST(HydraulicCylinder, ACavityCollapsesWithoutLossOfOilOrEnergy) {
  // After the flight the oil is a spring that throws the piston back: each flight is as high as the first.
  const double m = 5, v = 3, a = 2e-3 * (3e3 - 101325.0 - 1e5) / m;
  for (const Method method : {Method::rk45, Method::bdf}) {
    const auto system = make_system(slider(m), {{"ram", cavity(), {}}});
    const Ran ran = run(*system, {.v = std::vector<double>{v}}, options(-7 * v / a, 1e-5, method));
    const double p_v = 3e3 - 101325.0, V_0 = 1e-4 + 2e-3 * 0.1;
    std::vector<double> tops;
    double top = 0;
    for (const auto& row : ran.rows.rows) {
      const double V = 1e-4 + 2e-3 * (0.1 + row[1]), s = row[ran.rows.place("ram.oil_a")];
      EXPECT_NEAR(V * std::exp((s - p_v) / 1.4e9), V_0, 1e-7 * V_0);
      EXPECT_GE(row[ran.rows.place("ram.pressure_a")], p_v);
      if (row[1] > 0) {
        top = std::max(top, row[1]);
      } else if (top > 0.01) {
        tops.push_back(top), top = 0;
      }
    }
    ASSERT_GE(tops.size(), 3u);
    for (const double each : tops) EXPECT_NEAR(each, -v * v / (2 * a), 1e-4 * each);
    EXPECT_GE(ran.outcome.events, 6);
  }
}

TEST(HydraulicCylinder, OilThatLeaksLeavesOneChamberAndEntersTheOther) {
  HydraulicCylinder oil = cylinder();
  oil.leakage = 1e-11, oil.damping = 2e3, oil.pressure_a = 3e6, oil.pressure_b = 4e6;
  const auto system = make_system(slider(200), {{"ram", oil, {}}});
  const Ran ran = run(*system, {.v = std::vector<double>{3}}, options(1, 0.002, Method::bdf));
  const double p_v = -101325;
  double first = 0, most_vapour = 0;
  for (const auto& row : ran.rows.rows) {
    const double x = std::clamp(row[1] + 0.25, 0.0, 0.5);
    const double oil_a = (1e-4 + 2e-3 * x) * std::exp((row[ran.rows.place("ram.oil_a")] - p_v) / 1.4e9);
    const double oil_b = (1e-4 + 2e-3 * (0.5 - x)) * std::exp((row[ran.rows.place("ram.oil_b")] - p_v) / 1.4e9);
    if (first == 0) first = oil_a + oil_b;
    EXPECT_NEAR(oil_a + oil_b, first, 1e-8 * first);
    most_vapour = std::max(most_vapour, row[ran.rows.place("ram.vapour_a")]);
  }
  EXPECT_GT(most_vapour, 1e-7);  // it did cavitate
  EXPECT_EQ(ran.rows.last("ram.vapour_a"), 0);
}

TEST(HydraulicCylinder, ItsJacobianIsThatOfItsRates) {
  // In the liquid, with a cavity on each side, and in both stops.
  HydraulicCylinder oil = cylinder();
  oil.leakage = 1e-11, oil.opening = 0.3, oil.damping = 50;
  const auto system = make_system(slider(100), {{"ram", oil, {}}});
  for (const std::vector<double>& y : {std::vector<double>{0.1, 0.4, 5e6, 9e6},
                                       {0.1, 0.4, -3e6, 9e6},
                                       {-0.1, -0.4, 5e6, -8e7},
                                       {0.2501, 0.1, 5e6, 9e6},
                                       {-0.2502, -0.1, 5e6, -9e6}}) {
    std::vector<double> J(16), up(4), down(4);
    ASSERT_TRUE(system->jacobian(0, y, J));
    for (std::size_t k = 0; k < 4; ++k) {
      const double h = k < 2 ? 1e-6 : 10;
      std::vector<double> moved = y;
      moved[k] = y[k] + h;
      ASSERT_TRUE(system->rate(0, moved, up));
      moved[k] = y[k] - h;
      ASSERT_TRUE(system->rate(0, moved, down));
      for (std::size_t i = 0; i < 4; ++i) {
        const double difference = (up[i] - down[i]) / (2 * h);
        EXPECT_NEAR(J[i * 4 + k], difference, 1e-5 * (std::abs(difference) + (i < 2 ? 1e-6 : 1))) << i << " " << k;
      }
    }
  }
}

TEST(HydraulicCylinder, ARunWithStopsAndCavitiesIsResumedBitByBit) {
  HydraulicCylinder oil = cylinder();
  oil.leakage = 1e-11, oil.damping = 500, oil.pressure_a = 3e6, oil.pressure_b = 4e6;
  for (const Method method : {Method::rk45, Method::bdf, Method::rk4}) {
    SimulationOptions chosen = options(0.3, 0.007, method);
    chosen.integrator.relative = chosen.integrator.absolute = 1e-6, chosen.checkpoint_every = 0.05;
    if (method == Method::rk4) chosen.integrator.step = 1e-4;
    const auto system = make_system(slider(200), {{"ram", oil, {}}});
    const Ran whole = run(*system, {.v = std::vector<double>{9}}, chosen);
    ASSERT_EQ(whole.outcome.end, RunEnd::done) << whole.outcome.what;
    EXPECT_GT(whole.outcome.events, 5);
    ASSERT_GE(whole.rows.checkpoints.size(), 5u);
    for (const KeptRows::Kept& from : whole.rows.checkpoints) {
      const auto again = make_system(slider(200), {{"ram", oil, {}}});
      KeptRows rest;
      Simulation(*again, chosen).resume(from.bytes, rest);
      ASSERT_EQ(from.rows + rest.rows.size(), whole.rows.rows.size());
      for (std::size_t k = 0; k < rest.rows.size(); ++k) {
        const auto &a = rest.rows[k], &b = whole.rows.rows[from.rows + k];
        ASSERT_EQ(std::memcmp(a.data(), b.data(), a.size() * sizeof(double)), 0) << k;
      }
    }
  }
}

TEST(HydraulicCylinder, SaysWhatIsWrongWithItsStartAndItsNumbers) {
  const auto error_of = [](const HydraulicCylinder& oil, double q) {
    try {
      make_system(slider(1), {{"ram", oil, {}}})->start({.q = std::vector<double>{q}});
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  EXPECT_EQ(error_of(cylinder(), 0.3),
            "block \"ram\": its piston starts at 0.55 m, outside of its stroke, 0 to 0.5 m. Start inside it, or change "
            "stroke, x_0 or retracted_length.  [block-start]");
  EXPECT_EQ(error_of(cylinder(), -0.25), "no error");
  HydraulicCylinder oil = cylinder();
  oil.pressure_a = -2e5;
  EXPECT_EQ(error_of(oil, 0),
            "block \"ram\": pressure_a is -2e+05 Pa relative to ambient, -98675 Pa absolute. It must be at least "
            "vapour_pressure, 0 Pa absolute.  [block-value]");
  oil = cylinder(), oil.stop_stiffness = 0;
  EXPECT_EQ(error_of(oil, 0), "block \"ram\": stop_stiffness is 0. It must be greater than 0.  [block-value]");
}

TEST(HydraulicCylinder, NamesItsEvents) {
  const auto system = make_system(slider(1), {{"ram", cylinder(), {}}});
  std::vector<std::string> names;
  for (int k = 0; k < system->event_count(); ++k) names.push_back(system->event_name(k));
  EXPECT_THAT(names, testing::ElementsAre(
                         "block \"ram\": the piston passes its retracted end, 0 m",
                         "block \"ram\": the stop begins or ceases to push at the retracted end, 0 m",
                         "block \"ram\": the piston passes its extended end, 0.5 m",
                         "block \"ram\": the stop begins or ceases to push at the extended end, 0.5 m",
                         "block \"ram\": chamber A begins or ceases to cavitate, at -101325 Pa relative to ambient",
                         "block \"ram\": chamber B begins or ceases to cavitate, at -101325 Pa relative to ambient"));
}

}  // namespace
}  // namespace articula::test
