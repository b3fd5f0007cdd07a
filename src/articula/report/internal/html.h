#pragma once

#include <string>
#include <string_view>

#include <articula/base/modules.h>

namespace articula::report {

/// `text` escaped for HTML, between tags or in a quoted attribute. Line breaks and tabs are kept; other control
/// characters and invalid UTF-8 become U+FFFD.
std::string html_text(std::string_view text);

/// The same for a name, with
/// for line breaks and \x07 for other control characters.
std::string html_name(std::string_view name);

/// A number for display, with at most `digits` significant digits.
std::string html_number(double value, int digits = 10);

/// 1400 → 1 400, with narrow no-break spaces.
std::string count_with_spaces(std::size_t count);

}  // namespace articula::report
