#pragma once

#include <string>
#include <string_view>

#include <articula/base/error.h>
#include <articula/base/export.h>
#include <articula/formats/options.h>
#include <articula/model/model.h>

namespace articula::formats {

/// Reads a model from a URDF 1.0 text, see docs/urdf.md.
///
/// `file_name` begins every message. Throws an Error with everything that is wrong with the text. Elements that cannot
/// be expressed, and probable mistakes, are added to `findings` with their lines. No other files are read: meshes are
/// not opened. O(n) in the length of the text.
ARTICULA_EXPORT Model read_urdf(std::string_view text, const std::string& file_name, Findings& findings,
                                const ReadOptions& options = {});

}  // namespace articula::formats
