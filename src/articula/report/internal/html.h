#pragma once

#include <string>
#include <string_view>

#include <articula/base/rooms.h>

namespace articula::report {

/// `text` for a place in HTML, between tags or in a quoted attribute: it shows as it is, whatever it holds. Line breaks
/// and tabs stay; other control characters and what is not UTF-8 become U+FFFD.
std::string html_text(std::string_view text);

/// The same for a name, where a line break is shown as \n and other control characters as \x07.
std::string html_name(std::string_view name);

/// A number to read, of at most `digits` significant digits.
std::string html_number(double value, int digits = 10);

/// 1400 → 1 400, with narrow spaces that do not break.
std::string count_with_spaces(std::size_t count);

}  // namespace articula::report
