#pragma once

#include <string_view>

#include <articula/text/internal/yaml_log.h>

namespace articula::text {

/// The single document in `text`, without byte order mark and without text after `...`.
///
/// Throws if the text is empty, binary, not UTF-8 or too long, or contains several documents or directives other than
/// %YAML. The result is safe to pass to a YAML parser.
std::string_view only_document(std::string_view text, const std::string& file_name, YamlLog& log);

/// Reports that the text contains only blanks and comments.
[[noreturn]] void fail_empty(const std::string& file_name, YamlLog& log);

}  // namespace articula::text
