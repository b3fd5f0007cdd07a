/// Whether all of many numbers are finite.

#include <articula/scalar/finite.h>

#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "support/names.h"

namespace articula::test {
namespace {

template <class S>
void expect_every_place_is_examined() {
  using Limits = std::numeric_limits<S>;
  for (const std::size_t count : {1u, 2u, 15u, 16u, 63u, 64u, 65u, 100u, 1444u}) {
    std::vector<S> x(count, S(0.5));
    ASSERT_TRUE(all_finite(x.data(), count));
    for (std::size_t k = 0; k < count; ++k) {
      for (const S bad : {Limits::quiet_NaN(), Limits::infinity(), -Limits::infinity()}) {
        x[k] = bad;
        ASSERT_FALSE(all_finite(x.data(), count)) << count << " numbers, place " << k;
      }
      x[k] = S(0.5);
    }
  }
}

TEST(AllFinite, ExaminesEveryPlace) {
  expect_every_place_is_examined<double>();
  expect_every_place_is_examined<float>();
}

TEST(AllFinite, IsTrueForNumbersWhoseSumOverflows) {
  const std::vector<double> x(200, std::numeric_limits<double>::max());
  EXPECT_TRUE(all_finite(x));
}

TEST(AllFinite, IsFalseForInfinitiesThatCancel) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  EXPECT_FALSE(all_finite(std::vector<double>{infinity, -infinity}));
}

TEST(AllFinite, IsTrueForNoNumbers) { EXPECT_TRUE(all_finite(std::vector<double>{})); }

}  // namespace
}  // namespace articula::test
