#include <articula/scalar/sincos.h>

#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "support/random_model.h"

namespace articula::test {
namespace {

/// In units of the last place of what a double can hold, against long double.
double error(double got, long double exact) {
  const double nearest = static_cast<double>(exact);
  const double unit = std::abs(std::nextafter(nearest, INFINITY) - nearest);
  return static_cast<double>(std::abs((static_cast<long double>(got) - exact) / static_cast<long double>(unit)));
}

double worst_of(const std::vector<double>& x) {
  std::vector<double> s(x.size()), c(x.size());
  sincos(x.data(), s.data(), c.data(), static_cast<int>(x.size()));
  double worst = 0;
  for (std::size_t k = 0; k < x.size(); ++k) {
    worst = std::max({worst, error(s[k], std::sin(static_cast<long double>(x[k]))), error(c[k], std::cos(static_cast<long double>(x[k])))});
  }
  return worst;
}

TEST(SinCos, IsWithinAFewUnitsOfTheLastPlace) {
  Random random(1);
  for (const double range : {1e-8, 1e-3, 1.0, 4.0, 100.0, 1e5, 1e9}) {
    std::vector<double> x(200003);  // no whole number of blocks
    for (double& each : x) each = range * random.number();
    EXPECT_LT(worst_of(x), range <= 100 ? 1.5 : 2.5) << range;
  }
}

TEST(SinCos, IsAsGoodBesideMultiplesOfARightAngle) {
  std::vector<double> x;
  for (int k = -2000; k <= 2000; ++k) {
    double angle = k * 1.5707963267948966;
    for (int step = 0; step < 5; ++step) x.push_back(angle), angle = std::nextafter(angle, 1e9);
  }
  EXPECT_LT(worst_of(x), 1.5);
}

TEST(SinCos, TakesSpecialNumbersAndWorksInPlace) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  std::vector<double> s{0.0, -0.0, inf, 0.5, std::nan(""), 1e300, -1.0, 2.0, 3.0}, c(s.size());
  const std::vector<double> x = s;
  sincos(s.data(), s.data(), c.data(), static_cast<int>(s.size()));
  EXPECT_EQ(s[0], 0);
  EXPECT_EQ(c[0], 1);
  EXPECT_TRUE(std::isnan(s[2]) && std::isnan(c[4]));
  EXPECT_NEAR(s[5], std::sin(x[5]), 1e-15);
  EXPECT_NEAR(c[8], std::cos(x[8]), 1e-15);
}

}  // namespace
}  // namespace articula::test
