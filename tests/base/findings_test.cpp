#include <articula/base/findings.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <articula/base/text.h>

#include "support/names.h"

namespace articula::test {
namespace {

using testing::SizeIs;

Finding open_port(int k, Severity severity = Severity::error) {
  return {severity, "port-open", {"arm.yaml", k}, concat("joint \"j", k, "\": its port is open.")};
}

TEST(Findings, BeyondAHundredOfAKindAreCounted) {
  Findings all;
  for (int k = 1; k <= 100; ++k) add_finding(all, open_port(k));
  EXPECT_THAT(all, SizeIs(100));
  add_finding(all, open_port(101));
  ASSERT_THAT(all, SizeIs(101));
  EXPECT_EQ(to_text(all.back()), "arm.yaml: and 1 more error of this kind.  [port-open]");
  for (int k = 102; k <= 100'000; ++k) add_finding(all, open_port(k));
  ASSERT_THAT(all, SizeIs(101));
  EXPECT_EQ(to_text(all.back()), "arm.yaml: and 99900 more errors of this kind.  [port-open]");
  EXPECT_EQ(all.back().severity, Severity::error);
  EXPECT_EQ(count_of(all.back()), 99'900u);
  EXPECT_EQ(count_of(all.front()), 1u);
}

TEST(Findings, SomeAreCountedWithoutTheirText) {
  Findings all;
  count_findings(all, open_port(1), 0);
  EXPECT_THAT(all, SizeIs(0));
  for (int k = 1; k <= 100; ++k) add_finding(all, open_port(k));
  count_findings(all, open_port(101), 1);
  EXPECT_EQ(to_text(all.back()), "arm.yaml: and 1 more error of this kind.  [port-open]");
  count_findings(all, open_port(102), 250);
  ASSERT_THAT(all, SizeIs(101));
  EXPECT_EQ(to_text(all.back()), "arm.yaml: and 251 more errors of this kind.  [port-open]");
}

TEST(Findings, EachSeverityAndCodeHasItsHundred) {
  Findings all;
  for (int k = 1; k <= 200; ++k) add_finding(all, open_port(k, Severity::warning));
  add_finding(all, open_port(1));
  add_finding(all, {Severity::warning, "limit-missing", {}, "joint \"j\": it needs limits."});
  EXPECT_THAT(all, SizeIs(103));
  EXPECT_TRUE(has_errors(all)) << "many warnings hide no error";
}

TEST(Findings, CountsAddUp) {
  Findings one, other;
  for (int k = 1; k <= 150; ++k) add_finding(one, open_port(k));
  for (int k = 1; k <= 250; ++k) add_finding(other, open_port(k));
  add_findings(one, other);
  ASSERT_THAT(one, SizeIs(101));
  EXPECT_EQ(to_text(one.back()), "arm.yaml: and 300 more errors of this kind.  [port-open]");
  std::size_t count = 0;
  for (const Finding& finding : one) count += count_of(finding);
  EXPECT_EQ(count, 400u);
}

TEST(Findings, AHundredOfWhichSomeWereCountedBefore) {
  Findings few, many;
  for (int k = 1; k <= 5; ++k) add_finding(few, open_port(k));
  for (int k = 1; k <= 103; ++k) add_finding(many, open_port(k));
  add_findings(few, many);
  std::size_t count = 0;
  for (const Finding& finding : few) count += count_of(finding);
  EXPECT_EQ(count, 108u);
  EXPECT_THAT(few, SizeIs(101));
}

}  // namespace
}  // namespace articula::test
