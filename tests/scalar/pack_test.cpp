/// Packs of the instruction set this file is compiled for: what each lane gives is what one number alone gives, and
/// sine and cosine against the C library's in a longer format. The same file is compiled once for each instruction set.

#include <articula/scalar/pack.h>

#include <cmath>
#include <cstdint>
#include <limits>

#include <gtest/gtest.h>

#include "support/names.h"

namespace articula::test {
namespace {

constexpr std::uint64_t seed = 20260101;

/// Even over the numbers of a format rather than over the line: every size occurs.
class Samples {
 public:
  std::uint64_t bits() {
    state_ ^= state_ << 13, state_ ^= state_ >> 7, state_ ^= state_ << 17;
    return state_;
  }
  double unit() { return static_cast<double>(bits() >> 11) * 0x1p-53; }
  double between(double a, double b) { return a + (b - a) * unit(); }

 private:
  std::uint64_t state_ = seed;
};

template <class S>
class PackOf : public testing::Test {};
using Scalars = testing::Types<double, float>;
TYPED_TEST_SUITE(PackOf, Scalars);

template <class S>
Pack<S> random_pack(Samples& samples) {
  Pack<S> a;
  for (int k = 0; k < Pack<S>::lanes; ++k) a.set(k, static_cast<S>(samples.between(-3, 3)));
  return a;
}

TYPED_TEST(PackOf, ComputesEachLaneAsOneNumberAlone) {
  using S = TypeParam;
  Samples samples;
  for (int i = 0; i < 1000; ++i) {
    const Pack<S> a = random_pack<S>(samples), b = random_pack<S>(samples);
    const Pack<S> sum = a + b, difference = a - b, product = a * b, quotient = a / b, negative = -a, size = abs(a),
                  root = sqrt(size), low = min(a, b), high = max(a, b), scaled = S(2) * a, angle = atan2(a, b),
                  chosen = select(a < b, a, Pack<S>(7));
    const auto less = a < b, same = a == a;
    EXPECT_TRUE(all(same));
    for (int k = 0; k < Pack<S>::lanes; ++k) {
      EXPECT_EQ(sum[k], a[k] + b[k]);
      EXPECT_EQ(difference[k], a[k] - b[k]);
      EXPECT_EQ(product[k], a[k] * b[k]);
      EXPECT_EQ(quotient[k], a[k] / b[k]);
      EXPECT_EQ(negative[k], -a[k]);
      EXPECT_EQ(size[k], std::abs(a[k]));
      EXPECT_EQ(root[k], std::sqrt(size[k]));
      EXPECT_EQ(low[k], std::min(a[k], b[k]));
      EXPECT_EQ(high[k], std::max(a[k], b[k]));
      EXPECT_EQ(scaled[k], 2 * a[k]);
      EXPECT_EQ(angle[k], std::atan2(a[k], b[k]));
      EXPECT_EQ(less[k], a[k] < b[k]);
      EXPECT_EQ(chosen[k], a[k] < b[k] ? a[k] : S(7));
    }
  }
}

TYPED_TEST(PackOf, KeepsTheSignOfZeroInConstants) {
  EXPECT_TRUE(std::signbit(Pack<TypeParam>(TypeParam(-0.0))[0]));
  EXPECT_FALSE(std::signbit(Pack<TypeParam>(TypeParam(0.0))[0]));
}

/// By how many units in its last place `value` misses `exact`.
template <class S>
long double ulps(S value, long double exact) {
  const S near = static_cast<S>(exact);
  const S gap = std::nextafter(std::abs(near), std::numeric_limits<S>::infinity()) - std::abs(near);
  return std::abs(static_cast<long double>(value) - exact) / static_cast<long double>(gap);
}

struct Worst {
  long double ulps = 0;
  double at = 0;

  void see(long double error, double x) {
    if (error > ulps) ulps = error, at = x;
  }
};

template <class S>
void see_sincos(const Pack<S>& x, Worst& worst) {
  Pack<S> s, c;
  sincos(x, s, c);
  for (int k = 0; k < Pack<S>::lanes; ++k) {
    const auto exact = static_cast<long double>(x[k]);
    worst.see(ulps(s[k], std::sin(exact)), static_cast<double>(x[k]));
    worst.see(ulps(c[k], std::cos(exact)), static_cast<double>(x[k]));
  }
}

TYPED_TEST(PackOf, SineAndCosineAreWithinTwoUlpsUpToTenThousand) {
  using S = TypeParam;
  Samples samples;
  Worst worst;
  Pack<S> x;
  const int rounds = 3'000'000 / Pack<S>::lanes;
  for (int i = 0; i < rounds; ++i) {
    for (int k = 0; k < Pack<S>::lanes; ++k) {
      double angle = 0;
      switch (i % 4) {
        case 0: angle = samples.between(-1e4, 1e4); break;
        case 1: angle = samples.between(-4, 4); break;
        case 2: angle = std::exp(samples.between(std::log(1e-12), std::log(1e4))); break;
        default:  // beside a multiple of π/2, where nearly all digits cancel
          angle = std::round(samples.between(-6366, 6366)) * 1.5707963267948966 * (1 + samples.between(-1, 1) * 1e-6);
      }
      x.set(k, static_cast<S>(angle));
    }
    see_sincos(x, worst);
  }
  // The multiples of π/2 themselves, and their neighbours.
  for (int quarter = -6366; quarter <= 6366; ++quarter) {
    S near = static_cast<S>(quarter * 1.57079632679489661923L);
    for (int k = 0; k < Pack<S>::lanes; ++k) {
      x.set(k, near);
      near = std::nextafter(near, std::numeric_limits<S>::infinity());
    }
    see_sincos(x, worst);
  }
  this->RecordProperty("worst_ulps", std::to_string(worst.ulps));
  EXPECT_LE(worst.ulps, 2.0L) << "at " << worst.at << ", seed " << seed;
}

TYPED_TEST(PackOf, SineAndCosineOfLargeAnglesAreTheLibrarys) {
  using S = TypeParam;
  Pack<S> x(S(0.5)), s, c;
  x.set(0, S(1e12));
  x.set(Pack<S>::lanes - 1, std::numeric_limits<S>::infinity());
  sincos(x, s, c);
  EXPECT_EQ(s[0], std::sin(S(1e12)));
  EXPECT_EQ(c[0], std::cos(S(1e12)));
  EXPECT_TRUE(std::isnan(s[Pack<S>::lanes - 1]));
  EXPECT_TRUE(std::isnan(cos(x)[Pack<S>::lanes - 1]));
}

}  // namespace
}  // namespace articula::test
