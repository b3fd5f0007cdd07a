#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <articula/base/export.h>
#include <articula/base/modules.h>

namespace articula::text {

enum class JsonLayout {
  spaced,     ///< `{"a": 1, "b": [1, 2]}`
  compact,    ///< `{"a":1,"b":[1,2]}`
  in_script,  ///< compact, ASCII without `<`, `>` or `&`: safe inside HTML
};

/// Writes JSON value by value, in the order of calls. Numbers have the fewest digits that read back as the same double;
/// invalid UTF-8 becomes U+FFFD.
class ARTICULA_EXPORT JsonWriter {
 public:
  explicit JsonWriter(JsonLayout layout = JsonLayout::spaced) : layout_(layout) {}

  const std::string& text() const { return text_; }
  void clear() { text_.clear(), comma_ = false; }

  void open(char bracket) { before(), text_ += bracket, comma_ = false; }
  void close(char bracket) { text_ += bracket, comma_ = true; }

  void key(std::string_view name);
  void written_key(std::string_view json);  ///< a key that is JSON already, with quotes
  void string(std::string_view text);
  void number(double value);  ///< null if it is not finite, since JSON has no infinity
  void count(std::size_t value);

 private:
  void before();

  JsonLayout layout_;
  std::string text_;
  bool comma_ = false;
};

/// A text as a JSON string, with quotes.
ARTICULA_EXPORT std::string json_string(std::string_view text, JsonLayout layout = JsonLayout::compact);

}  // namespace articula::text
