#pragma once

#include <array>
#include <cmath>
#include <concepts>
#include <cstddef>

#include <articula/base/modules.h>

namespace articula::scalar {

/// A truncated power series in time:
///
///     x(t + h) = Σ c_k·h^k,  k ≤ N,    c_k = x⁽ᵏ⁾(t)/k!
///
/// An algorithm that runs with jets gives the time derivatives of its result from those of its inputs. A coefficient of a
/// result depends only on coefficients of the same and lower order. Mixed with numbers, which are constant in time.
/// [Griewank & Walther 2008, 13.2]
template <class S, int N>
struct Jet {
  static constexpr int order = N;
  std::array<S, N + 1> c{};

  constexpr Jet() = default;
  constexpr Jet(const S& constant) { c[0] = constant; }
  template <std::convertible_to<double> Number>
    requires(!std::same_as<Number, S>)
  constexpr explicit Jet(const Number& constant) : Jet(S(static_cast<double>(constant))) {}

  constexpr S& operator[](int k) { return c[static_cast<std::size_t>(k)]; }
  constexpr const S& operator[](int k) const { return c[static_cast<std::size_t>(k)]; }

  Jet& operator+=(const Jet& b) {
    for (int k = 0; k <= N; ++k) (*this)[k] += b[k];
    return *this;
  }
  Jet& operator-=(const Jet& b) {
    for (int k = 0; k <= N; ++k) (*this)[k] -= b[k];
    return *this;
  }
  Jet& operator*=(const Jet& b) { return *this = *this * b; }
  Jet& operator*=(const S& b) {
    for (S& each : c) each *= b;
    return *this;
  }

  friend Jet operator-(const Jet& a) { return a * S(-1); }
  friend Jet operator+(Jet a, const Jet& b) { return a += b; }
  friend Jet operator-(Jet a, const Jet& b) { return a -= b; }
  friend Jet operator*(const Jet& a, const Jet& b) {
    Jet product;
    multiply(a, b, product);
    return product;
  }
  friend Jet operator*(Jet a, const S& b) { return a *= b; }
  friend Jet operator*(const S& a, Jet b) { return b *= a; }
  friend Jet operator+(Jet a, const S& b) {
    a[0] += b;
    return a;
  }
  friend Jet operator-(Jet a, const S& b) {
    a[0] -= b;
    return a;
  }
  friend Jet operator+(const S& a, const Jet& b) { return b + a; }
  friend Jet operator-(const S& a, const Jet& b) { return -b + a; }

  /// dx/dt. The highest coefficient is lost: it counts as zero.
  friend Jet derivative(const Jet& x) {
    Jet rate;
    for (int k = 0; k < N; ++k) rate[k] = S(k + 1) * x[k + 1];
    return rate;
  }

  /// s′ = c·x′, c′ = −s·x′, order by order.
  friend void sincos(const Jet& x, Jet& s, Jet& c) {
    using std::cos, std::sin;
    s = Jet(sin(x[0])), c = Jet(cos(x[0]));
    for (int k = 1; k <= N; ++k) {
      S sum_s(0), sum_c(0);
      for (int j = 1; j <= k; ++j) {
        const S rate = S(j) * x[j];
        sum_s += rate * c[k - j], sum_c += rate * s[k - j];
      }
      s[k] = sum_s * S(1.0 / k), c[k] = sum_c * S(-1.0 / k);
    }
  }
  friend Jet sin(const Jet& x) {
    Jet s, c;
    sincos(x, s, c);
    return s;
  }
  friend Jet cos(const Jet& x) {
    Jet s, c;
    sincos(x, s, c);
    return c;
  }

 private:
  /// Out of line: an algorithm has thousands of products, and inlined ones take minutes to compile.
  [[gnu::noinline]] static void multiply(const Jet& a, const Jet& b, Jet& product) {
    for (int k = 0; k <= N; ++k) {
      S sum(0);
      for (int j = 0; j <= k; ++j) sum += a[j] * b[k - j];
      product[k] = sum;
    }
  }
};

}  // namespace articula::scalar
