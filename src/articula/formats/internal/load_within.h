#pragma once

#include <articula/formats/load.h>
#include <articula/text/file_reach.h>

namespace articula::formats {

/// Like `load`, for a file that is named in a text: it and all included files are read through `reach`. Messages do not
/// quote a file outside of the folder unless it is a model.
Model load_within(const std::filesystem::path& file, const FileReach& reach, Findings& findings,
                  const ReadOptions& options);

/// The same for `read_yaml`.
Model read_yaml_within(std::string_view text, const std::string& file_name, const FileReach& reach, Findings& findings,
                       const ReadOptions& options);

}  // namespace articula::formats
