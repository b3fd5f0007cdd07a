#include <articula/scalar/dual.h>

#include <cmath>

#include <gtest/gtest.h>

#include "support/sample.h"
#include "support/seeded.h"

namespace articula::test {
namespace {

using test::accelerations, test::gap, test::masses, test::Sample, test::seeded_q, test::torques;
using Numbers = std::vector<double>;

/// Derivatives that are exact up to rounding, of functions and derivatives of the order of one.
constexpr double rounding = 1e-14;
/// The same through recursions over ten bodies, relative to the largest entry.
constexpr double through_recursion = 1e-13;
/// Of central differences with step 1e-5: the step squared, and rounding over the step.
constexpr double step = 1e-5, by_differences = 1e-8;

void expect_derivative(Dual result, double value, double derivative) {
  EXPECT_NEAR(result.x, value, rounding);
  EXPECT_NEAR(result.dx, derivative, rounding);
}

TEST(Dual, ObeysTheRulesOfDifferentiation) {
  const Dual a(0.7, 2), b(-1.3, 0.5);
  expect_derivative(a + b, -0.6, 2.5);
  expect_derivative(a - b, 2.0, 1.5);
  expect_derivative(a * b, -0.91, 2 * -1.3 + 0.7 * 0.5);
  expect_derivative(a / b, 0.7 / -1.3, (2 * -1.3 - 0.7 * 0.5) / (1.3 * 1.3));
  expect_derivative(-a, -0.7, -2);
  expect_derivative(+a, 0.7, 2);
}

TEST(Dual, TakesAnOrdinaryNumberForAConstant) {
  const Dual a(0.7, 2);
  for (const double c : {3.0, -0.4}) {
    expect_derivative(a + c, 0.7 + c, 2);
    expect_derivative(c + a, 0.7 + c, 2);
    expect_derivative(a - c, 0.7 - c, 2);
    expect_derivative(c - a, c - 0.7, -2);
    expect_derivative(a * c, 0.7 * c, 2 * c);
    expect_derivative(c * a, 0.7 * c, 2 * c);
    expect_derivative(a / c, 0.7 / c, 2 / c);
    expect_derivative(c / a, c / 0.7, -c * 2 / 0.49);
  }
  Dual sum = a;
  sum += 1, sum -= Dual(0.2, 1), sum *= 2, sum /= a;
  expect_derivative(sum, 3.0 / 0.7, (2 * 0.7 - 3.0 * 2) / 0.49);
}

TEST(Dual, KnowsTheDerivativesOfElementaryFunctions) {
  for (const double x : {0.15, 0.5, 0.85}) {
    const Dual a(x, 3);
    expect_derivative(sqrt(a), std::sqrt(x), 1.5 / std::sqrt(x));
    expect_derivative(sin(a), std::sin(x), 3 * std::cos(x));
    expect_derivative(cos(a), std::cos(x), -3 * std::sin(x));
    expect_derivative(tan(a), std::tan(x), 3 / (std::cos(x) * std::cos(x)));
    expect_derivative(asin(a), std::asin(x), 3 / std::sqrt(1 - x * x));
    expect_derivative(acos(a), std::acos(x), -3 / std::sqrt(1 - x * x));
    expect_derivative(atan(a), std::atan(x), 3 / (1 + x * x));
    expect_derivative(exp(a), std::exp(x), 3 * std::exp(x));
    expect_derivative(log(a), std::log(x), 3 / x);
    expect_derivative(abs(-a), x, 3);
    expect_derivative(atan2(sin(a), cos(a)), x, 3);
    expect_derivative(atan2(-sin(a), -cos(a)), x - std::acos(-1), 3);
  }
}

TEST(Dual, BranchesByTheNumberAlone) {
  EXPECT_LT(Dual(1, 5), Dual(2, 0));
  EXPECT_GE(Dual(1, 5), 1.0);
  EXPECT_EQ(Dual(1, 5), Dual(1, 0));
  EXPECT_NE(Dual(1, 5), 2.0);
}

/// q ⊕ h·dv.
Numbers advanced(const Mechanism& mech, const Numbers& q, const Numbers& dv, double h) {
  Numbers moved(q.size()), way(dv.size());
  for (std::size_t k = 0; k < dv.size(); ++k) way[k] = h * dv[k];
  for (const Body& body : mech.bodies) {
    visit_joint(body.joint, [&]<class J>(J) {
      J::advanced(q.data() + body.q.first, way.data() + body.v.first, moved.data() + body.q.first);
    });
  }
  return moved;
}

class DualDynamics : public testing::TestWithParam<std::uint32_t> {};

TEST_P(DualDynamics, HasTheNumbersOfOrdinaryDynamics) {
  const Sample s(GetParam());
  const std::vector<Dual> q = seeded_q(s.built.mechanism, s.q, s.dv), v = test::constant(s.v),
                          vdot = test::constant(s.vdot);
  EXPECT_LT(gap(test::values(torques(s.built, q, v, vdot)), torques(s.built, s.q, s.v, s.vdot)), through_recursion);
  EXPECT_LT(gap(test::values(masses(s.built, q)), masses(s.built, s.q)), through_recursion);
}

TEST_P(DualDynamics, HasTheDerivativesThatDifferencesHave) {
  const Sample s(GetParam());
  const Mechanism& mech = s.built.mechanism;
  const std::vector<Dual> q = seeded_q(mech, s.q, s.dv), v = test::constant(s.v), vdot = test::constant(s.vdot);
  const auto difference = [&](auto f) {
    Numbers ahead = f(advanced(mech, s.q, s.dv, step)), behind = f(advanced(mech, s.q, s.dv, -step));
    for (std::size_t k = 0; k < ahead.size(); ++k) ahead[k] = (ahead[k] - behind[k]) / (2 * step);
    return ahead;
  };
  EXPECT_LT(gap(test::derivatives(torques(s.built, q, v, vdot)),
                difference([&](const Numbers& at) { return torques(s.built, at, s.v, s.vdot); })),
            by_differences);
  EXPECT_LT(
      gap(test::derivatives(masses(s.built, q)), difference([&](const Numbers& at) { return masses(s.built, at); })),
      by_differences);
}

TEST_P(DualDynamics, GoesForthAndBackToTheSameDerivatives) {
  // Every joint carries a body of its own, else the mass matrix may be singular.
  const Sample s(GetParam(), {.kinds = {}, .moving_frames = 0, .chained = 0});
  const std::vector<Dual> q = seeded_q(s.built.mechanism, s.q, s.dv), v = test::seeded(s.v, s.dv),
                          vdot = test::seeded(s.vdot, s.v);
  const std::vector<Dual> back = accelerations(s.built, q, v, torques(s.built, q, v, vdot));
  // Light bodies at the ends of chains make some accelerations ill-conditioned.
  constexpr double conditioned = 1e-10;
  EXPECT_LT(gap(test::values(back), s.vdot), conditioned);
  EXPECT_LT(gap(test::derivatives(back), s.v), conditioned);
}

INSTANTIATE_TEST_SUITE_P(Seed, DualDynamics, testing::Range(1u, 21u), testing::PrintToStringParamName());

}  // namespace
}  // namespace articula::test
