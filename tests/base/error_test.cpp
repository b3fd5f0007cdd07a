#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <articula/base/error.h>

#include "support/names.h"

namespace articula::test {
namespace {

using testing::SizeIs;

const Finding zero_axis{Severity::error,
                        "joint-axis-zero",
                        {"arm.urdf", 41},
                        "joint \"elbow\": axis is (0, 0, 0). An axis needs a direction; give e.g. (0, 0, 1)."};
const Finding odd_size{
    Severity::warning, "inertia-implausible", {"arm.urdf", 12}, "body \"hand\" is as large as a house."};
const Finding merged{Severity::note, "bodies-merged", {}, "bodies a, b merged."};
const Finding no_root{Severity::error, "no-root", {"arm.urdf"}, "every body has a parent."};

TEST(Where, NamesFileAndLineAsFarAsKnown) {
  EXPECT_EQ(to_text(Where{"arm.urdf", 41}), "arm.urdf:41");
  EXPECT_EQ(to_text(Where{"arm.urdf"}), "arm.urdf");
  EXPECT_EQ(to_text(Where{"", 41}), "line 41");
  EXPECT_EQ(to_text(Where{}), "");
}

TEST(Severity, HasAWord) {
  EXPECT_EQ(to_text(Severity::note), "note");
  EXPECT_EQ(to_text(Severity::warning), "warning");
  EXPECT_EQ(to_text(Severity::error), "error");
}

TEST(Finding, ReadsPlaceMessageCode) {
  EXPECT_EQ(to_text(zero_axis),
            "arm.urdf:41: joint \"elbow\": axis is (0, 0, 0). An axis needs a direction; give e.g. (0, 0, 1)."
            "  [joint-axis-zero]");
}

TEST(Finding, WithoutAPlaceStartsWithTheMessage) { EXPECT_EQ(to_text(merged), "bodies a, b merged.  [bodies-merged]"); }

TEST(Error, ReadsLikeItsFinding) {
  const Error error("joint-axis-zero", {"arm.urdf", 41}, zero_axis.message);
  EXPECT_EQ(error.what(), to_text(zero_axis));
  EXPECT_EQ(error.code(), "joint-axis-zero");
  EXPECT_EQ(error.message(), zero_axis.message);
  EXPECT_EQ(error.where().file, "arm.urdf");
  EXPECT_EQ(error.where().line, 41);
  EXPECT_THAT(error.errors(), SizeIs(1));
}

TEST(Error, GathersAllErrorsAndOnlyErrors) {
  const Error error(Findings{odd_size, zero_axis, merged, no_root});
  EXPECT_EQ(error.what(), to_text(zero_axis) + "\n" + to_text(no_root));
  EXPECT_EQ(error.code(), "joint-axis-zero");
  EXPECT_THAT(error.errors(), SizeIs(2));
}

TEST(Error, IsAStandardException) { EXPECT_THROW(throw Error("a-code", {}, "a message."), std::exception); }

TEST(Findings, ThrowOnlyWhenThereAreErrors) {
  EXPECT_FALSE(has_errors({}));
  EXPECT_FALSE(has_errors({odd_size, merged}));
  EXPECT_TRUE(has_errors({odd_size, zero_axis}));
  EXPECT_NO_THROW(throw_if_errors({odd_size, merged}));
  EXPECT_THROW(throw_if_errors({odd_size, no_root}), Error);
}

}  // namespace
}  // namespace articula::test
