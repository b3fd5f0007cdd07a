#pragma once

#include <articula/formats/load.h>
#include <articula/text/file_reach.h>

namespace articula {

/// As `load`, of a file that a text named: it and all that it includes are read through `reach`. The text of a file that
/// lies elsewhere and is no model at all stays out of messages.
Model load_within(const std::filesystem::path& file, const FileReach& reach, Findings& findings,
                  const ReadOptions& options);

/// As `read_yaml`, likewise.
Model read_yaml_within(std::string_view text, const std::string& file_name, const FileReach& reach, Findings& findings,
                       const ReadOptions& options);

}  // namespace articula
