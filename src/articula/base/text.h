#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <articula/base/export.h>
#include <articula/base/modules.h>

namespace articula::base {

/// The system's description of an error number (errno).
ARTICULA_EXPORT std::string system_message(int error);

/// The shortest decimal text that reads back as exactly `value`; never depends on the locale.
ARTICULA_EXPORT std::string number_text(double value);

/// A name as shown to users: in double quotes, with control characters and quotes escaped. An object, so that calls
/// never refer to std::quoted.
struct ARTICULA_EXPORT Quoted {
  std::string operator()(std::string_view name) const;
};
inline constexpr Quoted quoted;

/// `a, b, c`, cut after `most` names with how many more there are; names with control characters or quotes in them
/// are quoted.
ARTICULA_EXPORT std::string list_of(std::span<const std::string> names, std::size_t most = 12);

/// The candidate that is closest to a misspelt `name`, by edit distance; nothing if none is close.
ARTICULA_EXPORT std::optional<std::string> closest(std::string_view name, std::span<const std::string> candidates);

/// ` Did you mean "elbow"? Joints: shoulder, elbow.`: the end of every "not found" message.
ARTICULA_EXPORT std::string choices(std::string_view name, std::string_view what,
                                    std::span<const std::string> candidates);

/// Whether `text` is well-formed UTF-8.
ARTICULA_EXPORT bool is_utf8(std::string_view text);

namespace detail {
inline void append(std::string& text, std::string_view piece) { text += piece; }
inline void append(std::string& text, char piece) { text += piece; }
template <class Number>
  requires std::is_arithmetic_v<Number>
void append(std::string& text, Number piece) {
  if constexpr (std::is_integral_v<Number>) {
    text += std::to_string(piece);
  } else {
    text += number_text(static_cast<double>(piece));
  }
}
}  // namespace detail

/// All pieces concatenated; numbers in their shortest exact form.
template <class... Pieces>
std::string concat(const Pieces&... pieces) {
  std::string text;
  (detail::append(text, pieces), ...);
  return text;
}

}  // namespace articula::base
