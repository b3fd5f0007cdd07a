#include <articula/control/motor_torques.h>

#include <gtest/gtest.h>

#include <cmath>

#include <articula/articula.h>

namespace articula::test {
namespace {

constexpr double inertia = 2, gear = 50, stiffness = 800, damping = 40, rotor = 1e-3;

/// A wheel behind a damped spring.
Model wheel() {
  Model model("wheel");
  model.add("disk", RigidBody{.mass = 1, .inertia = SymMat3<double>::diagonal(1, 1, inertia)});
  model.add("hinge", Joint{.axis = z_axis}, "world", "disk");
  model.add("motor", Drive{.rotor_inertia = rotor, .gear = gear, .stiffness = stiffness, .damping = damping}, "hinge");
  return model;
}

/// A·sin(w·t).
struct Wave final : Trajectory {
  int size() const override { return 1; }
  void evaluate(double t, int order, std::span<double> x) const override {
    for (int k = 0; k <= order; ++k)
      x[static_cast<std::size_t>(k)] = A * std::pow(w, k) * std::sin(w * t + k * M_PI / 2);
  }
  static constexpr double A = 0.7, w = 6;
};

const std::vector<std::string> hinge{"hinge"};
const std::vector<double> rest{0};

/// With e = σ − q, D·ė + K·e = u = I·q̈, and e = 0 at the start:
///
///     e = a·sin(w·t) + b·(cos(w·t) − e^(−K·t/D)),   a = F·K/(K² + D²·w²),  b = −F·D·w/(K² + D²·w²),  F = −I·A·w²
TEST(MotorTorques, IntegrateAnglesBehindDampedSprings) {
  const Wave wave;
  MotorTorques motors(wheel(), {}, "wave", hinge, wave, hinge, rest);
  EXPECT_TRUE(motors.solver().has_damped_springs());
  EXPECT_EQ(motors.solver().order(), 3);
  const double w = Wave::w, F = -inertia * Wave::A * w * w, square = stiffness * stiffness + damping * damping * w * w;
  const double a = F * stiffness / square, b = -F * damping * w / square, k = stiffness / damping;
  for (const double t : {0.0, 0.05, 0.4, 1.7}) {
    const double e = a * std::sin(w * t) + b * (std::cos(w * t) - std::exp(-k * t));
    const double acceleration = -w * w * (a * std::sin(w * t) + b * std::cos(w * t)) - b * k * k * std::exp(-k * t);
    const double q = Wave::A * std::sin(w * t), u = F * std::sin(w * t);
    const auto& found = motors.at(t);
    EXPECT_NEAR(found.motor_position[0], gear * (q + e), 1e-7) << t;
    EXPECT_NEAR(found.spring_torque[0], u, 1e-12) << t;
    EXPECT_NEAR(found.motor_torque[0], rotor * gear * (-w * w * q + acceleration) + u / gear, 1e-7) << t;
  }
}

TEST(MotorTorques, BeginAnewWhereTimeGoesBack) {
  const Wave wave;
  MotorTorques motors(wheel(), {}, "wave", hinge, wave, hinge, rest);
  const double first = motors.at(0.4).motor_position[0];
  motors.at(1.7);
  EXPECT_EQ(motors.at(0.4).motor_position[0], first);
}

std::string refusal(const BuildOptions& options, const Trajectory& motion, const std::vector<std::string>& joints) {
  try {
    const MotorTorques motors(wheel(), options, "bend", joints, motion, hinge, rest);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

struct Bend final : Trajectory {
  int size() const override { return 1; }
  void evaluate(double, int, std::span<double>) const override {}
  int smoothness() const override { return 1; }
};

TEST(MotorTorques, RefuseWhatTheyCannotFollow) {
  EXPECT_EQ(
      refusal({}, Bend(), hinge),
      "trajectory \"bend\" has continuous derivatives up to order 1, but 2 are needed: the torques of motor depend "
      "on time derivatives up to order 3. Use a smoother one, e.g. filtered_step with order 3 or more, or harmonic.  "
      "[trajectory-not-smooth]");
  EXPECT_EQ(refusal({.drives = Drives::rigid}, Bend(), hinge), "");
  EXPECT_EQ(
      refusal({}, Wave(), {"elbow"}),
      "trajectory \"bend\" moves \"elbow\", which is no coordinate for torques of motors. Joints with a quaternion "
      "must be at rest. Coordinates: hinge.  [trajectory-joint]");
  EXPECT_EQ(refusal({.drives = Drives::locked}, Wave(), hinge),
            "ElasticInverseDynamics of \"wheel\": rotors of locked drives are at rest, so that their motors have no "
            "torques. Choose rigid or elastic drives.  [elastic-locked]");
}

}  // namespace
}  // namespace articula::test
