#pragma once

#include <cmath>
#include <compare>

#include <articula/base/modules.h>

namespace articula::scalar {

/// A number and its derivative: x + dx·ε with ε² = 0.
///
///     f(x + dx·ε) = f(x) + f′(x)·dx·ε
///
/// An algorithm that runs with duals gives its result and, exactly, the derivative of the result in the direction in
/// which the inputs were seeded. Mixed with plain numbers, which are constants. Over another scalar than double, the
/// derivative of what that scalar computes.  [Clifford 1873; Griewank & Walther 2008, 3.1]
template <class S>
struct DualOver {
  S x = S(0), dx = S(0);

  constexpr DualOver() = default;
  constexpr DualOver(const S& value, const S& derivative = S(0)) : x(value), dx(derivative) {}

  constexpr DualOver& operator+=(const DualOver& b) { return *this = *this + b; }
  constexpr DualOver& operator-=(const DualOver& b) { return *this = *this - b; }
  constexpr DualOver& operator*=(const DualOver& b) { return *this = *this * b; }
  constexpr DualOver& operator/=(const DualOver& b) { return *this = *this / b; }

  friend constexpr DualOver operator+(const DualOver& a) { return a; }
  friend constexpr DualOver operator-(const DualOver& a) { return {-a.x, -a.dx}; }
  friend constexpr DualOver operator+(const DualOver& a, const DualOver& b) { return {a.x + b.x, a.dx + b.dx}; }
  friend constexpr DualOver operator-(const DualOver& a, const DualOver& b) { return {a.x - b.x, a.dx - b.dx}; }
  friend constexpr DualOver operator*(const DualOver& a, const DualOver& b) {
    return {a.x * b.x, a.dx * b.x + a.x * b.dx};
  }
  friend constexpr DualOver operator/(const DualOver& a, const DualOver& b) {
    const S quotient = a.x / b.x;
    return {quotient, (a.dx - quotient * b.dx) / b.x};
  }

  // A constant has no derivative to carry along.
  friend constexpr DualOver operator+(const DualOver& a, const S& b) { return {a.x + b, a.dx}; }
  friend constexpr DualOver operator-(const DualOver& a, const S& b) { return {a.x - b, a.dx}; }
  friend constexpr DualOver operator*(const DualOver& a, const S& b) { return {a.x * b, a.dx * b}; }
  friend constexpr DualOver operator/(const DualOver& a, const S& b) { return {a.x / b, a.dx / b}; }
  friend constexpr DualOver operator+(const S& a, const DualOver& b) { return {a + b.x, b.dx}; }
  friend constexpr DualOver operator-(const S& a, const DualOver& b) { return {a - b.x, -b.dx}; }
  friend constexpr DualOver operator*(const S& a, const DualOver& b) { return {a * b.x, a * b.dx}; }
  friend constexpr DualOver operator/(const S& a, const DualOver& b) { return DualOver(a) / b; }

  /// A branch is taken by the number alone.
  friend constexpr bool operator==(const DualOver& a, const DualOver& b) { return a.x == b.x; }
  friend constexpr auto operator<=>(const DualOver& a, const DualOver& b) { return a.x <=> b.x; }

  friend DualOver abs(const DualOver& a) { return a.x < S(0) ? -a : a; }
  friend DualOver sqrt(const DualOver& a) {
    using std::sqrt;
    const S root = sqrt(a.x);
    return {root, a.dx / (root + root)};
  }
  friend DualOver sin(const DualOver& a) {
    using std::cos, std::sin;
    return {sin(a.x), cos(a.x) * a.dx};
  }
  friend DualOver cos(const DualOver& a) {
    using std::cos, std::sin;
    return {cos(a.x), -sin(a.x) * a.dx};
  }
  friend DualOver tan(const DualOver& a) {
    using std::tan;
    const S t = tan(a.x);
    return {t, (S(1) + t * t) * a.dx};
  }
  friend DualOver asin(const DualOver& a) {
    using std::asin, std::sqrt;
    return {asin(a.x), a.dx / sqrt(S(1) - a.x * a.x)};
  }
  friend DualOver acos(const DualOver& a) {
    using std::acos, std::sqrt;
    return {acos(a.x), -a.dx / sqrt(S(1) - a.x * a.x)};
  }
  friend DualOver atan(const DualOver& a) {
    using std::atan;
    return {atan(a.x), a.dx / (S(1) + a.x * a.x)};
  }
  friend DualOver atan2(const DualOver& y, const DualOver& x) {
    using std::atan2;
    return {atan2(y.x, x.x), (x.x * y.dx - y.x * x.dx) / (x.x * x.x + y.x * y.x)};
  }
  friend DualOver exp(const DualOver& a) {
    using std::exp;
    const S e = exp(a.x);
    return {e, e * a.dx};
  }
  friend DualOver log(const DualOver& a) {
    using std::log;
    return {log(a.x), a.dx / a.x};
  }
};

using Dual = DualOver<double>;

}  // namespace articula::scalar
