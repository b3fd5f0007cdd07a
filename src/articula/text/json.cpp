#include <articula/text/json.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include <nlohmann/json.hpp>

#include <articula/base/text.h>

namespace articula::text {

std::string json_string(std::string_view text, JsonLayout layout) {
  const bool in_script = layout == JsonLayout::in_script;
  const auto is_plain = [&](char c) {
    const bool markup = in_script && (c == '<' || c == '>' || c == '&');
    return c >= 0x20 && c < 0x7f && c != '"' && c != '\\' && !markup;
  };
  if (std::all_of(text.begin(), text.end(), is_plain)) return concat("\"", text, "\"");
  std::string json = nlohmann::json(text).dump(-1, ' ', in_script, nlohmann::json::error_handler_t::replace);
  if (!in_script) return json;
  std::string out;
  for (const char c : json) {
    switch (c) {
      case '<': out += "\\u003c"; break;
      case '>': out += "\\u003e"; break;
      case '&': out += "\\u0026"; break;
      default: out += c;
    }
  }
  return out;
}

void JsonWriter::before() {
  if (comma_) text_ += layout_ == JsonLayout::spaced ? ", " : ",";
  comma_ = true;
}

void JsonWriter::key(std::string_view name) { written_key(json_string(name, layout_)); }

void JsonWriter::written_key(std::string_view json) {
  before();
  text_ += json;
  text_ += layout_ == JsonLayout::spaced ? ": " : ":";
  comma_ = false;
}

void JsonWriter::string(std::string_view text) {
  before();
  text_ += json_string(text, layout_);
}

void JsonWriter::number(double value) {
  before();
  if (!std::isfinite(value)) {
    text_ += "null";
  } else {
    std::array<char, 32> digits;  // no temporary string: most of a text is numbers
    text_.append(digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr);
    if (value == 0 && std::signbit(value)) text_ += ".0";  // -0 would be read as an integer, which loses the sign
  }
}

void JsonWriter::count(std::size_t value) {
  before();
  text_ += std::to_string(value);
}

}  // namespace articula::text
