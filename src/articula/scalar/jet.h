#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <limits>
#include <type_traits>

#include <articula/base/modules.h>

namespace articula::scalar {

/// A power series in time, known to an order that is chosen at run time:
///
///     x(t + h) = Σ c_k·h^k + O(h^(order + 1)),    c_k = x⁽ᵏ⁾(t)/k!
///
/// An algorithm that runs with jets gives the time derivatives of its result from those of its inputs: a result is known to
/// the lowest order of its arguments. Numbers are constant in time, and known to any order.  [Griewank & Walther 2008, 13.2]
///
/// Sums and copies of numbers are of fixed length, others end with the order. Products are not inlined: an algorithm has
/// thousands, and takes minutes to compile if they are.
template <class S, int capacity_>
struct Jet {
  static constexpr int capacity = capacity_;
  static constexpr int number = std::numeric_limits<int>::max();

  int order = number;             ///< at most `capacity`, but for numbers
  std::array<S, capacity + 1> c;  ///< those beyond `order` mean nothing; zero of numbers

  Jet() : c{} {}
  Jet(const S& constant) : c{constant} {}
  template <std::convertible_to<double> Number>
    requires(!std::same_as<Number, S>)
  explicit Jet(const Number& constant) : Jet(S(static_cast<double>(constant))) {}

  static Jet zero_of_order(int order) {
    Jet x;
    x.order = order;
    return x;
  }

  bool is_number() const { return order == number; }
  int last() const { return is_number() ? 0 : order; }
  S& operator[](int k) { return c[static_cast<std::size_t>(k)]; }
  const S& operator[](int k) const { return c[static_cast<std::size_t>(k)]; }

  Jet& operator+=(const Jet& b) {
    order = std::min(order, b.order);
    for (int k = 0; k <= end(order); ++k) (*this)[k] += b[k];
    return *this;
  }
  Jet& operator-=(const Jet& b) {
    order = std::min(order, b.order);
    for (int k = 0; k <= end(order); ++k) (*this)[k] -= b[k];
    return *this;
  }
  Jet& operator*=(const Jet& b) { return *this = *this * b; }
  Jet& operator*=(const S& b) {
    for (int k = 0; k <= end(order); ++k) (*this)[k] *= b;
    return *this;
  }

  friend Jet operator-(const Jet& a) {
    return each(a.order, [&](int k) { return -a[k]; });
  }
  friend Jet operator+(const Jet& a, const Jet& b) {
    return each(std::min(a.order, b.order), [&](int k) { return a[k] + b[k]; });
  }
  friend Jet operator-(const Jet& a, const Jet& b) {
    return each(std::min(a.order, b.order), [&](int k) { return a[k] - b[k]; });
  }
  friend Jet operator*(const Jet& a, const Jet& b) {
    if (b.is_number()) return a * b[0];
    if (a.is_number()) return b * a[0];
    Jet product{Unset()};
    multiply(a, b, product);
    return product;
  }
  friend Jet operator*(const Jet& a, const S& b) {
    return each(a.order, [&](int k) { return a[k] * b; });
  }
  friend Jet operator*(const S& a, const Jet& b) { return b * a; }
  /// Order by order from a = (a/b)·b.
  friend Jet operator/(const Jet& a, const Jet& b) {
    const S inverse = S(1) / b[0];
    if (b.is_number()) return a * inverse;
    Jet quotient;
    quotient.order = a.is_number() ? b.order : std::min(a.order, b.order);
    for (int k = 0; k <= quotient.order; ++k) {
      S sum = k <= a.last() ? a[k] : S(0);
      for (int j = 1; j <= k; ++j) sum -= b[j] * quotient[k - j];
      quotient[k] = sum * inverse;
    }
    return quotient;
  }
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

  /// dx/dt, known to one order less. @pre x is a number, or known to order 1 at least
  friend Jet derivative(const Jet& x) {
    return each(x.is_number() ? number : x.order - 1, [&](int k) { return k < capacity ? S(k + 1) * x[k + 1] : S(0); });
  }
  /// The same series, known to this order at most.
  friend Jet truncated(Jet x, int order) {
    if (!x.is_number()) x.order = std::min(x.order, order);
    return x;
  }
  /// The same series up to this order, with zeros where it is not known.
  friend Jet extended(const Jet& x, int order) {
    Jet longer = zero_of_order(order);
    for (int k = 0; k <= std::min(order, x.last()); ++k) longer[k] = x[k];
    return longer;
  }

  /// s′ = c·x′, c′ = −s·x′, order by order.
  [[gnu::noinline]] friend void sincos(const Jet& x, Jet& s, Jet& c) {
    using std::cos, std::sin;
    std::array<S, capacity + 1> rate{};
    for (int j = 1; j <= x.last(); ++j) rate[static_cast<std::size_t>(j)] = S(j) * x[j];
    s = c = Jet();
    s.order = c.order = x.order;
    s[0] = sin(x[0]), c[0] = cos(x[0]);
    for (int k = 1; k <= x.last(); ++k) {
      S sum_s(0), sum_c(0);
      for (int j = 1; j <= k; ++j) {
        sum_s += rate[static_cast<std::size_t>(j)] * c[k - j], sum_c += rate[static_cast<std::size_t>(j)] * s[k - j];
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
  struct Unset {};
  explicit Jet(Unset) {}

  /// Where operations on all coefficients end: at a fixed place, which compilers unroll, if more of them cost nothing.
  static constexpr int end(int order) {
    if constexpr (std::is_arithmetic_v<S>) return capacity;
    return order == number ? 0 : order;
  }

  template <class Coefficient>
  static Jet each(int order, const Coefficient& coefficient) {
    Jet result{Unset()};
    result.order = order;
    for (int k = 0; k <= end(order); ++k) result[k] = coefficient(k);
    return result;
  }

  [[gnu::noinline]] static void multiply(const Jet& a, const Jet& b, Jet& __restrict product) {
    const int n = product.order = std::min(a.order, b.order);
    for (int k = 0; k <= end(n); ++k) product[k] = S(0);
    for (int k = 0; k <= n; ++k) {
      S sum = a[0] * b[k];
      for (int j = 1; j <= k; ++j) sum += a[j] * b[k - j];
      product[k] = sum;
    }
  }
};

}  // namespace articula::scalar
