// Every kind of trajectory against closed forms, against other libraries, and against its own differences.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/math/special_functions/gamma.hpp>
#include <unsupported/Eigen/Splines>

#include <fstream>
#include <functional>
#include <map>

#include "control/trajectories.h"
#include "support/findings.h"
#include "support/temporary_folder.h"

namespace articula::test {
namespace {

using test::at;
using test::departure_of_derivatives;
using test::error_of;
using test::made;
using testing::DoubleNear;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pointwise;

constexpr double rounding = 1e-13;
const std::vector<std::string> shoulder{"shoulder"}, two{"shoulder", "elbow"};
constexpr double infinity = std::numeric_limits<double>::infinity();

auto near_to(std::vector<double> expected, double tolerance = rounding) {
  return Pointwise(DoubleNear(tolerance), std::move(expected));
}

/// A cubic and its derivatives.
std::vector<double> cubic(double t) {
  return {1 - 2 * t + 3 * t * t - 0.5 * t * t * t, -2 + 6 * t - 1.5 * t * t, 6 - 3 * t, -3, 0};
}

// What holds for all kinds.

std::map<std::string, TrajectoryKind> samples() {
  const Rows points{{0, 1}, {1, -1}, {0.5, 2}, {2, 2.5}};
  const std::vector<double> times{0.5, 1, 2, 2.75};
  return {
      {"constant", ConstantMotion{.joints = two, .value = {3, 4}}},
      {"harmonic",
       HarmonicMotion{.joints = two, .amplitude = {1, 2}, .omega = {3, 0.5}, .phase = {0.1}, .offset = {1, 0}}},
      {"polynomial", PolynomialMotion{.joints = two, .times = times, .points = points, .start_rates = {{0}, {0}}}},
      {"spline", SplineMotion{.joints = two, .times = times, .points = points}},
      {"natural", SplineMotion{.joints = two, .times = times, .points = points, .ends = SplineEnds::natural}},
      {"quintic",
       QuinticMotion{.joints = two, .times = times, .points = points, .speeds = {{0}, {1, 2}, {-1, 0}, {0}}}},
      {"trapezoidal",
       TrapezoidalMotion{
           .joints = two, .points = points, .speed = {2, 1}, .acceleration = {4, 3}, .begin = 0.5, .pause = 0.25}},
      {"b_spline", BSplineMotion{.joints = two, .degree = 3, .times = times, .points = points}},
      {"filtered_step",
       FilteredStep{.joints = two, .from = {1, 2}, .to = {2, -1}, .order = 16, .time_constant = 0.05, .begin = 0.5}},
  };
}

TEST(Trajectories, OnePolynomialTakesTwoHundredPointsAtMost) {
  PolynomialMotion wave{.joints = {"shoulder"}};
  for (int k = 0; k <= 200; ++k) wave.times.push_back(k), wave.points.push_back({0});
  EXPECT_THAT(error_of([&] { made(wave); }),
              HasSubstr("points and rates are 201 together. One polynomial takes at most 200; use a spline.  "
                        "[trajectory-count]"));
  wave.times.pop_back(), wave.points.pop_back();
  EXPECT_EQ(error_of([&] { made(wave); }), "no error");
}

TEST(Trajectories, EachDerivativeIsThatOfTheOneBelow) {
  for (const auto& [name, kind] : samples()) {
    const JointTrajectory wave = made(kind);
    const auto breaks = wave.motion->breaks(10);
    for (double t = -0.5; t < 4; t += 0.0377) {
      double nearest = infinity;
      for (const double each : breaks) nearest = std::min(nearest, std::abs(t - each));
      if (nearest < 0.02) continue;
      EXPECT_LT(departure_of_derivatives(*wave.motion, t, 6, 0.001), 1e-6) << name << " at " << t;
    }
  }
}

TEST(Trajectories, NothingJumpsBetweenBreaksAndAtThemOnlyWhatIsAboveTheSmoothness) {
  constexpr int order = 4;
  constexpr double step = 1e-9;
  for (const auto& [name, kind] : samples()) {
    const JointTrajectory wave = made(kind);
    for (const double t : wave.motion->breaks(10)) {
      const auto before = at(*wave.motion, t - step, order), after = at(*wave.motion, t, order);
      for (std::size_t k = 0; k < before.size(); ++k) {
        if (static_cast<int>(k / 2) > wave.motion->smoothness()) continue;
        EXPECT_NEAR(before[k], after[k], 1e-5) << name << " at " << t << ", derivative " << k / 2;
      }
    }
  }
}

TEST(Trajectories, TheLowestDerivativeAboveTheSmoothnessDoesJumpSomewhere) {
  for (const auto& [name, kind] : samples()) {
    const JointTrajectory wave = made(kind);
    if (wave.motion->smoothness() > 20) {
      EXPECT_THAT(wave.motion->breaks(10), IsEmpty()) << name;
      continue;
    }
    const int order = wave.motion->smoothness() + 1;
    double largest = 0;
    for (const double t : wave.motion->breaks(10)) {
      const auto before = at(*wave.motion, t - 1e-12, order), after = at(*wave.motion, t, order);
      for (std::size_t k = before.size() - 2; k < before.size(); ++k)
        largest = std::max(largest, std::abs(after[k] - before[k]));
    }
    EXPECT_GT(largest, 1e-3) << name;
  }
}

TEST(Trajectories, StandStillBeyondTheirEnds) {
  for (const auto& [name, kind] : samples()) {
    const JointTrajectory wave = made(kind);
    const double begin = wave.motion->begin(), end = wave.motion->end();
    if (name == "harmonic" || name == "constant") continue;
    EXPECT_EQ(begin, 0.5) << name;
    const auto early = at(*wave.motion, begin - 1, 2), start = at(*wave.motion, begin, 0);
    EXPECT_THAT(early, ElementsAre(start[0], start[1], 0, 0, 0, 0)) << name;
    if (std::isinf(end)) continue;
    const auto late = at(*wave.motion, end + 1, 2), finish = at(*wave.motion, end, 2);
    EXPECT_EQ(late, finish) << name;
    EXPECT_THAT(late, ElementsAre(late[0], late[1], 0, 0, 0, 0)) << name;
  }
}

TEST(Trajectories, PassThroughTheirPoints) {
  const Rows points{{0, 1}, {1, -1}, {0.5, 2}, {2, 2.5}};
  const std::vector<double> times{0.5, 1, 2, 2.75};
  for (const char* name : {"polynomial", "spline", "natural", "quintic", "b_spline"}) {
    const JointTrajectory wave = made(samples().at(name));
    for (std::size_t k = 0; k < times.size(); ++k)
      EXPECT_THAT(at(*wave.motion, times[k], 0), near_to(points[k])) << name;
  }
}

TEST(Trajectories, SayWhatTheyMove) {
  const JointTrajectory wave = made(HarmonicMotion{.joints = {"elbow", "shoulder"}, .amplitude = {1, 2}});
  EXPECT_THAT(wave.joints, ElementsAre("elbow", "shoulder"));
  EXPECT_THAT(wave.dofs, ElementsAre(1, 0));
  EXPECT_EQ(wave.motion->size(), 2);
  EXPECT_THAT(trajectory_kind_names(),
              ElementsAre("constant", "harmonic", "polynomial", "spline", "quintic", "trapezoidal", "cartesian_line",
                          "cartesian_points", "b_spline", "filtered_step", "table", "torques_along"));
}

// Kind by kind.

TEST(Harmonic, IsASineWithAllItsDerivatives) {
  const JointTrajectory wave =
      made(HarmonicMotion{.joints = shoulder, .amplitude = {2}, .omega = {3}, .phase = {0.25}, .offset = {0.5}});
  const double s = std::sin(3 * 0.7 + 0.25), c = std::cos(3 * 0.7 + 0.25);
  EXPECT_THAT(at(*wave.motion, 0.7, 5), near_to({0.5 + 2 * s, 6 * c, -18 * s, -54 * c, 162 * s, 486 * c}, 1e-12));
}

TEST(Polynomial, OfDegreeThreeThroughFourPointsIsTheCubicThatTheyLieOn) {
  const JointTrajectory wave =
      made(PolynomialMotion{.joints = shoulder,
                            .times = {0, 1, 1.5, 3},
                            .points = {{cubic(0)[0]}, {cubic(1)[0]}, {cubic(1.5)[0]}, {cubic(3)[0]}}});
  for (const double t : {0.0, 0.3, 1.0, 2.2, 2.9}) EXPECT_THAT(at(*wave.motion, t, 4), near_to(cubic(t), 1e-12));
}

TEST(Polynomial, WithBoundaryDerivativesIsTheOneThatTheyBelongTo) {
  // Two points and two derivatives at either end of a quintic: 6 conditions.
  const auto x = [](double t) {
    return std::vector{t * t * t * t * t - 2 * t + 1, 5 * t * t * t * t - 2, 20 * t * t * t};
  };
  const JointTrajectory wave = made(PolynomialMotion{.joints = shoulder,
                                                     .times = {1, 2},
                                                     .points = {{x(1)[0]}, {x(2)[0]}},
                                                     .start_rates = {{x(1)[1]}, {x(1)[2]}},
                                                     .end_rates = {{x(2)[1]}, {x(2)[2]}}});
  for (const double t : {1.0, 1.3, 1.9}) EXPECT_THAT(at(*wave.motion, t, 2), near_to(x(t), 1e-12));
  EXPECT_EQ(wave.motion->smoothness(), 0);
}

TEST(Polynomial, FromRestToRestIsAsSmoothAsItsEnds) {
  const Rows rest{{0}, {0}, {0}};
  const JointTrajectory wave = made(PolynomialMotion{
      .joints = shoulder, .times = {0, 2}, .points = {{1}, {3}}, .start_rates = rest, .end_rates = rest});
  EXPECT_EQ(wave.motion->smoothness(), 3);
  // 35u⁴ − 84u⁵ + 70u⁶ − 20u⁷ at u = 1/4
  const double u = 0.25;
  EXPECT_NEAR(at(*wave.motion, 0.5, 0)[0], 1 + 2 * std::pow(u, 4) * (35 - 84 * u + 70 * u * u - 20 * u * u * u),
              rounding);
}

TEST(Spline, NotAKnotReproducesACubic) {
  SplineMotion spline{.joints = shoulder, .times = {0, 0.4, 1, 1.9, 2.2}, .ends = SplineEnds::not_a_knot};
  for (const double t : spline.times) spline.points.push_back({cubic(t)[0]});
  const JointTrajectory wave = made(spline);
  for (const double t : {0.1, 0.5, 1.2, 2.0}) EXPECT_THAT(at(*wave.motion, t, 4), near_to(cubic(t), 1e-11));
  EXPECT_THAT(wave.motion->breaks(10), ElementsAre(0, 2.2));
}

TEST(Spline, NotAKnotThroughThreePointsIsTheirParabolaAndThroughTwoTheirLine) {
  const JointTrajectory parabola = made(
      SplineMotion{.joints = shoulder, .times = {0, 1, 3}, .points = {{0}, {1}, {9}}, .ends = SplineEnds::not_a_knot});
  EXPECT_THAT(at(*parabola.motion, 2, 3), near_to({4, 4, 2, 0}));
  const JointTrajectory line =
      made(SplineMotion{.joints = shoulder, .times = {0, 2}, .points = {{0}, {1}}, .ends = SplineEnds::not_a_knot});
  EXPECT_THAT(at(*line.motion, 1, 2), near_to({0.5, 0.5, 0}));
}

TEST(Spline, ClampedReproducesACubicWithItsSpeeds) {
  SplineMotion spline{.joints = shoulder, .times = {0, 1, 3}, .start_speed = {cubic(0)[1]}, .end_speed = {cubic(3)[1]}};
  for (const double t : spline.times) spline.points.push_back({cubic(t)[0]});
  const JointTrajectory wave = made(spline);
  for (const double t : {0.1, 1.0, 2.5}) EXPECT_THAT(at(*wave.motion, t, 4), near_to(cubic(t), 1e-12));
}

TEST(Spline, ThroughThreePointsFromRestToRestHasTheTextbookSpeedInTheMiddle) {
  // Equal times T: v = 3(x2 − x0)/(4T), and the acceleration is continuous.  [Craig, Introduction to Robotics, 7.3]
  const JointTrajectory wave =
      made(SplineMotion{.joints = shoulder, .times = {0, 2, 4}, .points = {{0.1}, {0.9}, {0.5}}});
  EXPECT_THAT(at(*wave.motion, 2, 1), near_to({0.9, 3 * 0.4 / 8}));
  EXPECT_NEAR(at(*wave.motion, 2 - 1e-9, 2)[2], at(*wave.motion, 2, 2)[2], 1e-8);
  EXPECT_EQ(wave.motion->smoothness(), 1);
  EXPECT_THAT(wave.motion->breaks(10), ElementsAre(0, 2, 4));
}

TEST(Spline, NaturalEndsWithoutAcceleration) {
  const JointTrajectory wave = made(samples().at("natural"));
  EXPECT_THAT(at(*wave.motion, 0.5, 2),
              near_to({0, 1, at(*wave.motion, 0.5, 1)[2], at(*wave.motion, 0.5, 1)[3], 0, 0}));
}

TEST(Spline, APeriodicOneNearsASineAndRepeats) {
  SplineMotion spline{.joints = shoulder, .ends = SplineEnds::periodic};
  constexpr int count = 64;
  for (int k = 0; k <= count; ++k) {
    spline.times.push_back(k / static_cast<double>(count));
    spline.points.push_back({k == count ? 0 : std::sin(2 * M_PI * k / count)});
  }
  const JointTrajectory wave = made(spline);
  for (const double t : {-3.3, 0.01, 0.77, 12.345}) {
    EXPECT_NEAR(at(*wave.motion, t, 1)[0], std::sin(2 * M_PI * t), 1e-6);
    EXPECT_NEAR(at(*wave.motion, t, 1)[1], 2 * M_PI * std::cos(2 * M_PI * t), 1e-4);
  }
  EXPECT_EQ(wave.motion->smoothness(), 2);
  EXPECT_TRUE(std::isinf(wave.motion->end()));
  EXPECT_THAT(
      error_of([&] {
        spline.points.back() = {0.1};
        made(spline);
      }),
      "study.yaml:7: trajectory \"wave\": the spline is periodic, but joint \"shoulder\" begins at 0 and ends at "
      "0.1. Both must be the same number.  [trajectory-value]");
}

TEST(Quintic, FromRestToRestIsTheKnownPolynomial) {
  const JointTrajectory wave = made(QuinticMotion{.joints = shoulder, .times = {1, 3}, .points = {{2}, {5}}});
  for (const double u : {0.0, 0.2, 0.5, 0.9}) {
    const double x = 2 + 3 * u * u * u * (10 - 15 * u + 6 * u * u), v = 3 * 30 * u * u * (1 - u) * (1 - u) / 2;
    EXPECT_THAT(at(*wave.motion, 1 + 2 * u, 1), near_to({x, v}, 1e-12));
  }
  EXPECT_EQ(wave.motion->smoothness(), 2);
}

TEST(Trapezoidal, TheLongestWayKeepsItsLimitsAndTheOthersArriveWithIt) {
  // 2 rad at most 1 rad/s, 2 rad/s²: ramps of 0.5 s, 2.5 s in all; the elbow could be faster.
  const JointTrajectory wave = made(
      TrapezoidalMotion{.joints = two, .points = {{0, 1}, {2, 0.5}}, .speed = {1}, .acceleration = {2}, .begin = 1});
  EXPECT_THAT(wave.motion->breaks(10), near_to({1, 1.5, 3, 3.5}));
  EXPECT_THAT(at(*wave.motion, 1.25, 2), near_to({0.0625, 1 - 0.25 * 0.0625, 0.5, -0.125, 2, -0.5}));
  EXPECT_THAT(at(*wave.motion, 2.25, 2), near_to({1, 0.75, 1, -0.25, 0, 0}));
  EXPECT_THAT(at(*wave.motion, 3.5, 0), near_to({2, 0.5}, 0));
  EXPECT_EQ(wave.motion->smoothness(), 1);
}

TEST(Trapezoidal, AShortWayNeverGetsToFullSpeed) {
  const JointTrajectory wave =
      made(TrapezoidalMotion{.joints = shoulder, .points = {{0}, {1}}, .speed = {10}, .acceleration = {4}});
  EXPECT_NEAR(wave.motion->end(), 1, rounding);
  EXPECT_THAT(at(*wave.motion, 0.5, 1), near_to({0.5, 2}));
}

TEST(Trapezoidal, ALongerDurationMakesItSlowerWithTheSameAcceleration) {
  const JointTrajectory wave = made(
      TrapezoidalMotion{.joints = shoulder, .points = {{0}, {2}}, .speed = {1}, .acceleration = {2}, .duration = 4});
  EXPECT_NEAR(wave.motion->end(), 4, rounding);
  EXPECT_NEAR(at(*wave.motion, 0, 2)[2], 2, rounding);
  EXPECT_NEAR(at(*wave.motion, 2, 0)[0], 1, rounding);
  EXPECT_THAT(error_of([] {
                made(TrapezoidalMotion{
                    .joints = shoulder, .points = {{0}, {2}}, .speed = {1}, .acceleration = {2}, .duration = 2});
              }),
              "study.yaml:7: trajectory \"wave\": duration is 2 s, but the way from point 0 to the next takes at least "
              "2.5 s. Give a longer one, or higher limits.  [trajectory-value]");
}

TEST(BSpline, ByControlPointsAgreesWithEigen) {
  const std::vector<double> knots{0, 0, 0, 0, 0, 0.2, 0.5, 0.5, 0.8, 1, 1, 1, 1, 1};
  BSplineMotion spline{.joints = two, .degree = 4, .knots = knots};
  Eigen::Matrix<double, 2, Eigen::Dynamic> control(2, 9);
  for (int k = 0; k < 9; ++k) {
    control.col(k) << std::sin(1.7 * k), std::cos(2.3 * k * k);
    spline.control.push_back({control(0, k), control(1, k)});
  }
  using Spline = Eigen::Spline<double, 2>;
  const Spline other(Eigen::Map<const Spline::KnotVectorType>(knots.data(), 14), control);
  const JointTrajectory wave = made(spline);
  for (const double t : {0.0, 0.1, 0.2, 0.35, 0.5, 0.77, 0.99}) {
    const auto ours = at(*wave.motion, t, 4);
    const Eigen::MatrixXd theirs = other.derivatives(t, 4);
    for (int k = 0; k <= 4; ++k) {
      for (int i = 0; i < 2; ++i)
        EXPECT_NEAR(ours[static_cast<std::size_t>(2 * k + i)], theirs(i, k), 1e-10 * (1 + std::abs(theirs(i, k))));
    }
  }
}

TEST(BSpline, ThroughPointsReproducesAPolynomialOfItsDegree) {
  const auto x = [](double t) { return std::pow(t, 5) - t * t; };
  BSplineMotion spline{.joints = shoulder,
                       .degree = 5,
                       .times = {0, 0.3, 0.9, 1.1, 2},
                       .start_rates = {{0}, {-2}},
                       .end_rates = {{76}, {158}}};
  for (const double t : spline.times) spline.points.push_back({x(t)});
  const JointTrajectory wave = made(spline);
  for (const double t : {0.1, 0.5, 1.0, 1.7})
    EXPECT_THAT(at(*wave.motion, t, 2), near_to({x(t), 5 * std::pow(t, 4) - 2 * t, 20 * t * t * t - 2}, 1e-10));
}

TEST(BSpline, OfDegreeOneIsAStraightLineFromPointToPoint) {
  const JointTrajectory wave =
      made(BSplineMotion{.joints = shoulder, .degree = 1, .times = {0, 1, 3}, .points = {{0}, {2}, {1}}});
  EXPECT_THAT(at(*wave.motion, 2, 1), near_to({1.5, -0.5}));
}

TEST(BSpline, WrongKnotsAreRefusedWithTheirNumbers) {
  BSplineMotion spline{.joints = shoulder, .degree = 2, .knots = {0, 0, 0, 1, 1}, .control = {{0}, {1}, {2}}};
  EXPECT_EQ(
      error_of([&] { made(spline); }),
      "study.yaml:7: trajectory \"wave\": there are 5 knots for 3 control points of degree 2. Needed are at least 3 "
      "control points, and 3 knots more than those.  [trajectory-knots]");
  spline.knots = {0, 0, 0, 1, 0.5, 1};
  EXPECT_THAT(error_of([&] { made(spline); }), HasSubstr("knots[4] is 0.5. Knots are finite and do not descend."));
  spline.knots = {0, 0, 0, 0.5, 0.5, 0.5, 1, 1, 1};
  spline.control = {{0}, {1}, {2}, {3}, {4}, {5}};
  EXPECT_THAT(error_of([&] { made(spline); }),
              HasSubstr("the knot 0.5 stands 3 times, so that the joints would jump."));
}

TEST(FilteredStep, IsTheIncompleteGammaFunctionWithAllItsDerivatives) {
  const JointTrajectory wave =
      made(FilteredStep{.joints = shoulder, .from = {0}, .to = {2}, .order = 16, .time_constant = 0.05});
  for (const double t : {0.001, 0.1, 0.5, 0.8, 1.1, 2.5}) {
    const double u = t / 0.05;
    const auto x = at(*wave.motion, t, 1);
    EXPECT_NEAR(x[0], 2 * boost::math::gamma_p(16, u), rounding);
    EXPECT_NEAR(x[1], 2 * boost::math::gamma_p_derivative(16, u) / 0.05, 1e-12);
  }
  // Without losing digits where little has happened yet.
  EXPECT_NEAR(at(*wave.motion, 0.001, 0)[0] / (2 * boost::math::gamma_p(16, 0.02)), 1, 1e-12);
  EXPECT_EQ(wave.motion->smoothness(), 15);
}

TEST(FilteredStep, ObeysTheFilter) {
  // (1 + T·d/dt)ⁿ x = 1
  constexpr int n = 5;
  constexpr double T = 0.3;
  const JointTrajectory wave = made(FilteredStep{.joints = shoulder, .order = n, .time_constant = T});
  for (const double t : {0.01, 0.3, 1.0, 3.0}) {
    const auto x = at(*wave.motion, t, n);
    double sum = 0, binomial = 1;
    for (int k = 0; k <= n; ++k) {
      sum += binomial * std::pow(T, k) * x[static_cast<std::size_t>(k)];
      binomial *= static_cast<double>(n - k) / (k + 1);
    }
    EXPECT_NEAR(sum, 1, 1e-12);
  }
}

// Tables.

/// The folder that the file is in.
std::filesystem::path written(const std::string& name, const std::string& text) {
  static const test::TemporaryFolder folder;
  folder.file(name, text);
  return folder.path();
}

TEST(Table, ReadsColumnsByNameWithOrWithoutTheirUnits) {
  const auto folder = written(
      "motion.csv",
      "\xEF\xBB\xBF# made by hand\r\nt [s],note,\"elbow [rad]\",shoulder\r\n0,a,1,0\r\n\r\n1,b,3,0.5\r\n3,c,4,2\r\n");
  const JointTrajectory wave =
      made(TableMotion{.joints = two, .file = "motion.csv", .interpolation = Interpolation::linear}, test::small_arm(),
           folder);
  EXPECT_THAT(at(*wave.motion, 2, 1), near_to({1.25, 3.5, 0.75, 0.5}));
  EXPECT_EQ(wave.motion->smoothness(), 0);
  EXPECT_EQ(wave.motion->end(), 3);
}

TEST(Table, CubicReproducesACubic) {
  std::string text = "time,x\n";
  for (double t = 0; t < 3; t += 0.25) text += std::to_string(t) + "," + std::to_string(cubic(t)[0]) + "0\n";
  const auto folder = written("cubic.csv", text);
  const JointTrajectory wave =
      made(TableMotion{.joints = shoulder, .file = "cubic.csv", .time = "time", .columns = {"x"}, .scale = 2},
           test::small_arm(), folder);
  EXPECT_THAT(at(*wave.motion, 1.3, 1), near_to({2 * cubic(1.3)[0], 2 * cubic(1.3)[1]}, 1e-5));  // six decimals
}

TEST(Table, SaysWhereTheFileIsWrong) {
  const auto error = [&](const std::string& text, TableMotion table = {.joints = shoulder}) {
    const auto folder = written("wrong.csv", text);
    table.file = "wrong.csv";
    std::string what = error_of([&] { made(table, test::small_arm(), folder); });
    const std::string path = (folder / "wrong.csv").string();
    if (const auto place = what.find(path); place != std::string::npos) what.replace(place, path.size(), "wrong.csv");
    return what;
  };
  EXPECT_EQ(error("t,shoulder\n0,1\n1,1,5\n"),
            "wrong.csv:3: the line has 3 fields, but the header has 2. Every line needs as many.  [csv-row]");
  EXPECT_EQ(error("t,shoulder\n0,1\n1,1abc\n"),
            "wrong.csv:3: column \"shoulder\": \"1abc\" is not a number. Write e.g. 0.5 or 1e-3.  [number-invalid]");
  EXPECT_EQ(error("t,sholder\n0,1\n1,1\n"),
            "wrong.csv: column \"shoulder\" not found. Did you mean \"sholder\"? Columns: t, sholder.  [csv-column]");
  EXPECT_EQ(error("t,t\n0,1\n"),
            "wrong.csv:1: two columns are called \"t\". Each needs a name of its own.  [csv-column]");
  EXPECT_EQ(error("t,\"shoulder\n0,1\n"),
            "wrong.csv:1: a field that begins with a quote is not closed by one. Write \"like this\".  [csv-quote]");
  EXPECT_EQ(error(""),
            "wrong.csv: the table is empty. It begins with a line of column names, e.g. t,q1,q2.  [text-empty]");
  EXPECT_EQ(
      error("t,shoulder\n0,1\n0,1\n"),
      "study.yaml:7: trajectory \"wave\": times[1] is 0 after 0. Times are finite and ascend.  [trajectory-times]");
  EXPECT_EQ(error("t,shoulder\n0,1\n"),
            "study.yaml:7: trajectory \"wave\": there are 1 points. At least 2 are needed.  [trajectory-times]");
  EXPECT_THAT(error_of([] { made(TableMotion{.joints = shoulder, .file = "nowhere.csv"}); }),
              HasSubstr("[file-missing]"));
}

// What users write wrongly.

TEST(Trajectories, OfExtremeTimesAndPointsAreFiniteOrRefused) {
  const std::vector<std::vector<double>> all_times{{0, 1e300},
                                                   {0, 1e-300},
                                                   {-1e308, 1e308},
                                                   {1, std::nextafter(1.0, 2.0)},
                                                   {0, 1, 1e300},
                                                   {0, 1e-200, 1, 1e100, 1e200, 1e300},
                                                   {0, 1, 2, 3, 4, 5, 6, 1e300}};
  int refused = 0, finite = 0;
  for (const auto& times : all_times) {
    for (const double size : {1.0, 1e300}) {
      Rows points;
      for (std::size_t k = 0; k < times.size(); ++k) points.push_back({k % 2 == 0 ? -size : size});
      std::vector<TrajectoryKind> kinds{PolynomialMotion{.joints = shoulder, .times = times, .points = points},
                                        QuinticMotion{.joints = shoulder, .times = times, .points = points},
                                        TrapezoidalMotion{.joints = shoulder, .points = points, .speed = {1e-300}}};
      for (const SplineEnds ends : {SplineEnds::clamped, SplineEnds::natural, SplineEnds::not_a_knot})
        kinds.emplace_back(SplineMotion{.joints = shoulder, .times = times, .points = points, .ends = ends});
      for (const int degree : {1, 2, 3, 5})
        kinds.emplace_back(BSplineMotion{.joints = shoulder, .degree = degree, .times = times, .points = points});
      for (const TrajectoryKind& kind : kinds) {
        try {
          const JointTrajectory wave = made(kind);
          ++finite;
          for (const double t : times) {
            for (const double x : at(*wave.motion, t, 0)) EXPECT_TRUE(std::isfinite(x)) << t;
          }
        } catch (const Error& error) {
          ++refused;
          EXPECT_THAT(error.code(), testing::AnyOf("trajectory-range", "trajectory-count")) << error.what();
        }
      }
    }
  }
  EXPECT_GT(refused, 20);
  EXPECT_GT(finite, 20);
}

TEST(Spline, WithAJumpInEachOfTooManyPeriodsIsRefusedNotListed) {
  SplineMotion spline{.joints = shoulder, .times = {0, 1e-9, 2e-9, 3e-9}, .points = {{0}, {1}, {-1}, {0}}};
  spline.ends = SplineEnds::periodic;
  const JointTrajectory wave = made(spline);
  ASSERT_FALSE(wave.motion->breaks(1e-9).empty());
  EXPECT_THAT(error_of([&] { wave.motion->breaks(1e6); }), HasSubstr("has more than 1e+06 periods until 1e+06 s"));
}

TEST(Trajectories, RefuseJointsThatTheyCannotMove) {
  EXPECT_EQ(error_of([] { made(ConstantMotion{.joints = {"elbo"}}); }),
            "study.yaml:7: trajectory \"wave\": joint \"elbo\" not found in \"arm\". Did you mean \"elbow\"? Joints: "
            "shoulder, elbow, lift, socket.wx, socket.wy, socket.wz, socket.  [no-such-joint]");
  EXPECT_EQ(error_of([] {
              made(ConstantMotion{.joints = {"elbow", "elbow"}});
            }),
            "study.yaml:7: trajectory \"wave\": joint \"elbow\" is named twice. Name it once.  [trajectory-joint]");
  EXPECT_EQ(
      error_of([] { made(ConstantMotion{.joints = {"lift"}}); }),
      "study.yaml:7: trajectory \"wave\": joint \"lift\" slides, but the trajectory's numbers are of turning joints. "
      "Write `moves: sliding`, or `moves: mixed` and plain SI numbers.  [trajectory-moves]");
  EXPECT_THAT(error_of([] { made(ConstantMotion{.joints = {"socket.wx"}, .moves = Moves::mixed}); }),
              HasSubstr("joint \"socket.wx\" is spherical: its coordinates are no plain numbers that could follow a "
                        "trajectory. Name other joints, or prescribe its pose by the coordinates x, y, z, roll, pitch, "
                        "yaw of the joint."));
  // By the angles of its pose it can be prescribed.
  EXPECT_EQ(made(ConstantMotion{.joints = {"socket"}}).joints,
            (std::vector<std::string>{"socket.roll", "socket.pitch", "socket.yaw"}));
  EXPECT_EQ(
      error_of([] {
        made(ConstantMotion{.joints = two, .value = {1, 2, 3}});
      }),
      "study.yaml:7: trajectory \"wave\": value has 3 numbers. It needs one for all joints, or 2, one for each of: "
      "shoulder, elbow.  [trajectory-count]");
  EXPECT_EQ(made(ConstantMotion{.joints = {"lift"}, .moves = Moves::sliding}).dofs, std::vector<int>{2});
}

TEST(Trajectories, RefuseTimesAndNumbersThatMakeNoSense) {
  EXPECT_EQ(error_of([] {
              made(SplineMotion{.joints = shoulder, .times = {0, 1}, .points = {{0}, {1}, {2}}});
            }),
            "study.yaml:7: trajectory \"wave\": there are 2 times for 3 points. Each point needs its time.  "
            "[trajectory-times]");
  EXPECT_EQ(error_of([] { made(FilteredStep{.joints = shoulder}); }),
            "study.yaml:7: trajectory \"wave\": time_constant is 0. It must be greater than zero.  [trajectory-value]");
  EXPECT_EQ(error_of([] { made(FilteredStep{.joints = shoulder, .order = 0, .time_constant = 1}); }),
            "study.yaml:7: trajectory \"wave\": order is 0. Allowed: 1 to 100.  [trajectory-value]");
  EXPECT_THAT(error_of([] { made(HarmonicMotion{.joints = shoulder, .omega = {std::nan("")}}); }),
              HasSubstr("omega is nan. Only finite numbers are allowed.  [trajectory-value]"));
  EXPECT_THAT(error_of([] { made(BSplineMotion{.joints = shoulder}); }),
              HasSubstr("it has neither `times` and `points` nor `knots` and `control`. Give the one or the other.  "
                        "[value-missing]"));
}

}  // namespace
}  // namespace articula::test
