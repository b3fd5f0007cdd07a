#include <articula/text/internal/yaml_flow.h>

#include <algorithm>
#include <array>
#include <cmath>

#include <articula/base/error.h>
#include <articula/base/text.h>

namespace articula::text {
namespace {

constexpr std::size_t page_width = 110;
constexpr std::size_t deepest_indent = 48;
constexpr std::size_t longest_key = 400;  ///< maximum length of a key without `?`

/// The character at i of a UTF-8 text. @pre the text is valid UTF-8 and i is at the beginning of a character
char32_t character_at(std::string_view text, std::size_t i, std::size_t& size) {
  const auto byte = [&](std::size_t k) { return static_cast<char32_t>(static_cast<unsigned char>(text[i + k])); };
  const char32_t first = byte(0);
  size = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  switch (size) {
    case 1: return first;
    case 2: return (first & 0x1f) << 6 | (byte(1) & 0x3f);
    case 3: return (first & 0x0f) << 12 | (byte(1) & 0x3f) << 6 | (byte(2) & 0x3f);
    default: return (first & 0x07) << 18 | (byte(1) & 0x3f) << 12 | (byte(2) & 0x3f) << 6 | (byte(3) & 0x3f);
  }
}

bool is_letter(char32_t c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

/// Characters that have no other meaning for YAML readers and terminals.
bool is_harmless(char32_t c) { return c >= 0xa1 && c < 0x2000; }

/// Characters that must be escaped even in quotes: controls, line breaks, marks, noncharacters.
bool is_escaped(char32_t c) {
  return c < 0x20 || (c >= 0x7f && c <= 0xa0) || c == 0x2028 || c == 0x2029 || c == 0xfeff ||
         (c >= 0xfff0 && c <= 0xffff) || c == '"' || c == '\\';
}

bool is_plain(std::string_view text) {
  if (text.empty()) return false;
  std::size_t size = 0;
  for (std::size_t i = 0; i < text.size(); i += size) {
    const char32_t c = character_at(text, i, size);
    const bool later = (c >= '0' && c <= '9') || c == '.' || c == '-' || c == '/' || c == '+';
    if (!is_letter(c) && !is_harmless(c) && !(i > 0 && later)) return false;
  }
  // Words that YAML readers convert to other values.
  static constexpr std::array<std::string_view, 9> words{"true", "false", "yes", "no", "on", "off", "null", "y", "n"};
  std::string lower(text.substr(0, 6));
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return text.size() > 5 || std::find(words.begin(), words.end(), lower) == words.end();
}

void append_escaped(std::string& out, char32_t c) {
  static constexpr std::string_view hex = "0123456789abcdef";
  out += '\\';
  switch (c) {
    case '"': out += '"'; return;
    case '\\': out += '\\'; return;
    case '\n': out += 'n'; return;
    case '\t': out += 't'; return;
    case '\r': out += 'r'; return;
    default: break;
  }
  const int digits = c < 0x100 ? 2 : 4;
  out += digits == 2 ? 'x' : 'u';
  for (int k = digits - 1; k >= 0; --k) out += hex[c >> (4 * k) & 15];
}

/// Approximate width on a screen: the number of characters.
std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

std::string flow_key(std::string_view key) {
  std::string text = scalar_text(key);
  return text.size() > longest_key ? concat("? ", text, " : ") : concat(text, ": ");
}

}  // namespace

std::string scalar_text(std::string_view text) {
  if (!is_utf8(text)) {
    throw Error("text-encoding", {},
                concat("the text ", quoted(text), " is not UTF-8. Only UTF-8 can be written; rename it."));
  }
  if (is_plain(text)) return std::string(text);
  std::string out = "\"";
  std::size_t size = 0;
  for (std::size_t i = 0; i < text.size(); i += size) {
    const char32_t c = character_at(text, i, size);
    if (is_escaped(c)) {
      append_escaped(out, c);
    } else {
      out += text.substr(i, size);
    }
  }
  return out + '"';
}

std::string block_key(std::string_view key, std::size_t indent, std::size_t width) {
  const std::string margin(indent, ' '), text = scalar_text(key);
  if (text.size() > longest_key) return concat(margin, "? ", text, "\n", margin, ": ");
  const std::size_t used = width_of(text) + 1;
  return concat(margin, text, ":", std::string(used < width ? width - used : 1, ' '));
}

Flow Flow::raw(std::string text) {
  Flow flow;
  flow.text_ = std::move(text);
  flow.width_ = width_of(flow.text_);
  return flow;
}

Flow Flow::text(std::string_view text) { return raw(scalar_text(text)); }

Flow Flow::number(double value) {
  if (!std::isfinite(value)) {
    throw Error("number-invalid", {},
                concat("the number ", value, " is not finite. Only finite numbers can be written."));
  }
  return raw(number_text(value));
}

Flow Flow::list(std::vector<Flow> items) {
  Flow flow('[', ']');
  for (Flow& item : items) flow.add(std::move(item));
  return flow;
}

Flow& Flow::add_pair(std::string key, Flow value) {
  width_ += width_of(key) + value.width_ + (items_.empty() ? 0 : 2);
  items_.emplace_back(std::move(key), std::move(value));
  return *this;
}

Flow& Flow::add(Flow item) { return add_pair("", std::move(item)); }
Flow& Flow::add(std::string_view key, Flow value) { return add_pair(flow_key(key), std::move(value)); }
Flow& Flow::add_word(std::string_view word, Flow value) { return add_pair(concat(word, ": "), std::move(value)); }

std::string Flow::line() const {
  if (open_ == 0) return text_;
  std::string out(1, open_);
  for (const auto& [key, value] : items_) {
    if (out.size() > 1) out += ", ";
    out += key;
    out += value.line();
  }
  return out + close_;
}

void Flow::print(std::string& out, std::size_t column) const {
  if (open_ == 0 || column + width_ <= page_width) {
    out += line();
    return;
  }
  out += open_;
  const std::size_t indent = std::min(column + 1, deepest_indent);
  std::size_t at = column + 1;
  bool first = true;
  for (const auto& [key, value] : items_) {
    const std::size_t needed = width_of(key) + value.width_ + 2;
    if (!first) {
      out += ',';
      if (at + needed > page_width) {
        out += '\n';
        out.append(indent, ' ');
        at = indent;
      } else {
        out += ' ';
      }
    }
    first = false;
    out += key;
    value.print(out, at + width_of(key));
    // If the value was broken, its last line is in `out`: count from its last line break.
    const std::size_t last_break = out.rfind('\n');
    at = width_of(std::string_view(out).substr(last_break == std::string::npos ? 0 : last_break + 1)) + 1;
  }
  out += close_;
}

}  // namespace articula::text
