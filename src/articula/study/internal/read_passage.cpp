#include <articula/study/internal/read_passage.h>

#include <algorithm>

#include <articula/base/text.h>

namespace articula {
namespace {

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
        write(node.key(k));
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
    const bool safe = scalar.find_first_of(",[]{}#:\"'\n\\") == std::string_view::npos;
    if (node.is_plain() && safe) {
      put(scalar.empty() ? std::string_view("~") : scalar);
      return;
    }
    put('"');
    for (const char c : scalar) {
      const auto byte = static_cast<unsigned char>(c);
      if (c == '"' || c == '\\') {
        put('\\'), put(c);
      } else if (byte < 0x20 || byte == 0x7f) {
        constexpr std::string_view digits = "0123456789abcdef";
        put("\\x"), put(digits[byte >> 4]), put(digits[byte & 15]);
      } else {
        put(c);
      }
    }
    put('"');
  }

  int line_;
};

}  // namespace

Passage passage_of(const YamlNode& node, const std::string& file) {
  FlowWriter writer(node.line());
  writer.write(node);
  return {std::move(writer.text), {file, node.line()}};
}

std::string detail::on_its_line(const Passage& passage) {
  return std::string(static_cast<std::size_t>(std::max(passage.where.line - 1, 0)), '\n') + passage.text;
}

}  // namespace articula
