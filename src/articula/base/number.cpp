#include <articula/base/number.h>

#include <charconv>
#include <cmath>

#include <articula/base/text.h>

namespace articula::base {

/// from_chars does not accept a plus sign.
static std::string_view without_plus(std::string_view text) {
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  return text;
}

template <class Number>
static std::optional<Number> whole(std::string_view text, Number& value, std::errc& trouble) {
  text = without_plus(text);
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  trouble = code;
  if (code != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<double> to_number(std::string_view text) {
  double value = 0;
  std::errc trouble{};
  const auto number = whole(text, value, trouble);
  if (!number || !std::isfinite(*number)) return std::nullopt;
  return number;
}

std::optional<int> to_integer(std::string_view text) {
  int value = 0;
  std::errc trouble{};
  return whole(text, value, trouble);
}

std::string why_no_number(std::string_view text) {
  if (text.empty()) return "the number is empty. Write e.g. 0.5";
  double value = 0;
  std::errc trouble{};
  const auto number = whole(text, value, trouble);
  if (trouble == std::errc::result_out_of_range) {
    return concat(quoted(text), " is outside the range of numbers. Allowed: up to ±1.79e308, down to ±4.9e-324");
  }
  if (number && !std::isfinite(*number)) return concat(quoted(text), " is not finite. Only finite numbers are allowed");
  if (const std::size_t comma = text.find(','); comma != std::string_view::npos) {
    std::string meant(text);
    meant[comma] = '.';
    return concat(quoted(text), " is not a number. The decimal mark is a point: write ",
                  to_number(std::string_view(meant).substr(0, meant.find(' '))) ? meant : "e.g. 1.5");
  }
  return concat(quoted(text), " is not a number. Write e.g. 0.5 or 1e-3");
}

}  // namespace articula::base
