#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <articula/base/export.h>

namespace articula {

/// The finite number that the whole of `text` says, with a point as decimal mark whatever the locale.
/// `1,5`, `1abc`, `0x10`, an empty text, nan, inf and 1e400 are none.
ARTICULA_EXPORT std::optional<double> to_number(std::string_view text);

/// The whole number that the whole of `text` says.
ARTICULA_EXPORT std::optional<int> to_integer(std::string_view text);

/// Why `text` is no number, for a message: `"1abc" is not a number. Write e.g. 0.5 or 1e-3`.
ARTICULA_EXPORT std::string why_no_number(std::string_view text);

}  // namespace articula
