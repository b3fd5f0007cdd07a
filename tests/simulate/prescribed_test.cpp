#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include <articula/solve/forward_kinematics.h>

#include "simulate/runs.h"

namespace articula::test {
namespace {

using testing::HasSubstr;

constexpr double g = 9.81;

std::string error_of(const std::function<void()>& f) {
  try {
    f();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

std::vector<std::string> texts(const Findings& findings) {
  std::vector<std::string> all;
  for (const Finding& finding : findings) all.push_back(to_text(finding));
  return all;
}

SimulationOptions options(double until, double every, Method method = Method::rk45, double tolerance = 1e-10) {
  return {.integrator = {.method = method, .relative = tolerance, .absolute = tolerance, .step = 1e-4},
          .until = until,
          .output_every = every};
}

/// A cart of mass M on a horizontal slide along x, and a point mass m that swings below it on a rod of length l.
struct CartPendulum {
  double M = 2, m = 1, l = 0.7;
  double reflected = 0;  ///< inertia of a drive at the hinge

  Model model(bool prescribed) const {
    Model model("cart");
    model.add("cart", RigidBody{.mass = M});
    model.add("bob", RigidBody{.mass = m, .com = {0, 0, -l}});
    model.add("slide", Joint{.kind = JointKind::prismatic, .axis = x_axis, .prescribed = prescribed}, "world", "cart");
    model.add("hinge", Joint{.axis = y_axis}, "cart", "bob");
    if (reflected > 0) model.add("motor", Drive{.rotor_inertia = reflected / 100, .gear = 10}, "hinge");
    return model;
  }
  // The bob is at x − l·sin θ, −l·cos θ. Its angle and the force on the cart:  [Lagrange]
  //     (m·l² + J)·θ̈ = m·l·(ẍ·cos θ − g·sin θ),   F = (M + m)·ẍ − m·l·(θ̈·cos θ − θ̇²·sin θ)
  double turning(double theta, double a) const {
    return m * l * (a * std::cos(theta) - g * std::sin(theta)) / (m * l * l + reflected);
  }
  double force(double theta, double rate, double a) const {
    return (M + m) * a - m * l * (turning(theta, a) * std::cos(theta) - rate * rate * std::sin(theta));
  }
};

/// θ and θ̇ at t by many steps of the classical Runge-Kutta method on the scalar equation.
std::array<double, 2> swung(const CartPendulum& cart, const std::function<double(double)>& a, double theta, double t) {
  const int n = 20000;
  const double h = t / n;
  double x = theta, v = 0;
  for (int k = 0; k < n; ++k) {
    const double s = k * h;
    const double k1 = cart.turning(x, a(s));
    const double k2 = cart.turning(x + h / 2 * v, a(s + h / 2));
    const double k3 = cart.turning(x + h / 2 * (v + h / 2 * k1), a(s + h / 2));
    const double k4 = cart.turning(x + h * (v + h / 2 * k2), a(s + h));
    x += h * (v + h / 6 * (k1 + k2 + k3));
    v += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
  return {x, v};
}

TEST(Prescribed, APendulumOnACartThatShakesSwingsAsItsEquationSays) {
  const CartPendulum cart;
  const double A = 0.3, w = 4;
  const auto acceleration = [&](double t) { return -A * w * w * std::sin(w * t); };
  for (const Method method : {Method::rk45, Method::bdf, Method::adams, Method::dirk, Method::rk4}) {
    const BlockSite site(cart.model(true));
    System system(site, {{"shake", {"slide"}, std::make_shared<Wave>(1, A, w)}}, {});
    const Ran ran = run(system, {.q = std::vector<double>{0, 0.5}}, options(2, 0.5, method));
    ASSERT_EQ(ran.outcome.end, RunEnd::done);
    const auto q = ran.rows.column("q.hinge"), v = ran.rows.column("v.hinge");
    for (std::size_t k = 0; k < ran.rows.rows.size(); ++k) {
      const double t = ran.rows.rows[k][0];
      const auto [theta, rate] = swung(cart, acceleration, 0.5, t);
      EXPECT_NEAR(q[k], theta, 1e-7) << "t " << t;
      EXPECT_NEAR(v[k], rate, 1e-6);
      // What is prescribed is exact, whatever the integrator.
      EXPECT_EQ(ran.rows.column("q.slide")[k], A * std::sin(w * t));
      EXPECT_EQ(ran.rows.column("v.slide")[k], A * w * std::cos(w * t));
      EXPECT_NEAR(ran.rows.column("a.slide")[k], acceleration(t), 1e-12);
      EXPECT_NEAR(ran.rows.column("tau.slide")[k], cart.force(q[k], v[k], acceleration(t)), 1e-9);
    }
  }
}

TEST(Prescribed, InertiasOfDrivesAreMovedToo) {
  // By the mass matrix instead of the recursion.
  const CartPendulum cart{.reflected = 0.3};
  const double A = 0.3, w = 4;
  const auto acceleration = [&](double t) { return -A * w * w * std::sin(w * t); };
  for (const Method method : {Method::rk45, Method::bdf}) {
    const BlockSite site(cart.model(true));
    System system(site, {{"shake", {"slide"}, std::make_shared<Wave>(1, A, w)}}, {});
    const Ran ran = run(system, {.q = std::vector<double>{0, 0.5}}, options(2, 1, method));
    const double theta = ran.rows.last("q.hinge"), rate = ran.rows.last("v.hinge");
    EXPECT_NEAR(theta, swung(cart, acceleration, 0.5, 2)[0], 1e-7);
    EXPECT_NEAR(ran.rows.last("tau.slide"), cart.force(theta, rate, acceleration(2)), 1e-9);
  }
}

TEST(Prescribed, AnyJointCanBePrescribedByNameAndItsForceMovesItThere) {
  // The force that prescribed motion needs, put on the free cart, moves it just so.
  const CartPendulum cart;
  const double A = 0.2, w = 3;
  SystemOptions prescribe;
  prescribe.prescribe = {"shake"};
  const BlockSite site(cart.model(false), prescribe);
  System system(site, {{"shake", {"slide"}, std::make_shared<Wave>(1, A, w)}}, {});
  const Ran ran = run(system, {.q = std::vector<double>{0, 0.4}}, options(1, 1e-3));

  struct Force : Trajectory {
    std::vector<double> values;
    int size() const override { return 1; }
    void evaluate(double t, int, std::span<double> x) const override {
      // Cubic through four neighbours.
      const double s = t * 1000;
      const auto k = static_cast<std::size_t>(std::clamp(std::floor(s), 1.0, static_cast<double>(values.size()) - 3));
      const double u = s - static_cast<double>(k);
      const double a = values[k - 1], b = values[k], c = values[k + 1], d = values[k + 2];
      x[0] = -u * (u - 1) * (u - 2) / 6 * a + (u + 1) * (u - 1) * (u - 2) / 2 * b - (u + 1) * u * (u - 2) / 2 * c +
             (u + 1) * u * (u - 1) / 6 * d;
    }
  };
  auto force = std::make_shared<Force>();
  force->values = ran.rows.column("tau.slide");
  const BlockSite free(cart.model(false));
  const std::vector<BlockSpec> specs{
      {"push", PrescribedTorque{.form = Form::translational, .joints = {"slide"}, .reference = "force"}, {}}};
  System driven(free, {{"force", {"slide"}, force}}, make_blocks(specs, free));
  const Ran again = run(driven, {.q = std::vector<double>{0, 0.4}, .v = std::vector<double>{A * w, 0}}, options(1, 1));
  EXPECT_NEAR(again.rows.last("q.slide"), A * std::sin(w), 1e-8);
  EXPECT_NEAR(again.rows.last("q.hinge"), ran.rows.last("q.hinge"), 1e-8);
}

/// A reference frame that moves, with a slide along its x that carries a mass.
Model turntable(double mass) {
  Model model("turntable");
  model.environment.gravity = UniformGravity{{0, 0, 0}};
  model.add("table", ReferenceFrame{.motion = FrameMotion::prescribed});
  model.add("bead", RigidBody{.mass = mass});
  model.add("rail", Joint{.kind = JointKind::prismatic, .axis = x_axis}, "table", "bead");
  return model;
}

/// Angle = speed·t.
class Steady : public Trajectory {
 public:
  explicit Steady(double speed) : speed_(speed) {}
  int size() const override { return 1; }
  void evaluate(double t, int order, std::span<double> x) const override {
    for (int k = 0; k <= order; ++k) x[static_cast<std::size_t>(k)] = k == 0 ? speed_ * t : k == 1 ? speed_ : 0;
  }

 private:
  double speed_;
};

TEST(Prescribed, ABeadOnATurningTableMovesOutwardAsCosh) {
  // r̈ = ω²·r;  the torque that keeps the table at ω is 2·m·ω·r·ṙ.
  const double w = 1.5, m = 0.8, r0 = 0.1;
  for (const Method method : {Method::rk45, Method::bdf}) {
    const BlockSite site(turntable(m));
    System system(site, {{"turn", {"table.yaw"}, std::make_shared<Steady>(w)}}, {});
    std::vector<double> q = system.start();
    q.resize(system.q_names().size());
    q.back() = r0;
    const Ran ran = run(system, {.q = q}, options(1.5, 0.25, method));
    for (std::size_t k = 0; k < ran.rows.rows.size(); ++k) {
      const double t = ran.rows.rows[k][0], r = r0 * std::cosh(w * t), rate = r0 * w * std::sinh(w * t);
      EXPECT_NEAR(ran.rows.column("q.rail")[k], r, 1e-7);
      EXPECT_NEAR(ran.rows.column("tau.table.wz")[k], 2 * m * w * r * rate, 1e-7);
    }
  }
}

TEST(Prescribed, PoseVelocityAndAccelerationBelongTogether) {
  // Against differences of the poses themselves.
  Model model("ship");
  model.add("deck", RigidBody{.mass = 1, .inertia = SymMat3<double>::diagonal(1, 1, 1)});
  model.add("sea", Joint{.kind = JointKind::free, .prescribed = true}, "world", "deck");
  const BlockSite site(model);
  class Waves : public Trajectory {
   public:
    int size() const override { return 6; }
    void evaluate(double t, int order, std::span<double> x) const override {
      for (int i = 0; i < 6; ++i) {
        const double w = 0.7 + 0.3 * i, a = 0.2 + 0.1 * i;
        double factor = a;
        for (int k = 0; k <= order; ++k) {
          const double phase = w * t + 0.4 * i;
          x[static_cast<std::size_t>(k * 6 + i)] = factor * (k % 4 == 0   ? std::sin(phase)
                                                             : k % 4 == 1 ? std::cos(phase)
                                                                          : -std::sin(phase));
          factor *= w;
        }
      }
    }
  };
  System system(site,
                {{"waves", {"sea.x", "sea.y", "sea.z", "sea.roll", "sea.pitch", "sea.yaw"}, std::make_shared<Waves>()}},
                {});
  std::vector<double> values(system.signals().size());
  const std::vector<double> y = system.start();
  const auto at = [&](double t) {
    EXPECT_TRUE(system.signal_values(t, y, values));
    return std::vector<double>(values.begin(), values.begin() + 19);  // q 7, v 6, a 6
  };
  const double h = 1e-5;
  for (const double t : {0.0, 0.9, 2.3}) {
    const std::vector<double> now = at(t), before = at(t - h), after = at(t + h);
    std::array<double, 7> rate{};
    Free::qdot(now.data(), now.data() + 7, rate.data());
    for (std::size_t k = 0; k < 7; ++k) EXPECT_NEAR((after[k] - before[k]) / (2 * h), rate[k], 1e-9) << k;
    for (std::size_t k = 0; k < 6; ++k) {
      EXPECT_NEAR((after[7 + k] - before[7 + k]) / (2 * h), now[13 + k], 1e-8) << k;
    }
  }
}

TEST(Prescribed, AVelocityThatJumpsIsRefusedWithItsTime) {
  // 0.5·|t − 1.25|: a corner.
  struct Corner : Trajectory {
    int size() const override { return 1; }
    void evaluate(double t, int order, std::span<double> x) const override {
      const double side = t < 1.25 ? -0.5 : 0.5;
      for (int k = 0; k <= order; ++k) x[static_cast<std::size_t>(k)] = k == 0 ? side * (t - 1.25) : k == 1 ? side : 0;
    }
    std::vector<double> breaks(double) const override { return {1.25}; }
    int smoothness() const override { return 0; }
  };
  const BlockSite site(CartPendulum{}.model(true));
  System system(site, {{"corner", {"slide"}, std::make_shared<Corner>()}}, {});
  EXPECT_EQ(
      error_of([&] { Simulation(system, options(2, 0.1)); }),
      "trajectory \"corner\" prescribes \"slide\", whose velocity jumps from -0.5 to 0.5 at t = 1.25 s. That takes "
      "an infinite force. Use a trajectory with continuous velocity, e.g. quintic or trapezoidal, or drive the "
      "joint by a pd block.  [prescribed-not-smooth]");
  Simulation before(system, options(1, 0.1));  // the corner is later
}

TEST(Prescribed, SaysWhatIsMissingAmbiguousOrIdle) {
  const Model model = CartPendulum{}.model(true);
  const BlockSite site(model);
  EXPECT_EQ(
      error_of([&] { System(site, {}, {}); }),
      "joint \"slide\" of \"cart\" is prescribed, and no trajectory moves it. Give the study a trajectory of this "
      "joint, or take `prescribed` away.  [prescribed-without-motion]");
  const auto wave = std::make_shared<Wave>(1, 0.1, 1);
  EXPECT_EQ(error_of([&] {
              System(site, {{"one", {"slide"}, wave}, {"two", {"slide"}, wave}}, {});
            }),
            "joint \"slide\" is prescribed, and several trajectories move it: one, two. Say which: `prescribe: one`.  "
            "[prescribed-twice]");
  SystemOptions unknown;
  unknown.prescribe = {"wav"};
  EXPECT_THAT(error_of([&] {
                System(model, {{"wave", {"slide"}, wave}}, {}, unknown);
              }),
              HasSubstr("prescribe: there is no trajectory \"wav\". Did you mean \"wave\"?"));
  SystemOptions chosen;
  chosen.prescribe = {"two"};
  System fine(model, {{"one", {"slide"}, wave}, {"two", {"slide"}, std::make_shared<Wave>(1, 0.1, 1, 0.5)}}, {},
              chosen);
  EXPECT_NEAR(fine.start()[0], 0.1 * std::sin(0.5), 1e-15);

  const std::vector<BlockSpec> specs{
      {"push", PrescribedTorque{.form = Form::translational, .joints = {"slide"}, .value = {1}}, {}}};
  System pushed(site, {{"wave", {"slide"}, wave}}, make_blocks(specs, site));
  EXPECT_THAT(texts(pushed.findings()),
              testing::ElementsAre("block \"push\" acts on \"slide\", which is prescribed: it moves as its "
                                   "trajectory says, whatever the block gives. The force that this takes is "
                                   "\"tau.slide\".  [block-on-prescribed]"));
  pushed.start({.q = std::vector<double>{0.5, 0}});
  EXPECT_THAT(texts(pushed.findings()),
              testing::Contains("start: q.slide is 0.5, but it is prescribed and its trajectory is at 0 at t = 0 "
                                "s. The trajectory counts.  [start-of-prescribed]"));
}

TEST(Prescribed, TheJacobianIsThatOfTheRates) {
  const BlockSite site(CartPendulum{}.model(true));
  System system(site, {{"shake", {"slide"}, std::make_shared<Wave>(1, 0.3, 4)}}, {});
  const std::vector<double> y{0.1, 0.6, 0.2, -0.9};
  std::vector<double> J(16), plus(4), minus(4);
  ASSERT_TRUE(system.jacobian(0.3, y, J));
  for (std::size_t k = 0; k < 4; ++k) {
    std::vector<double> moved = y;
    moved[k] += 1e-6;
    ASSERT_TRUE(system.rate(0.3, moved, plus));
    moved[k] -= 2e-6;
    ASSERT_TRUE(system.rate(0.3, moved, minus));
    for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(J[i * 4 + k], (plus[i] - minus[i]) / 2e-6, 1e-7) << i << " " << k;
  }
}

TEST(Prescribed, ContactsAreRefusedUnlessIgnored) {
  const Model quadruped = load(std::string(ARTICULA_SOURCE_DIR) + "/models/quadruped.yaml");
  EXPECT_EQ(
      error_of([&] { System(quadruped, {}, {}); }),
      "\"quadruped\" has 4 contacts: lf_foot, rf_foot, lh_foot, rh_foot. This version does not compute contact "
      "forces: the mechanism would fall through its ground. Write `ignore: [contacts]` to run it without them, or "
      "take them away from the model.  [contact-not-computed]");
  SystemOptions ignore;
  ignore.ignore_contacts = true;
  System system(quadruped, {}, {}, ignore);
  EXPECT_THAT(texts(system.findings()),
              testing::Contains("\"quadruped\" has 4 contacts: lf_foot, rf_foot, lh_foot, rh_foot. They are "
                                "ignored, as asked: nothing holds the mechanism up there.  [contact-ignored]"));
}

/// in = ratio·out + offset: the motor moves as told whichever side of the gear it is on, the load follows, and the motor
/// feels the load's inertia through the gear, tau = (J + J_load/ratio²)·a.
TEST(Prescribed, AMotorTurnsItsLoadThroughAGear) {
  constexpr double J = 0.2, J_load = 3, ratio = 5, offset = 0.4, A = 0.3, w = 2;
  for (const bool motor_is_input : {true, false}) {
    Model model("geared");
    for (const auto& [name, inertia] : {std::pair("rotor", J), {"disc", J_load}})
      model.add(name, RigidBody{.mass = 1, .inertia = SymMat3<double>::diagonal(inertia, inertia, inertia)});
    model.add("motor", Joint{.prescribed = true}, "world", "rotor").add("load", Joint{}, "world", "disc");
    if (motor_is_input) {
      model.add("gear", Gear{.ratio = {{ratio}}, .offset = {offset}}, "motor", "load");
    } else {
      model.add("gear", Gear{.ratio = {{1 / ratio}}, .offset = {-offset / ratio}}, "load", "motor");
    }
    const BlockSite site(model);
    ASSERT_EQ(site.dofs().size(), 1U);
    EXPECT_EQ(site.dofs()[0].name, "motor");
    System system(site, {{"turn", {"motor"}, std::make_shared<Wave>(1, A, w)}}, {});
    const Ran ran = run(system, {}, options(2, 0.25));
    ASSERT_EQ(ran.outcome.end, RunEnd::done);
    const auto t = ran.rows.column("t"), motor = ran.rows.column("q.motor"), load = ran.rows.column("q.load"),
               tau = ran.rows.column("tau.motor");
    for (std::size_t k = 0; k < t.size(); ++k) {
      const double angle = A * std::sin(w * t[k]);
      EXPECT_NEAR(motor[k], angle, 1e-12);
      EXPECT_NEAR(load[k], (angle - offset) / ratio, 1e-12);
      EXPECT_NEAR(tau[k], (J + J_load / (ratio * ratio)) * -w * w * angle, 1e-12);
    }
  }
}

}  // namespace
}  // namespace articula::test
