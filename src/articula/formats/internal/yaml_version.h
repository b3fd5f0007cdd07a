#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <articula/text/internal/yaml_tree.h>

namespace articula::formats {

/// The version that is written, and the newest that is read.
inline constexpr int format_version = 1;

inline constexpr std::string_view top_needed = "A model is a mapping that begins with `articula: 1`.";

/// The tree of a text in any version of the native form, converted to the current one. Throws if it is none.
YamlTree parse_versioned(std::string_view text, const std::string& file_name, YamlLog& log);

/// The top-level keys of a file.
std::vector<std::string> top_names();

}  // namespace articula::formats
