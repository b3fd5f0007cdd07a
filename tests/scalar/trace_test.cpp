#include <articula/scalar/trace.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <articula/base/error.h>

#include "generate/evaluate.h"

namespace articula::test {
namespace {

using testing::HasSubstr;

struct TraceTest : testing::Test {
  ExpressionGraph graph;
  Recording recording{graph};
  Trace x = recording.input(0, 0), y = recording.input(0, 1);

  /// The value of an expression at x = 0.3, y = −1.7.
  double value(const Trace& a) {
    const int place = a.place();
    return test::values_of(graph, {{0.3, -1.7}})[static_cast<std::size_t>(place)];
  }
};

TEST_F(TraceTest, ConstantsAreComputedWhileRecording) {
  const Trace a = Trace(2) * Trace(3) + Trace(1) - sqrt(Trace(4));
  EXPECT_TRUE(a.is_constant());
  EXPECT_EQ(a.value(), 5);
  EXPECT_EQ(graph.size(), 2);  // the inputs
}

TEST_F(TraceTest, ZeroAndOneLeaveNoTrace) {
  const int before = graph.size();
  EXPECT_EQ((x + 0.0).place(), x.place());
  EXPECT_EQ((x - 0.0).place(), x.place());
  EXPECT_EQ((1.0 * x).place(), x.place());
  EXPECT_EQ((x - x).value(), 0);
  EXPECT_EQ((0.0 * x).value(), 0);
  EXPECT_EQ((-(-x)).place(), x.place());
  EXPECT_EQ((-1.0 * x).place(), (-x).place());
  EXPECT_EQ(graph.size(), before + 1);  // −x
}

TEST_F(TraceTest, WhatExistsIsSharedInEitherOrder) {
  EXPECT_EQ((x * y).place(), (y * x).place());
  EXPECT_EQ((x + y).place(), (y + x).place());
  EXPECT_EQ((x * 3.0).place(), (3.0 * x).place());
  EXPECT_EQ((sin(x) * 2.0).place(), (2.0 * sin(x)).place());
  const Trace forth = x - y;
  EXPECT_EQ((y - x).place(), (-forth).place());
}

TEST_F(TraceTest, SignsMoveOutwardToTheSumThatTakesThemUp) {
  EXPECT_EQ((x + (-y)).place(), (x - y).place());
  EXPECT_EQ((x - (-y)).place(), (x + y).place());
  EXPECT_EQ(((-x) * (-y)).place(), (x * y).place());
  EXPECT_EQ((x + (-2.0) * y).place(), (x - 2.0 * y).place());
  EXPECT_EQ(sin(-x).place(), (-sin(x)).place());
  EXPECT_EQ(cos(-x).place(), cos(x).place());
}

TEST_F(TraceTest, FactorsOfFactorsAreMultipliedBeforehand) {
  EXPECT_EQ((2.0 * (3.0 * x)).place(), (6.0 * x).place());
  EXPECT_EQ((0.5 * (-2.0 * x)).place(), (-x).place());
  EXPECT_EQ((x / 4.0).place(), (0.25 * x).place());
}

TEST_F(TraceTest, WhateverIsFoldedTheValueStays) {
  const double a = 0.3, b = -1.7;
  EXPECT_DOUBLE_EQ(value((x - y) * (y - x) / (-x)), (a - b) * (b - a) / -a);
  EXPECT_DOUBLE_EQ(value(-(x + 2.0) * -3.0 * y - sqrt(x) / -y), -(a + 2) * -3.0 * b - std::sqrt(a) / -b);
  EXPECT_DOUBLE_EQ(value(cos(-x) * sin(-y) - (-x)), std::cos(-a) * std::sin(-b) + a);
  EXPECT_DOUBLE_EQ(value(-(-x - y) - (2.0 - x)), a + b - (2 - a));
}

TEST_F(TraceTest, ABranchOnAValueThatIsNotKnownIsAnError) {
  EXPECT_TRUE(Trace(1) < Trace(2));
  EXPECT_TRUE(x == x);
  try {
    EXPECT_FALSE(x < Trace(1));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), "trace-branch");
    EXPECT_THAT(error.message(), HasSubstr("known only when the recorded algorithm runs"));
  }
  EXPECT_THROW(static_cast<void>(x == y), Error);
}

TEST_F(TraceTest, AGraphThatGrowsTooLargeIsAnError) {
  graph.most = 10;
  Trace sum = x;
  try {
    for (int k = 0; k < 20; ++k) sum = sum * y + x;
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), "trace-too-large");
    EXPECT_THAT(error.message(), HasSubstr("more than 10 operations"));
  }
}

TEST(Operations, EachStandsAtItsPlaceAndObeysItsLaw) {
  for (std::size_t k = 0; k < all_operations.size(); ++k) {
    const OperationTraits& row = all_operations[k];
    ASSERT_EQ(static_cast<std::size_t>(row.operation), k);
    if (row.operation <= Operation::input) {
      EXPECT_EQ(row.value, nullptr);
      continue;
    }
    EXPECT_FALSE(row.in_c.empty());
    for (const double a : {0.3, 1.7}) {
      const double value = row.value(a, 0.9);
      EXPECT_TRUE(row.law != Law::commutes || row.value(0.9, a) == value) << row.in_c;
      EXPECT_TRUE(row.law != Law::odd || row.value(-a, 0) == -value) << row.in_c;
      EXPECT_TRUE(row.law != Law::even || row.value(-a, 0) == value) << row.in_c;
    }
  }
}

TEST_F(TraceTest, EveryOperationIsRecordedByItsRow) {
  for (const OperationTraits& row : all_operations) {
    if (row.operands == 0) continue;
    const bool takes_two = row.operands == 2;
    const auto of = [&](const Trace& a, const Trace& b) {
      return takes_two ? Trace::of(row.operation, a, b) : Trace::of(row.operation, a);
    };
    EXPECT_EQ(of(2.0, 3.0).value(), row.value(2, 3)) << row.in_c;
    EXPECT_EQ(value(of(-y, x)), row.value(1.7, 0.3)) << row.in_c;
    EXPECT_EQ(of(x, y).place(), of(x, y).place()) << row.in_c;
    EXPECT_EQ(of(x, y).place() == of(y, x).place(), takes_two && row.law == Law::commutes) << row.in_c;
  }
}

TEST(Trace, WithoutARecordingItIsAnError) {
  try {
    Trace(1).place();
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), "trace-not-recording");
    EXPECT_THAT(error.message(), HasSubstr("nothing is being recorded"));
  }
}

}  // namespace
}  // namespace articula::test
