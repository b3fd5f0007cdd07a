#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include <articula/base/modules.h>

namespace articula::report {

/// The text of a template whose tags are replaced by values:
///
///     {{name}}                    a text or number, escaped for HTML
///     {{{name}}}                  a text that is HTML already
///     {{.}} and {{{.}}}           the current value of a list in a section
///     {{#name}}...{{/name}}       the section once for each value of a list; once for any other value, except
///                                 null, false and the empty text
///     {{^name}}...{{/name}}       once if {{#name}} is omitted
///
/// A name is looked up in the value of the innermost section, then outwards. The line break after the tag of a section
/// is omitted. Inserted text is not searched for tags.  [Mustache(5)]
std::string filled(std::string_view page, const nlohmann::json& values);

}  // namespace articula::report
