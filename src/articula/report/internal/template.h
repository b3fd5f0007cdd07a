#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include <articula/base/rooms.h>

namespace articula::report {

/// The text of a template with values in the places of its tags:
///
///     {{name}}                    a text or number, escaped for HTML
///     {{{name}}}                  a text that is HTML already
///     {{.}} and {{{.}}}           the value of a list that a section repeats
///     {{#name}}...{{/name}}       the section once for each value of a list; once if it is any other value, but not for
///                                 null, false and the empty text
///     {{^name}}...{{/name}}       once where {{#name}} has nothing
///
/// A name is looked up in the value of the innermost section, then outwards. The line break after the tag of a section
/// is left out. What was put in is not looked at again.  [Mustache(5)]
std::string filled(std::string_view page, const nlohmann::json& values);

}  // namespace articula::report
