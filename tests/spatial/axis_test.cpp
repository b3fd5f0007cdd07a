#include <articula/spatial/axis.h>

#include "dense.h"

namespace articula::test {
namespace {

constexpr double rounding = 1e-15;

/// Every form of axis with its 6-vector.
template <class F>
void for_axes_of_every_form(Random& random, F&& f) {
  for (const double sign : {1.0, -1.0}) {
    int row = 0;
    for (const AxisForm form : {AxisForm::turn_x, AxisForm::turn_y, AxisForm::turn_z, AxisForm::slide_x,
                                AxisForm::slide_y, AxisForm::slide_z}) {
      f(SparseAxis<double>{.form = form, .sign = sign}, Vector6(sign * Vector6::Unit(row++)));
    }
  }
  const Motion<double> H = random.motion();
  f(SparseAxis<double>{.form = AxisForm::general, .H = H}, dense(H));
}

TEST(SparseAxis, IsItsDenseForm) {
  Random random(1);
  for_axes_of_every_form(
      random, [](const SparseAxis<double>& H, const Vector6& expected) { EXPECT_EQ(dense(H.dense()), expected); });
}

TEST(SparseAxis, AddsAMotionAlongItself) {
  Random random(2);
  for_axes_of_every_form(random, [&](const SparseAxis<double>& H, const Vector6& expected) {
    const Motion<double> before = random.motion();
    Motion<double> V = before;
    const double rate = random.number();
    H.visit([&](const auto& axis) { add_along(V, axis, rate); });
    EXPECT_THAT(dense(V), IsNear(dense(before) + expected * rate, rounding));
  });
}

TEST(SparseAxis, AddsTheRateOfAMotionAlongItself) {
  Random random(4);
  for_axes_of_every_form(random, [&](const SparseAxis<double>& H, const Vector6& expected) {
    const Motion<double> before = random.motion(), V = random.motion();
    Motion<double> A = before;
    const double rate = random.number();
    H.visit([&](const auto& axis) { add_cross_along(A, V, axis, rate); });
    EXPECT_THAT(dense(A), IsNear(dense(before) + skew(V) * expected * rate, rounding));
  });
}

TEST(SparseAxis, TakesThePartOfAForceThatWorksAlongIt) {
  Random random(3);
  for_axes_of_every_form(random, [&](const SparseAxis<double>& H, const Vector6& expected) {
    const Force<double> F = random.force();
    EXPECT_NEAR(H.visit([&](const auto& axis) { return dot(axis, F); }), expected.dot(dense(F)), rounding);
  });
}

}  // namespace
}  // namespace articula::test
