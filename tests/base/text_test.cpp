#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include <articula/base/number.h>
#include <articula/base/text.h>

#include "support/names.h"

namespace articula::test {
namespace {

using Names = std::vector<std::string>;
using namespace std::string_literals;

TEST(NumberText, IsTheShortestThatReadsBack) {
  EXPECT_EQ(number_text(0.1), "0.1");
  EXPECT_EQ(number_text(1), "1");
  EXPECT_EQ(number_text(-9.81), "-9.81");
  EXPECT_EQ(number_text(1e-12), "1e-12");
  EXPECT_EQ(number_text(1.0 / 3), "0.3333333333333333");
  EXPECT_EQ(number_text(0.1 + 0.2), "0.30000000000000004");
  EXPECT_EQ(number_text(-0.0), "-0");
}

TEST(NumberText, ReadsBackExactly) {
  using Limits = std::numeric_limits<double>;
  for (const double value : {Limits::max(), Limits::lowest(), Limits::min(), Limits::denorm_min(), Limits::epsilon(),
                             3.141592653589793, 1.7976931348623155e308, -4.35e-321}) {
    EXPECT_EQ(to_number(number_text(value)), value) << number_text(value);
  }
}

TEST(Quoted, ShowsWhatCannotBeSeen) {
  EXPECT_EQ(quoted("elbow"), "\"elbow\"");
  EXPECT_EQ(quoted(""), "\"\"");
  EXPECT_EQ(quoted("a \"b\" \\"), R"("a \"b\" \\")");
  EXPECT_EQ(quoted("a\nb\tc\rd\x1b[0m\x7f"), R"("a\nb\tc\x0dd\x1b[0m\x7f")");
  EXPECT_EQ(quoted("a\0b"s), R"("a\x00b")");
  EXPECT_EQ(quoted("Größe"), "\"Größe\"");
  EXPECT_EQ(quoted("<script>;'"), "\"<script>;'\"");
}

TEST(ListOf, JoinsNamesAndCutsLongLists) {
  EXPECT_EQ(list_of(Names{}), "");
  EXPECT_EQ(list_of(Names{"a"}), "a");
  EXPECT_EQ(list_of(Names{"a", "b", "c"}), "a, b, c");
  EXPECT_EQ(list_of(Names{"a", "b", "c"}, 2), "a, b and 1 more");
  EXPECT_EQ(list_of(Names(15, "n")), "n, n, n, n, n, n, n, n, n, n, n, n and 3 more");
}

TEST(ListOf, QuotesOnlyNamesThatNeedIt) { EXPECT_EQ(list_of(Names{"a", "b\nc", "d"}), "a, \"b\\nc\", d"); }

TEST(Closest, FindsTheMisspeltName) {
  const Names joints{"shoulder", "elbow", "wrist"};
  EXPECT_EQ(closest("elbwo", joints), "elbow");
  EXPECT_EQ(closest("elbows", joints), "elbow");
  EXPECT_EQ(closest("sholder", joints), "shoulder");
  EXPECT_EQ(closest("elbow", joints), "elbow");
}

TEST(Closest, FindsTheNameThatWasCutShort) {
  EXPECT_EQ(closest("hand", Names{"base", "hand_l", "hand_r"}), "hand_l");
  EXPECT_EQ(closest("should", Names{"base", "shoulder_pan_joint"}), "shoulder_pan_joint");
}

TEST(Closest, TakesSwappedLettersForOneSlip) {
  EXPECT_EQ(closest("ebow", Names{"eblow", "elbow"}), "eblow");
  EXPECT_EQ(closest("amss", Names{"mass", "axis"}), "mass");
  EXPECT_EQ(closest("yx", Names{"xy"}), "xy");
  EXPECT_EQ(closest("", Names{"elbow"}), std::nullopt);
}

TEST(Closest, PrefersTheNearestToTheFirst) {
  EXPECT_EQ(closest("hand", Names{"hand_left", "hind"}), "hind");
  EXPECT_EQ(closest("hand_x", Names{"hand_yy", "hand_y"}), "hand_y");
}

TEST(Closest, IsNoneWhenNothingIsNear) {
  EXPECT_EQ(closest("gripper", Names{"shoulder", "elbow"}), std::nullopt);
  EXPECT_EQ(closest("gripper", Names{}), std::nullopt);
  EXPECT_EQ(closest(std::string(100000, 'x'), Names{std::string(100000, 'x')}), std::nullopt);
}

TEST(Choices, EndANotFoundMessage) {
  const Names joints{"shoulder", "elbow"};
  EXPECT_EQ(choices("elbwo", "joints", joints), " Did you mean \"elbow\"? Joints: shoulder, elbow.");
  EXPECT_EQ(choices("gripper", "joints", joints), " Joints: shoulder, elbow.");
  EXPECT_EQ(choices("elbow", "joints", Names{}), " There are no joints.");
}

TEST(Concat, WritesNumbersShortAndExact) {
  EXPECT_EQ(concat("mass ", -0.1, ", body ", 3, ' ', std::string("of"), ' ', std::size_t{4}, std::string_view(".")),
            "mass -0.1, body 3 of 4.");
  EXPECT_EQ(concat(), "");
}

TEST(Utf8, WellFormedTextIsAccepted) {
  EXPECT_TRUE(is_utf8(""));
  EXPECT_TRUE(is_utf8("elbow"));
  EXPECT_TRUE(is_utf8("Größe, 関節, 🦾"));
  EXPECT_TRUE(is_utf8("\xf4\x8f\xbf\xbf"));  // U+10FFFF, the last
  EXPECT_TRUE(is_utf8("\xed\x9f\xbf"));      // U+D7FF, the last before the surrogates
  EXPECT_TRUE(is_utf8("a\0b"s));
}

TEST(Utf8, MalformedTextIsRefused) {
  EXPECT_FALSE(
      is_utf8("Gr\xf6\xdf"
              "e"));                          // Latin-1
  EXPECT_FALSE(is_utf8("\x80"));              // a continuation alone
  EXPECT_FALSE(is_utf8("\xc3"));              // cut short
  EXPECT_FALSE(is_utf8("\xe2\x82"));          // cut short
  EXPECT_FALSE(is_utf8("\xc0\xaf"));          // overlong
  EXPECT_FALSE(is_utf8("\xe0\x80\xaf"));      // overlong
  EXPECT_FALSE(is_utf8("\xf0\x80\x80\xaf"));  // overlong
  EXPECT_FALSE(is_utf8("\xed\xa0\x80"));      // a surrogate
  EXPECT_FALSE(is_utf8("\xf4\x90\x80\x80"));  // past U+10FFFF
  EXPECT_FALSE(is_utf8("\xff\xfe"));
}

}  // namespace
}  // namespace articula::test
