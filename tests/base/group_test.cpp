#include <articula/base/group.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <articula/base/text.h>

#include "support/names.h"

namespace articula::test {
namespace {

Finding missing(int k, Severity severity = Severity::warning) {
  return {severity, "limit-missing", {"arm.urdf", 10 + k}, concat("joint \"j", k, "\": it needs <limit>.")};
}

std::vector<std::string> lines(const Findings& findings) {
  std::vector<std::string> texts;
  for (const Finding& finding : grouped(findings)) texts.push_back(to_text(finding));
  return texts;
}

TEST(Group, ManyWarningsOfOneKindShareALine) {
  Findings findings;
  for (int k = 1; k <= 20; ++k) findings.push_back(missing(k));
  EXPECT_THAT(lines(findings),
              testing::ElementsAre("arm.urdf:11: joint \"j1\": it needs <limit>. (20 of this kind: joint \"j1\", joint "
                                   "\"j2\", joint \"j3\", joint \"j4\", ...)  [limit-missing]"));
}

TEST(Group, WhatIsSaidOfOneThingManyTimesNamesItOnce) {
  const Finding gazebo{Severity::warning, "not-expressed", {"arm.urdf", 3}, "robot \"arm\": <gazebo> was left out."};
  EXPECT_THAT(lines({gazebo, gazebo, gazebo}),
              testing::ElementsAre("arm.urdf:3: robot \"arm\": <gazebo> was left out. (3 of this kind)  "
                                   "[not-expressed]"));
}

TEST(Group, TwoOfAKindErrorsAndOtherMessagesStayApart) {
  const Finding other{Severity::warning, "limit-missing", {"arm.urdf", 9}, "joint \"j1\": it has no effort."};
  EXPECT_EQ(grouped({missing(1), other, missing(2)}).size(), 3u);
  const auto error = [](int k) { return missing(k, Severity::error); };
  EXPECT_EQ(grouped({error(1), error(2), error(3)}).size(), 3u);
}

}  // namespace
}  // namespace articula::test
