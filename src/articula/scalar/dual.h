#pragma once

#include <cmath>
#include <compare>

namespace articula {

/// A number and its derivative: x + dx·ε with ε² = 0.
///
///     f(x + dx·ε) = f(x) + f′(x)·dx·ε
///
/// An algorithm that runs with duals gives its result and, exactly, the derivative of the result in the direction in
/// which the inputs were seeded. Mixed with double, which is a constant.  [Clifford 1873; Griewank & Walther 2008, 3.1]
struct Dual {
  double x = 0, dx = 0;

  constexpr Dual() = default;
  constexpr Dual(double value, double derivative = 0) : x(value), dx(derivative) {}

  constexpr Dual& operator+=(const Dual& b) { return *this = *this + b; }
  constexpr Dual& operator-=(const Dual& b) { return *this = *this - b; }
  constexpr Dual& operator*=(const Dual& b) { return *this = *this * b; }
  constexpr Dual& operator/=(const Dual& b) { return *this = *this / b; }

  friend constexpr Dual operator+(const Dual& a) { return a; }
  friend constexpr Dual operator-(const Dual& a) { return {-a.x, -a.dx}; }
  friend constexpr Dual operator+(const Dual& a, const Dual& b) { return {a.x + b.x, a.dx + b.dx}; }
  friend constexpr Dual operator-(const Dual& a, const Dual& b) { return {a.x - b.x, a.dx - b.dx}; }
  friend constexpr Dual operator*(const Dual& a, const Dual& b) { return {a.x * b.x, a.dx * b.x + a.x * b.dx}; }
  friend constexpr Dual operator/(const Dual& a, const Dual& b) {
    const double quotient = a.x / b.x;
    return {quotient, (a.dx - quotient * b.dx) / b.x};
  }

  // A constant has no derivative to carry along.
  friend constexpr Dual operator+(const Dual& a, double b) { return {a.x + b, a.dx}; }
  friend constexpr Dual operator-(const Dual& a, double b) { return {a.x - b, a.dx}; }
  friend constexpr Dual operator*(const Dual& a, double b) { return {a.x * b, a.dx * b}; }
  friend constexpr Dual operator/(const Dual& a, double b) { return {a.x / b, a.dx / b}; }
  friend constexpr Dual operator+(double a, const Dual& b) { return {a + b.x, b.dx}; }
  friend constexpr Dual operator-(double a, const Dual& b) { return {a - b.x, -b.dx}; }
  friend constexpr Dual operator*(double a, const Dual& b) { return {a * b.x, a * b.dx}; }
  friend constexpr Dual operator/(double a, const Dual& b) { return Dual(a) / b; }

  /// A branch is taken by the number alone.
  friend constexpr bool operator==(const Dual& a, const Dual& b) { return a.x == b.x; }
  friend constexpr auto operator<=>(const Dual& a, const Dual& b) { return a.x <=> b.x; }

  friend Dual abs(const Dual& a) { return a.x < 0 ? -a : a; }
  friend Dual sqrt(const Dual& a) {
    const double root = std::sqrt(a.x);
    return {root, a.dx / (2 * root)};
  }
  friend Dual sin(const Dual& a) { return {std::sin(a.x), std::cos(a.x) * a.dx}; }
  friend Dual cos(const Dual& a) { return {std::cos(a.x), -std::sin(a.x) * a.dx}; }
  friend Dual tan(const Dual& a) {
    const double t = std::tan(a.x);
    return {t, (1 + t * t) * a.dx};
  }
  friend Dual asin(const Dual& a) { return {std::asin(a.x), a.dx / std::sqrt(1 - a.x * a.x)}; }
  friend Dual acos(const Dual& a) { return {std::acos(a.x), -a.dx / std::sqrt(1 - a.x * a.x)}; }
  friend Dual atan(const Dual& a) { return {std::atan(a.x), a.dx / (1 + a.x * a.x)}; }
  friend Dual atan2(const Dual& y, const Dual& x) {
    return {std::atan2(y.x, x.x), (x.x * y.dx - y.x * x.dx) / (x.x * x.x + y.x * y.x)};
  }
  friend Dual exp(const Dual& a) {
    const double e = std::exp(a.x);
    return {e, e * a.dx};
  }
  friend Dual log(const Dual& a) { return {std::log(a.x), a.dx / a.x}; }
};

}  // namespace articula
