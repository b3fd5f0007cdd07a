#pragma once

#include <string>
#include <string_view>

#include <articula/base/error.h>
#include <articula/base/export.h>
#include <articula/formats/options.h>
#include <articula/model/model.h>

namespace articula {

/// The model that a URDF 1.0 text describes; docs/urdf.md says how.
///
/// `file_name` is where the text comes from: it begins every message. Throws an Error with everything that is
/// wrong with the text. What could be read but not expressed, or looks like a slip, is added to `findings`
/// with its line. Nothing but the text is read: no mesh is opened, nothing is fetched. O(n) in the length of
/// the text.
ARTICULA_EXPORT Model read_urdf(std::string_view text, const std::string& file_name, Findings& findings,
                                const ReadOptions& options = {});

}  // namespace articula
