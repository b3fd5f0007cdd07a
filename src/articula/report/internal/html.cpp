#include <articula/report/internal/html.h>

#include <fmt/format.h>

#include <articula/base/number.h>
#include <articula/base/text.h>

namespace articula::report {
namespace {

constexpr std::string_view unknown = "\xEF\xBF\xBD";  // U+FFFD

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

std::string escaped(std::string_view text, bool is_name) {
  const bool utf8 = is_utf8(text);
  std::string out;
  out.reserve(text.size() + text.size() / 8);
  for (const char c : text) {
    switch (c) {
      case '&': out += "&amp;"; continue;
      case '<': out += "&lt;"; continue;
      case '>': out += "&gt;"; continue;
      case '"': out += "&quot;"; continue;
      case '\'': out += "&#39;"; continue;
      default: break;
    }
    if (!utf8 && static_cast<unsigned char>(c) >= 0x80) {
      out += unknown;
    } else if (!is_control(c)) {
      out += c;
    } else if (is_name) {
      out += c == '\n' ? "\\n" : fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    } else {
      out += c == '\n' || c == '\t' ? std::string_view(&c, 1) : c == '\r' ? std::string_view() : unknown;
    }
  }
  return out;
}

}  // namespace

std::string html_text(std::string_view text) { return escaped(text, false); }

std::string html_name(std::string_view name) { return escaped(name, true); }

std::string html_number(double value, int digits) {
  // Rounded in decimal, then in its shortest form: 1000 and not 1e+03.
  const std::optional<double> rounded = to_number(fmt::format("{:.{}g}", value, digits));
  return fmt::format(R"(<span title="{}">{}</span>)", number_text(value), number_text(rounded.value_or(value)));
}

std::string count_with_spaces(std::size_t count) {
  std::string text = std::to_string(count);
  if (text.size() <= 4) return text;
  for (std::size_t at = text.size(); at > 3;) text.insert(at -= 3, "\xE2\x80\xAF");  // U+202F
  return text;
}

}  // namespace articula::report
