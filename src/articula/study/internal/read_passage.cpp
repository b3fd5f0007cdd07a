#include <articula/study/internal/read_passage.h>

#include <algorithm>
#include <cstdint>

#include <articula/base/text.h>

namespace articula {
namespace {

/// Whether a scalar that was written without quotes means the same without them in flow style, wherever it stands.
bool is_safe(std::string_view text) {
  if (text.starts_with("---") || text.starts_with("...")) return false;
  const auto first = static_cast<unsigned char>(text.front());
  const bool word = (first >= 'a' && first <= 'z') || (first >= 'A' && first <= 'Z') || (first >= '0' && first <= '9');
  const bool usual = word || first >= 0x80 || std::string_view("+-._/~").find(text.front()) != std::string_view::npos;
  return usual && text.find_first_of(",[]{}#:\"'\n\r\\") == std::string_view::npos;
}

/// The code point at `text[i]`, which is moved behind it. @pre well-formed UTF-8
std::uint32_t next_code_point(std::string_view text, std::size_t& i) {
  const auto byte = [&](std::size_t k) { return static_cast<std::uint32_t>(static_cast<unsigned char>(text[k])); };
  const std::uint32_t first = byte(i);
  const std::size_t more = first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : first >= 0xc0 ? 1 : 0;
  std::uint32_t point = more == 0 ? first : first & (0x3fu >> more);
  for (std::size_t k = 1; k <= more && i + k < text.size(); ++k) point = point << 6 | (byte(i + k) & 0x3f);
  i += more + 1;
  return point;
}

/// Writes nodes after one another, each on its own line of the study.
class FlowWriter {
 public:
  explicit FlowWriter(int line) : line_(line) {}

  void write(const YamlNode& node) {
    if (node.is_sequence()) {
      put('[');
      for (std::size_t k = 0; k < node.size(); ++k) {
        if (k > 0) put(", ");
        write(node.item(k));
      }
      put(']');
    } else if (node.is_mapping()) {
      put('{');
      for (std::size_t k = 0; k < node.size(); ++k) {
        if (k > 0) put(", ");
        write_key(node.key(k));
        put(": ");
        write(node.value(k));
      }
      put('}');
    } else {
      // An alias may lead back to an earlier line: the text only moves on.
      for (; line_ < node.line(); ++line_) put('\n');
      put_scalar(node);
    }
  }

  std::string text;

 private:
  void put(std::string_view piece) { text += piece; }
  void put(char piece) { text += piece; }

  void put_scalar(const YamlNode& node) {
    const std::string_view scalar = node.text();
    if (node.is_plain() && scalar.empty()) {
      put('~');
    } else if (node.is_plain() && is_safe(scalar)) {
      put(scalar);
    } else {
      put(detail::quoted_scalar(scalar));
    }
  }

  /// Long keys are keys only if a question mark says so.
  void write_key(const YamlNode& node) {
    constexpr std::size_t short_key = 100;
    if (node.text().size() > short_key) put("? ");
    write(node);
  }

  int line_;
};

}  // namespace

Passage passage_of(const YamlNode& node, const std::string& file) {
  FlowWriter writer(node.line());
  writer.write(node);
  return {std::move(writer.text), {file, node.line()}};
}

std::string detail::quoted_scalar(std::string_view scalar) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text = "\"";
  for (std::size_t i = 0; i < scalar.size();) {
    const std::uint32_t point = next_code_point(scalar, i);
    if (point == '"' || point == '\\') {
      text += '\\';
      text += static_cast<char>(point);
    } else if (point >= 0x20 && point < 0x7f) {
      text += static_cast<char>(point);
    } else {
      text += "\\U";
      for (int shift = 28; shift >= 0; shift -= 4) text += digits[point >> shift & 15];
    }
  }
  return text + '"';
}

std::string detail::on_its_line(const Passage& passage) {
  return std::string(static_cast<std::size_t>(std::max(passage.where.line - 1, 0)), '\n') + passage.text;
}

}  // namespace articula
