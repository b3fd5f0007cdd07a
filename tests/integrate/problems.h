#pragma once

// Initial-value problems whose solutions are known from elsewhere: closed forms and published numbers.

#include <array>
#include <cmath>
#include <numbers>
#include <span>
#include <vector>

#include <articula/integrate/integrator.h>
#include <articula/integrate/problem.h>

#include "support/names.h"

namespace articula::test {

/// Counts its own evaluations, so that an integrator's counts have something to be compared with.
class CountingProblem : public Problem {
 public:
  long rates = 0, jacobians = 0;

  bool rate(double t, std::span<const double> y, std::span<double> ydot) final {
    ++rates;
    return f(t, y, ydot);
  }
  bool jacobian(double t, std::span<const double> y, std::span<double> J) final {
    if (!dfdy(t, y, J)) return false;
    ++jacobians;
    return true;
  }

  virtual std::vector<double> start() const = 0;
  virtual std::vector<double> exact(double /*t*/) const { return {}; }

 protected:
  virtual bool f(double t, std::span<const double> y, std::span<double> ydot) = 0;
  virtual bool dfdy(double /*t*/, std::span<const double> /*y*/, std::span<double> /*J*/) { return false; }
};

/// y' = y cos t, y = exp(sin t)
class Growth : public CountingProblem {
 public:
  int size() const override { return 1; }
  std::vector<double> start() const override { return {1}; }
  std::vector<double> exact(double t) const override { return {std::exp(std::sin(t))}; }

 protected:
  bool f(double t, std::span<const double> y, std::span<double> ydot) override {
    ydot[0] = y[0] * std::cos(t);
    return true;
  }
};

/// A planet around a fixed sun, eccentricity e, from the perihelion: x, y, x', y'. Period 2π.
///
///     x = cos E − e, y = √(1 − e²) sin E, t = E − e sin E
class Planet : public CountingProblem {
 public:
  explicit Planet(double e = 0.3) : e_(e) {}
  int size() const override { return 4; }
  std::vector<double> start() const override { return {1 - e_, 0, 0, std::sqrt((1 + e_) / (1 - e_))}; }
  std::vector<double> exact(double t) const override {
    double E = t;
    for (int k = 0; k < 50; ++k) E -= (E - e_ * std::sin(E) - t) / (1 - e_ * std::cos(E));
    const double rate = 1 / (1 - e_ * std::cos(E)), b = std::sqrt(1 - e_ * e_);
    return {std::cos(E) - e_, b * std::sin(E), -std::sin(E) * rate, b * std::cos(E) * rate};
  }
  void semi_implicit_step(double h, std::span<const double> ydot, std::span<double> y) override {
    for (int k : {2, 3}) y[k] += h * ydot[k];
    for (int k : {0, 1}) y[k] += h * y[k + 2];
  }

 protected:
  bool f(double, std::span<const double> y, std::span<double> ydot) override {
    const double r = std::hypot(y[0], y[1]), g = 1 / (r * r * r);
    ydot[0] = y[2], ydot[1] = y[3], ydot[2] = -g * y[0], ydot[3] = -g * y[1];
    return true;
  }

 private:
  double e_;
};

/// The orbit of a spacecraft around earth and moon that comes back after `period`.
/// [Hairer, Nørsett, Wanner: Solving Ordinary Differential Equations I, 2nd ed., II.0, (0.1) and (0.2)]
class Arenstorf : public CountingProblem {
 public:
  static constexpr double period = 17.0652165601579625588917206249;
  int size() const override { return 4; }
  std::vector<double> start() const override { return {0.994, 0, 0, -2.00158510637908252240537862224}; }
  std::vector<double> exact(double) const override { return start(); }  // after a whole period

 protected:
  bool f(double, std::span<const double> y, std::span<double> ydot) override {
    constexpr double mu = 0.012277471, earth = 1 - mu;
    const double d1 = std::pow(std::hypot(y[0] + mu, y[1]), 3), d2 = std::pow(std::hypot(y[0] - earth, y[1]), 3);
    ydot[0] = y[2];
    ydot[1] = y[3];
    ydot[2] = y[0] + 2 * y[3] - earth * (y[0] + mu) / d1 - mu * (y[0] - earth) / d2;
    ydot[3] = y[1] - 2 * y[2] - earth * y[1] / d1 - mu * y[1] / d2;
    return true;
  }
};

/// A symmetric top without torque: q (x, y, z, w; body to world) and ω in the body. The moments of inertia are A, A, C.
///
/// ω turns about the body's axis with the rate λ = ω₃(C − A)/A against it, and the body about the fixed angular momentum
/// L = A·ω_perpendicular + C·ω₃ with |L|/A while it turns about its own axis with −λ:
///
///     q(t) = exp(L t/A) · q(0) · exp(−e₃ λ t)        exponentials of rotation vectors
class Top : public CountingProblem {
 public:
  static constexpr double A = 2, C = 3, w1 = 0.7, w3 = 1.9;
  int size() const override { return 7; }
  std::vector<double> start() const override { return {0, 0, 0, 1, w1, 0, w3}; }
  std::vector<double> exact(double t) const override {
    const double lambda = w3 * (C - A) / A;
    const auto turn = product(exponential(w1 * t, 0, C / A * w3 * t), exponential(0, 0, -lambda * t));
    return {turn[0], turn[1], turn[2], turn[3], w1 * std::cos(lambda * t), w1 * std::sin(lambda * t), w3};
  }
  bool project(double, std::span<double> y) override {
    const double length = std::sqrt(y[0] * y[0] + y[1] * y[1] + y[2] * y[2] + y[3] * y[3]);
    for (int k = 0; k < 4; ++k) y[k] /= length;
    return projects;
  }
  bool projects = true;

  static double length(std::span<const double> y) {
    return std::sqrt(y[0] * y[0] + y[1] * y[1] + y[2] * y[2] + y[3] * y[3]);
  }

 protected:
  bool f(double, std::span<const double> y, std::span<double> ydot) override {
    const double x = y[0], v = y[1], z = y[2], w = y[3], a = y[4], b = y[5], c = y[6];
    ydot[0] = (w * a + v * c - z * b) / 2;
    ydot[1] = (w * b + z * a - x * c) / 2;
    ydot[2] = (w * c + x * b - v * a) / 2;
    ydot[3] = -(x * a + v * b + z * c) / 2;
    ydot[4] = (A - C) / A * b * c;
    ydot[5] = (C - A) / A * c * a;
    ydot[6] = 0;
    return true;
  }

 private:
  using Quaternion = std::array<double, 4>;
  static Quaternion exponential(double x, double y, double z) {
    const double angle = std::sqrt(x * x + y * y + z * z);
    const double s = angle == 0 ? 0.5 : std::sin(angle / 2) / angle;
    return {s * x, s * y, s * z, std::cos(angle / 2)};
  }
  static Quaternion product(Quaternion p, Quaternion q) {
    return {
        p[3] * q[0] + p[0] * q[3] + p[1] * q[2] - p[2] * q[1], p[3] * q[1] + p[1] * q[3] + p[2] * q[0] - p[0] * q[2],
        p[3] * q[2] + p[2] * q[3] + p[0] * q[1] - p[1] * q[0], p[3] * q[3] - p[0] * q[0] - p[1] * q[1] - p[2] * q[2]};
  }
};

/// Robertson's chemical reactions, very stiff.
class Robertson : public CountingProblem {
 public:
  int size() const override { return 3; }
  std::vector<double> start() const override { return {1, 0, 0}; }

 protected:
  bool f(double, std::span<const double> y, std::span<double> ydot) override {
    ydot[0] = -0.04 * y[0] + 1e4 * y[1] * y[2];
    ydot[2] = 3e7 * y[1] * y[1];
    ydot[1] = -ydot[0] - ydot[2];
    return true;
  }
  bool dfdy(double, std::span<const double> y, std::span<double> J) override {
    const std::array<double, 3> first{-0.04, 1e4 * y[2], 1e4 * y[1]}, third{0, 6e7 * y[1], 0};
    for (std::size_t k = 0; k < 3; ++k) J[k] = first[k], J[6 + k] = third[k], J[3 + k] = -first[k] - third[k];
    return true;
  }
};

/// Van der Pol's oscillator in the scaling that makes it stiff: ε y'' = (1 − y²) y' − y.
class VanDerPol : public CountingProblem {
 public:
  explicit VanDerPol(double epsilon = 1e-6) : epsilon_(epsilon) {}
  int size() const override { return 2; }
  std::vector<double> start() const override { return {2, 0}; }

 protected:
  bool f(double, std::span<const double> y, std::span<double> ydot) override {
    ydot[0] = y[1];
    ydot[1] = ((1 - y[0] * y[0]) * y[1] - y[0]) / epsilon_;
    return true;
  }
  bool dfdy(double, std::span<const double> y, std::span<double> J) override {
    J[0] = 0, J[1] = 1;
    J[2] = (-2 * y[0] * y[1] - 1) / epsilon_, J[3] = (1 - y[0] * y[0]) / epsilon_;
    return true;
  }

 private:
  double epsilon_;
};

/// A ball that falls from 1 m with g = 9.81: height and speed. Its event is the ground.
class Ball : public CountingProblem {
 public:
  static constexpr double gravity = 9.81;
  int size() const override { return 2; }
  std::vector<double> start() const override { return {1, 0}; }
  std::vector<double> exact(double t) const override { return {1 - gravity * t * t / 2, -gravity * t}; }
  void semi_implicit_step(double h, std::span<const double> ydot, std::span<double> y) override {
    y[1] += h * ydot[1];
    y[0] += h * y[1];
  }
  int event_count() const override { return 1; }
  void event_values(double, std::span<const double> y, std::span<double> g) override { g[0] = y[0]; }

 protected:
  bool f(double, std::span<const double> y, std::span<double> ydot) override {
    ydot[0] = y[1];
    ydot[1] = -gravity;
    return true;
  }
};

inline double largest_difference(std::span<const double> a, std::span<const double> b) {
  double largest = 0;
  for (std::size_t k = 0; k < a.size(); ++k) largest = std::max(largest, std::abs(a[k] - b[k]));
  return largest;
}

/// Steps until `t_end`, or until a step fails.
inline StepStatus advance(Integrator& integrator, double t_end) {
  StepStatus status = StepStatus::done;
  while (integrator.t() < t_end && status == StepStatus::done) status = integrator.step(t_end);
  return status;
}

/// The largest error at `t_end`; infinite where it was not reached.
inline double error_at(CountingProblem& problem, const IntegratorOptions& options, double t_end) {
  const auto integrator = make_integrator(problem, options);
  integrator->start(0, problem.start());
  if (advance(*integrator, t_end) != StepStatus::done) return std::numeric_limits<double>::infinity();
  return largest_difference(integrator->y(), problem.exact(t_end));
}

inline IntegratorOptions with_tolerance(Method method, double tolerance) {
  return {.method = method, .relative = tolerance, .absolute = tolerance};
}

inline std::string name_of(Method method) { return std::string(method_names[static_cast<std::size_t>(method)]); }

inline constexpr std::array adaptive_methods{Method::rk23, Method::rk45,  Method::kutta_merson,
                                             Method::bdf,  Method::adams, Method::dirk};

}  // namespace articula::test
