#pragma once

#include <string>
#include <string_view>

#include <articula/base/error.h>
#include <articula/base/export.h>
#include <articula/formats/options.h>
#include <articula/model/model.h>

namespace articula::formats {

/// Reads a model from a text in the native format (docs/format.md).
///
/// `file_name` begins every message, and paths of included files are relative to its folder; a text without a file name
/// cannot include files. Throws an Error with everything that is wrong with the text; warnings are added to `findings`,
/// and are errors if the options are strict.
///
/// Unknown names are found by the checks of build/, except where a placement on a body needs the body.
ARTICULA_EXPORT Model read_yaml(std::string_view text, const std::string& file_name, Findings& findings,
                                const ReadOptions& options = {});

}  // namespace articula::formats
