#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <articula/base/modules.h>

namespace articula::text {

/// A value for a YAML text: a scalar, `[a, b]` or `{k: v}`, formatted within a line width.
class Flow {
 public:
  /// A text that is valid YAML already.
  static Flow raw(std::string text);
  /// Any UTF-8 text, in quotes if necessary.
  static Flow text(std::string_view text);
  /// Throws if it is not finite.
  static Flow number(double value);
  static Flow list(std::vector<Flow> items = {});
  static Flow map() { return Flow('{', '}'); }

  /// Adds an entry to a list, or a pair to a mapping.
  Flow& add(Flow item);
  Flow& add(std::string_view key, Flow value);
  /// Adds a pair whose key is a word of the format and needs no quotes, like `on`.
  Flow& add_word(std::string_view word, Flow value);

  bool is_empty() const { return open_ != 0 && items_.empty(); }

  /// The text on one line.
  std::string line() const;

  /// Appends the text to `out`, whose last line has `column` characters, with line breaks after commas if necessary.
  void print(std::string& out, std::size_t column) const;

  friend bool operator==(const Flow& a, const Flow& b) {
    return a.text_ == b.text_ && a.open_ == b.open_ && a.items_ == b.items_;
  }

 private:
  Flow& add_pair(std::string key, Flow value);

  Flow() = default;
  Flow(char open, char close) : width_(2), open_(open), close_(close) {}

  std::string text_;                                 ///< of a scalar
  std::vector<std::pair<std::string, Flow>> items_;  ///< key with colon, or "", and value
  std::size_t width_ = 0;                            ///< on one line
  char open_ = 0, close_ = 0;
};

/// A scalar, in quotes if YAML, or a reader that guesses types, would misread it. Throws if it is not UTF-8.
std::string scalar_text(std::string_view text);

/// A key of a block mapping with its colon, indented, and padded so that its value begins `width` characters later.
std::string block_key(std::string_view key, std::size_t indent, std::size_t width = 0);

}  // namespace articula::text
