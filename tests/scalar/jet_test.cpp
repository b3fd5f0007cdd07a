#include <articula/scalar/jet.h>

#include <gtest/gtest.h>

#include <cmath>

#include <articula/scalar/dual.h>

namespace articula::test {
namespace {

using scalar::Jet, scalar::DualOver;
using Series = Jet<double, 12>;

/// x(t + h) of x = a·e^{rate·t} at t = 0: coefficients a·rateᵏ/k!.
Series exponential(double a, double rate, int order) {
  Series x = Series::zero_of_order(order);
  double coefficient = a;
  for (int k = 0; k <= order; ++k) {
    x[k] = coefficient;
    coefficient *= rate / (k + 1);
  }
  return x;
}

void expect_equal(const Series& x, const Series& expected, double within) {
  ASSERT_EQ(x.order, expected.order);
  for (int k = 0; k <= x.last(); ++k) EXPECT_NEAR(x[k], expected[k], within) << k;
}

TEST(Jet, ProductsAndQuotientsOfExponentialsAddAndSubtractTheirRates) {
  const Series a = exponential(2, 0.7, 10), b = exponential(3, -1.2, 10);
  expect_equal(a * b, exponential(6, -0.5, 10), 1e-15);
  expect_equal(a / b, exponential(2.0 / 3, 1.9, 10), 1e-14);
}

TEST(Jet, DerivativesAreKnownToOneOrderLess) {
  expect_equal(derivative(exponential(2, 0.7, 10)), exponential(1.4, 0.7, 9), 1e-15);
}

TEST(Jet, SinesAndCosinesHaveTheirTaylorSeries) {
  // sin(0.4 + 1.5·h)
  Series x = Series::zero_of_order(12);
  x[0] = 0.4, x[1] = 1.5;
  double factor = 1;
  for (int k = 0; k <= 12; ++k) {
    EXPECT_NEAR(sin(x)[k], factor * std::sin(0.4 + k * M_PI / 2), 1e-15) << k;
    EXPECT_NEAR(cos(x)[k], factor * std::cos(0.4 + k * M_PI / 2), 1e-15) << k;
    factor *= 1.5 / (k + 1);
  }
}

TEST(Jet, OfAnySeriesSineAndCosineAreOnTheCircle) {
  Series s, c;
  sincos(exponential(2, 0.7, 12), s, c);
  Series one = Series::zero_of_order(12);
  one[0] = 1;
  expect_equal(s * s + c * c, one, 1e-14);
}

TEST(Jet, ResultsAreKnownToTheLowestOrderOfTheirArguments) {
  const Series a = exponential(2, 0.7, 5), b = exponential(3, -1.2, 10);
  EXPECT_EQ((a + b).order, 5);
  EXPECT_EQ((b - a).order, 5);
  expect_equal(a * b, exponential(6, -0.5, 5), 1e-15);
  expect_equal(truncated(b, 3), exponential(3, -1.2, 3), 0);
  const Series longer = extended(a, 7);
  EXPECT_EQ(longer.order, 7);
  EXPECT_EQ(longer[6], 0);
}

TEST(Jet, NumbersAreKnownToAnyOrder) {
  const Series a = exponential(2, 0.7, 10), two(2.0);
  EXPECT_TRUE((two * two).is_number());
  EXPECT_TRUE(derivative(two).is_number());
  EXPECT_EQ(derivative(two)[0], 0);
  expect_equal(two * a, exponential(4, 0.7, 10), 0);
  expect_equal(a / two, exponential(1, 0.7, 10), 0);
  const Series sum = two + a;
  EXPECT_EQ(sum.order, 10);
  EXPECT_EQ(sum[0], 4);
  EXPECT_EQ((two - a)[1], -a[1]);
}

/// Over dual numbers, the derivative of a series with respect to a parameter.
TEST(Jet, RunsOverDualNumbers) {
  using Dual = DualOver<double>;
  Jet<Dual, 4> x = Jet<Dual, 4>::zero_of_order(4);
  x[0] = Dual{0.3, 1}, x[1] = Dual{2, 0};
  const Jet<Dual, 4> s = sin(x);
  EXPECT_NEAR(s[1].dx, -2 * std::sin(0.3), 1e-15);  // of 2·cos(x₀)
}

}  // namespace
}  // namespace articula::test
