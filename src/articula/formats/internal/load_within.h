#pragma once

#include <articula/formats/load.h>
#include <articula/text/file_reach.h>

namespace articula::formats {

/// As `load`, for a file that is named in a text: it and all included files are read through `reach`. Messages do not
/// quote a file outside of the folder that is not a model.
Model load_within(const std::filesystem::path& file, const FileReach& reach, Findings& findings,
                  const ReadOptions& options);

/// As `read_yaml`, likewise.
Model read_yaml_within(std::string_view text, const std::string& file_name, const FileReach& reach, Findings& findings,
                       const ReadOptions& options);

}  // namespace articula::formats
