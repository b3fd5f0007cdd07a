#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <articula/base/export.h>
#include <articula/base/modules.h>

namespace articula::base {

/// The finite number that is the whole of `text`, with a decimal point in every locale. Nothing for `1,5`, `1abc`,
/// `0x10`, an empty text, nan, inf and 1e400.
ARTICULA_EXPORT std::optional<double> to_number(std::string_view text);

/// The integer that is the whole of `text`.
ARTICULA_EXPORT std::optional<int> to_integer(std::string_view text);

/// Why `text` is no number, for a message: `"1abc" is not a number. Write e.g. 0.5 or 1e-3`.
ARTICULA_EXPORT std::string why_no_number(std::string_view text);

}  // namespace articula::base
