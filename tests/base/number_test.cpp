#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <sstream>

#include <articula/base/number.h>
#include <articula/base/text.h>

#include "german_locale.h"

namespace articula::test {
namespace {

TEST(ToNumber, ReadsWhatPeopleWrite) {
  EXPECT_EQ(to_number("0"), 0.0);
  EXPECT_EQ(to_number("1.5"), 1.5);
  EXPECT_EQ(to_number("+1.5"), 1.5);
  EXPECT_EQ(to_number("-1.5"), -1.5);
  EXPECT_EQ(to_number("1e-3"), 0.001);
  EXPECT_EQ(to_number("1E+3"), 1000.0);
  EXPECT_EQ(to_number(".5"), 0.5);
  EXPECT_EQ(to_number("5."), 5.0);
  EXPECT_EQ(to_number("007"), 7.0);
}

TEST(ToNumber, RoundsToTheNearestDouble) {
  EXPECT_EQ(to_number("0.1"), 0.1);
  EXPECT_EQ(to_number("0.1000000000000000055511151231257827021181583404541015625"), 0.1);
  EXPECT_EQ(to_number("9007199254740993"), 9007199254740992.0);  // 2^53 + 1, a tie
  EXPECT_EQ(to_number("1" + std::string(300, '0')), 1e300);
}

TEST(ToNumber, ReadsTheSmallestAndTheLargest) {
  using Limits = std::numeric_limits<double>;
  EXPECT_EQ(to_number("1.7976931348623157e308"), Limits::max());
  EXPECT_EQ(to_number("2.2250738585072014e-308"), Limits::min());
  EXPECT_EQ(to_number("1e-310"), 1e-310);
  EXPECT_EQ(to_number("4.9406564584124654e-324"), Limits::denorm_min());
}

TEST(ToNumber, KeepsTheSignOfZero) {
  EXPECT_TRUE(std::signbit(to_number("-0").value()));
  EXPECT_FALSE(std::signbit(to_number("0").value()));
}

class NotANumber : public testing::TestWithParam<const char*> {};

TEST_P(NotANumber, IsNone) {
  EXPECT_EQ(to_number(GetParam()), std::nullopt);
  EXPECT_THAT(why_no_number(GetParam()), testing::Not(testing::IsEmpty()));
}

INSTANTIATE_TEST_SUITE_P(Text, NotANumber,
                         testing::Values("", " ", "1,5", "1.000,5", "1abc", "abc", "0x10", "0x1p3", "nan", "NaN",
                                         "-nan", "nan(1)", "inf", "+inf", "-inf", "infinity", "1e400", "-1e400",
                                         "1e-400", "+", "-", "+-1", "-+1", "++1", "--1", ".", "e5", "1e", "1e+", "1 ",
                                         " 1", "1\n", "1 2", "1_000", "1'000", "1.5.2", "１", "−1", "1f", "1d0",
                                         "true"));

TEST(ToNumber, StopsAtNoNul) { EXPECT_EQ(to_number(std::string_view("1\0002", 3)), std::nullopt); }

TEST(ToInteger, ReadsWholeNumbersOnly) {
  EXPECT_EQ(to_integer("0"), 0);
  EXPECT_EQ(to_integer("+12"), 12);
  EXPECT_EQ(to_integer("-12"), -12);
  EXPECT_EQ(to_integer("2147483647"), 2147483647);
  for (const char* text : {"", "1.0", "1e3", "0x10", "1,000", "12a", " 1", "2147483648", "-2147483649", "+-1", "+"}) {
    EXPECT_EQ(to_integer(text), std::nullopt) << text;
  }
}

TEST(WhyNoNumber, SaysWhatIsAllowed) {
  EXPECT_EQ(why_no_number(""), "the number is empty. Write e.g. 0.5");
  EXPECT_EQ(why_no_number("1,5"), "\"1,5\" is not a number. The decimal mark is a point: write 1.5");
  EXPECT_EQ(why_no_number("1abc"), "\"1abc\" is not a number. Write e.g. 0.5 or 1e-3");
  EXPECT_EQ(why_no_number("0x10"), "\"0x10\" is not a number. Write e.g. 0.5 or 1e-3");
  EXPECT_EQ(why_no_number("nan"), "\"nan\" is not finite. Only finite numbers are allowed");
  EXPECT_EQ(why_no_number("-inf"), "\"-inf\" is not finite. Only finite numbers are allowed");
  EXPECT_EQ(why_no_number("1e400"),
            "\"1e400\" is outside the range of numbers. Allowed: up to ±1.79e308, down to ±4.9e-324");
  EXPECT_EQ(why_no_number("1\n2"), "\"1\\n2\" is not a number. Write e.g. 0.5 or 1e-3");
}

TEST(GermanLocale, IsInForceInThisTest) {
  const GermanLocale german;
  std::ostringstream stream;
  stream << 1234.5;
  EXPECT_EQ(stream.str(), "1.234,5");
  if (!german.in_c_too()) GTEST_SKIP() << "no German locale for C's functions is installed";
  EXPECT_EQ(std::strtod("1,5", nullptr), 1.5);
}

TEST(GermanLocale, ChangesNoBitOfANumber) {
  const std::vector<std::string> texts{"1.5",        "-9.81", "1e-3",    "0.1",   "1e-310",
                                       "123456.789", "1,5",   "1.234,5", "1e400", ""};
  const auto read = [&] {
    std::vector<std::optional<std::uint64_t>> bits;
    for (const std::string& text : texts) {
      const auto value = to_number(text);
      bits.push_back(value ? std::optional(std::bit_cast<std::uint64_t>(*value)) : std::nullopt);
    }
    return bits;
  };
  const auto before = read();
  const GermanLocale german;
  EXPECT_EQ(read(), before);
}

TEST(GermanLocale, ChangesNoText) {
  const GermanLocale german;
  EXPECT_EQ(number_text(1234567.5), "1234567.5");
  EXPECT_EQ(concat(1234567, ' ', -0.5), "1234567 -0.5");
  EXPECT_EQ(choices("x", "bodies", std::vector<std::string>{"hand"}), " Bodies: hand.");
  EXPECT_EQ(why_no_number("1,5"), "\"1,5\" is not a number. The decimal mark is a point: write 1.5");
}

}  // namespace
}  // namespace articula::test
