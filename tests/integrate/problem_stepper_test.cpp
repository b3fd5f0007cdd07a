// Problems with jumps and modes against closed forms; any times between steps.

#include <articula/integrate/problem_stepper.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>
#include <vector>

#include <integrate/problems.h>

namespace articula::test {
namespace {

IntegratorOptions options_of(Method method, double tolerance) {
  IntegratorOptions options = with_tolerance(method, tolerance);
  if (method == Method::rk4) options.step = 1e-3;
  if (method == Method::semi_implicit) options.step = 1e-5;
  return options;
}

std::vector<Method> all_methods() {
  std::vector<Method> all;
  for (std::size_t k = 0; k < method_names.size(); ++k) all.push_back(static_cast<Method>(k));
  return all;
}

bool same_bits(std::span<const double> a, std::span<const double> b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

/// A ball whose velocity changes sign at the ground, times −e.
class Bouncing : public Ball {
 public:
  static constexpr double e = 2.0 / 3;
  std::vector<double> bounces;
  long last = 1000;  ///< the bounce that ends the integration

  EventDirection event_direction(int) const override { return EventDirection::falling; }
  bool on_event(int, double t, std::span<double> y) override {
    bounces.push_back(t);
    y[1] *= -e;
    return static_cast<long>(bounces.size()) == last;
  }

  /// t_k = √(2/g)·(1 + 2·Σ e^j), j = 1 … k
  static double time(std::size_t k) {
    const double fall = std::sqrt(2 / gravity);
    double t = fall, flight = 2 * fall;
    for (std::size_t j = 0; j < k; ++j) t += flight *= e;
    return t;
  }
};

TEST(ProblemStepper, VelocitiesJumpAtTheTimesOfTheClosedForm) {
  for (const Method method : all_methods()) {
    Bouncing ball;
    ProblemStepper stepper(ball, options_of(method, 1e-10));
    stepper.start(0, ball.start());
    ASSERT_EQ(stepper.advance(2, 2), ProblemStepper::Reached::time) << name_of(method);
    const bool is_first_order = method == Method::semi_implicit;
    ASSERT_EQ(ball.bounces.size(), 5u) << name_of(method);
    for (std::size_t k = 0; k < ball.bounces.size(); ++k) {
      EXPECT_NEAR(ball.bounces[k], Bouncing::time(k), is_first_order ? 2e-4 : 1e-7) << name_of(method) << k;
    }
    // In flight after the fifth bounce, which it leaves with √(2g)·e⁵.
    const double s = 2 - Bouncing::time(4), speed = std::sqrt(2 * Ball::gravity) * std::pow(Bouncing::e, 5);
    EXPECT_NEAR(stepper.y()[0], speed * s - Ball::gravity * s * s / 2, is_first_order ? 1e-3 : 1e-6) << name_of(method);
    EXPECT_NEAR(stepper.y()[1], speed - Ball::gravity * s, is_first_order ? 1e-2 : 1e-6) << name_of(method);
  }
}

TEST(ProblemStepper, AnEventMayEndItAndItContinuesFromThere) {
  Bouncing ball;
  ball.last = 2;
  ProblemStepper stepper(ball, options_of(Method::rk45, 1e-10));
  stepper.start(0, ball.start());
  EXPECT_EQ(stepper.advance(2, 5), ProblemStepper::Reached::event);
  EXPECT_NEAR(stepper.t(), Bouncing::time(1), 1e-10);
  EXPECT_GT(stepper.y()[1], 0);  // it has bounced
  EXPECT_EQ(stepper.advance(2, 5), ProblemStepper::Reached::time);
  EXPECT_EQ(stepper.t(), 2);
  EXPECT_EQ(ball.bounces.size(), 5u);
}

/// A room that cools to 0 and is heated to 3: the heater is on below 1, off above 2, and between them as it was.
///
///     y' = 3·mode − y;   from 1 to 2 and back it takes log 2 each
class Heated : public CountingProblem {
 public:
  int size() const override { return 1; }
  std::vector<double> start() const override { return {0.5}; }
  int event_count() const override { return 1; }
  void event_values(double, std::span<const double> y, std::span<double> g) override {
    g[0] = mode_ != 0 ? 2 - y[0] : y[0] - 1;
  }
  EventDirection event_direction(int) const override { return EventDirection::falling; }
  bool on_event(int, double t, std::span<double>) override {
    mode_ = 1 - mode_;
    switches.push_back(t);
    return false;
  }
  std::span<const double> modes() const override { return {&mode_, 1}; }
  void set_modes(std::span<const double> modes) override { mode_ = modes[0]; }
  void make_consistent(double, std::span<double> y) override { mode_ = y[0] < 1 ? 1 : y[0] > 2 ? 0 : mode_; }
  std::vector<double> switches;

 protected:
  bool f(double, std::span<const double> y, std::span<double> ydot) override {
    ydot[0] = 3 * mode_ - y[0];
    return true;
  }

 private:
  double mode_ = 0;
};

TEST(ProblemStepper, ModesSwitchTheRateAtTheTimesOfTheClosedForm) {
  for (const Method method : all_methods()) {
    if (method == Method::semi_implicit) continue;
    Heated room;
    ProblemStepper stepper(room, options_of(method, 1e-10));
    stepper.start(0, room.start());
    EXPECT_EQ(room.modes()[0], 1) << "it starts cold";
    ASSERT_EQ(stepper.advance(6, 6), ProblemStepper::Reached::time);
    // From 0.5 to 2: log 2.5.
    ASSERT_EQ(room.switches.size(), 8u) << name_of(method);
    for (std::size_t k = 0; k < room.switches.size(); ++k) {
      EXPECT_NEAR(room.switches[k], std::log(2.5) + static_cast<double>(k) * std::log(2.0), 1e-7) << name_of(method);
    }
  }
}

TEST(ProblemStepper, ResumesBitByBitWithItsModes) {
  for (const Method method : all_methods()) {
    Heated room;
    ProblemStepper stepper(room, options_of(method, 1e-7));
    stepper.start(0, room.start());
    stepper.advance(2, 6);
    stepper.restart();
    const std::vector<double> y(stepper.y().begin(), stepper.y().end());
    Heated other;
    ProblemStepper resumed(other, options_of(method, 1e-7));
    resumed.resume(stepper.t(), y, room.modes(), stepper.integrator().memory());
    for (const double t : {2.0, 3.3, 6.0}) {
      stepper.advance(t, 6), resumed.advance(t, 6);
      EXPECT_TRUE(same_bits(stepper.y(), resumed.y())) << name_of(method) << " at " << t;
    }
    EXPECT_EQ(other.switches.back(), room.switches.back()) << name_of(method);
  }
}

TEST(ProblemStepper, TimesBetweenStepsChangeNothing) {
  std::mt19937 random(7);
  for (const Method method : all_methods()) {
    Bouncing whole, cut;
    ProblemStepper at_once(whole, options_of(method, 1e-6)), stepper(cut, options_of(method, 1e-6));
    at_once.start(0, whole.start()), stepper.start(0, cut.start());
    at_once.advance(2, 2);
    std::uniform_real_distribution<double> wait(0, 0.05);
    while (stepper.t() < 2.0) {
      const double t = std::min(2.0, stepper.t() + wait(random));
      ASSERT_EQ(stepper.advance(t, 2.0), ProblemStepper::Reached::time);
      ASSERT_EQ(stepper.t(), t);
    }
    EXPECT_TRUE(same_bits(stepper.y(), at_once.y())) << name_of(method);
    EXPECT_TRUE(same_bits(cut.bounces, whole.bounces)) << name_of(method);
    EXPECT_EQ(stepper.integrator().counts().rates, at_once.integrator().counts().rates) << name_of(method);
  }
}

TEST(ProblemStepper, AJumpDropsWhatIsAhead) {
  // The step to the ground is taken already when the ball is caught at 0.1 s and thrown up.
  Bouncing ball;
  ProblemStepper stepper(ball, options_of(Method::rk45, 1e-10));
  stepper.start(0, ball.start());
  stepper.advance(0.1, 5);
  const double y = stepper.y()[0];
  stepper.jump()[1] = 2;
  stepper.advance(0.4, 5);
  EXPECT_TRUE(ball.bounces.empty());
  EXPECT_NEAR(stepper.y()[0], y + 2 * 0.3 - Ball::gravity * 0.3 * 0.3 / 2, 1e-9);
}

/// Falls until f has no value below the ground.
class Cliff : public Ball {
 public:
  int event_count() const override { return 0; }
  void event_values(double, std::span<const double>, std::span<double>) override {}
  double ground = 0;

 protected:
  bool f(double t, std::span<const double> y, std::span<double> ydot) override {
    return y[0] > ground && Ball::f(t, y, ydot);
  }
};

TEST(ProblemStepper, AFailureLeavesTheLastGoodStateAndCanBeTriedAgain) {
  Cliff cliff;
  ProblemStepper stepper(cliff, options_of(Method::rk45, 1e-10));
  stepper.start(0, cliff.start());
  EXPECT_EQ(stepper.advance(1, 1), ProblemStepper::Reached::no_value);
  EXPECT_NEAR(stepper.t(), std::sqrt(2 / Ball::gravity), 1e-6);
  EXPECT_NEAR(stepper.y()[0], 0, 1e-5);
  cliff.ground = -10;
  EXPECT_EQ(stepper.advance(1, 1), ProblemStepper::Reached::time);
  EXPECT_NEAR(stepper.y()[0], 1 - Ball::gravity / 2, 1e-8);
}

/// A bead on a circle whose radius grows, r = 1 + t/5, without gravity: (x, z, x', z'). It keeps its angular momentum:
///
///     φ(t) = ω₀·∫ dt/r² = ω₀·t/r
class GrowingCircle : public CountingProblem {
 public:
  static constexpr double growth = 0.2, w0 = 3;
  static double radius(double t) { return 1 + growth * t; }
  int size() const override { return 4; }
  std::vector<double> start() const override { return exact(0); }
  std::vector<double> exact(double t) const override {
    const double r = radius(t), phi = w0 * t / r, c = std::cos(phi), s = std::sin(phi), turn = w0 / r;
    return {r * c, r * s, growth * c - turn * s, growth * s + turn * c};
  }
  bool project(double t, std::span<double> y) override {
    const double r = radius(t), stretch = r / std::hypot(y[0], y[1]);
    y[0] *= stretch, y[1] *= stretch;
    const double excess = (y[0] * y[2] + y[1] * y[3]) / (r * r) - growth / r;
    y[2] -= excess * y[0], y[3] -= excess * y[1];
    return true;
  }
  /// How far y is from the surface, in positions and in velocities.
  static double gap(double t, std::span<const double> y) {
    return std::max(std::abs(std::hypot(y[0], y[1]) - radius(t)),
                    std::abs(y[0] * y[2] + y[1] * y[3] - radius(t) * growth));
  }

 protected:
  /// x'' = λ·x, with λ from the second derivative of |x|² = r².
  bool f(double, std::span<const double> y, std::span<double> ydot) override {
    const double lambda = (growth * growth - y[2] * y[2] - y[3] * y[3]) / (y[0] * y[0] + y[1] * y[1]);
    ydot[0] = y[2], ydot[1] = y[3], ydot[2] = lambda * y[0], ydot[3] = lambda * y[1];
    return true;
  }
};

TEST(ProblemStepper, PositionsAndVelocitiesStayOnASurfaceThatMoves) {
  for (const Method method : all_methods()) {
    GrowingCircle circle;
    ProblemStepper stepper(circle, options_of(method, 1e-6));
    stepper.start(0, circle.start());
    for (const double t : {0.01, 0.37, 1.0, 2.2, 5.0}) {
      ASSERT_EQ(stepper.advance(t, 5), ProblemStepper::Reached::time) << name_of(method);
      EXPECT_LT(GrowingCircle::gap(t, stepper.y()), 1e-13) << name_of(method) << " at " << t;
    }
    const double tolerance = method == Method::semi_implicit ? 1e-3 : 1e-4;
    EXPECT_LT(largest_difference(stepper.y(), circle.exact(5)), tolerance) << name_of(method);
  }
}

}  // namespace
}  // namespace articula::test
