/// Sines and cosines of many angles at once.

#include <articula/scalar/sincos.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "support/names.h"

namespace articula::test {
namespace {

/// Stated in sincos.h, counted from the correct value.
double most_ulps(double x) { return std::abs(x) <= 100 ? 1.5 : 2.5; }

double ulps(double value, long double exact) {
  const auto rounded = static_cast<double>(exact);
  const double ulp = std::nextafter(std::fabs(rounded), std::numeric_limits<double>::infinity()) - std::fabs(rounded);
  return static_cast<double>(std::fabs(static_cast<long double>(value) - exact)) / ulp;
}

void expect_exact(const std::vector<double>& x) {
  std::vector<double> s(x.size()), c(x.size());
  sincos(x.data(), s.data(), c.data(), static_cast<int>(x.size()));
  for (std::size_t k = 0; k < x.size(); ++k) {
    EXPECT_LE(ulps(s[k], std::sin(static_cast<long double>(x[k]))), most_ulps(x[k])) << "sin " << x[k];
    EXPECT_LE(ulps(c[k], std::cos(static_cast<long double>(x[k]))), most_ulps(x[k])) << "cos " << x[k];
  }
}

TEST(Sincos, IsExactForAnglesOfAllSizes) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> mantissa(-1, 1);
  for (const double size : {1e-300, 1e-8, 1e-3, 1.0, 10.0, 1e3, 1e5}) {
    std::vector<double> x(1003);
    for (double& angle : x) angle = size * mantissa(random);
    expect_exact(x);
  }
}

TEST(Sincos, IsExactNearWholeQuadrants) {
  std::vector<double> x;
  for (int k = -1000; k <= 1000; ++k) {
    const double angle = k * 0x1.921fb54442d18p+0;
    x.insert(x.end(), {std::nextafter(angle, -1e9), angle, std::nextafter(angle, 1e9)});
  }
  expect_exact(x);
}

TEST(Sincos, LeavesLargeAnglesAndWhatIsNotFiniteToTheLibrary) {
  const double infinity = std::numeric_limits<double>::infinity();
  const std::vector<double> x{0.5, 1e6, -3e17, infinity, -infinity, std::nan(""), 1e300, -0.5, 2};
  std::vector<double> s(x.size()), c(x.size());
  sincos(x.data(), s.data(), c.data(), static_cast<int>(x.size()));
  for (std::size_t k = 0; k < x.size(); ++k) {
    EXPECT_EQ(std::isnan(s[k]), std::isnan(std::sin(x[k])));
    EXPECT_EQ(std::isnan(c[k]), std::isnan(std::cos(x[k])));
    if (!std::isfinite(x[k])) continue;
    EXPECT_LE(ulps(s[k], std::sin(static_cast<long double>(x[k]))), most_ulps(x[k]));
    EXPECT_LE(ulps(c[k], std::cos(static_cast<long double>(x[k]))), most_ulps(x[k]));
  }
}

TEST(Sincos, WorksInPlaceForAnyCount) {
  for (int n = 0; n <= 20; ++n) {
    std::vector<double> x, c(static_cast<std::size_t>(n));
    for (int k = 0; k < n; ++k) x.push_back(0.7 * k - 3);
    const std::vector<double> before = x;
    sincos(x.data(), x.data(), c.data(), n);
    for (std::size_t k = 0; k < x.size(); ++k) {
      EXPECT_LE(ulps(x[k], std::sin(static_cast<long double>(before[k]))), most_ulps(before[k]));
      EXPECT_LE(ulps(c[k], std::cos(static_cast<long double>(before[k]))), most_ulps(before[k]));
    }
  }
}

TEST(Sincos, GathersAnglesFromAnywhere) {
  const std::vector<double> x{0.1, 2e6, -3, 4};
  const std::vector<int> which{3, 3, 0, 2, 1, 0, 2, 3, 2, 2, 2, 2, 0, 0, 0, 0};
  std::vector<double> s(which.size()), c(which.size());
  sincos(x.data(), which.data(), s.data(), c.data(), static_cast<int>(which.size()));
  for (std::size_t k = 0; k < which.size(); ++k) {
    const long double angle = x[static_cast<std::size_t>(which[k])];
    EXPECT_LE(ulps(s[k], std::sin(angle)), most_ulps(static_cast<double>(angle)));
    EXPECT_LE(ulps(c[k], std::cos(angle)), most_ulps(static_cast<double>(angle)));
  }
}

}  // namespace
}  // namespace articula::test
