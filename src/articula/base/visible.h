#pragma once

#include <string>
#include <string_view>

#include <articula/base/export.h>
#include <articula/base/modules.h>

namespace articula::base {

/// A text as a terminal may safely show it: control characters other than newline and tab, those from U+0080 to
/// U+009F, marks that turn the direction of writing, and bytes that are no UTF-8 become `\u001b` or `\xff`. In JSON
/// that means the same text.
ARTICULA_EXPORT std::string visible(std::string_view text);

/// The character of well-formed UTF-8 at the beginning of a text, and how many bytes it takes; 0 bytes if there is none.
struct Character {
  char32_t code = 0;
  int bytes = 0;
};
ARTICULA_EXPORT Character first_character(std::string_view text);

/// Whether a character changes the display of a terminal other than by itself.
ARTICULA_EXPORT bool is_hidden(char32_t code);

}  // namespace articula::base
