#pragma once

#include <string_view>

#include <articula/text/internal/yaml_log.h>

namespace articula::text {

/// The one document in `text`, without byte order mark and without what follows `...`.
///
/// Throws when the text is empty, binary, not UTF-8, too long, or holds several documents or other directives
/// than %YAML: what is left is text that a YAML parser can be trusted with.
std::string_view only_document(std::string_view text, const std::string& file_name, YamlLog& log);

/// There is nothing in the text but blanks and comments.
[[noreturn]] void fail_empty(const std::string& file_name, YamlLog& log);

}  // namespace articula::text
