#pragma once

#include <string>
#include <string_view>

#include <articula/base/error.h>
#include <articula/base/export.h>
#include <articula/formats/options.h>
#include <articula/model/model.h>

namespace articula {

/// The model that a text in the native form (docs/format.md) describes.
///
/// `file_name` is where the text comes from: it begins every message, and included files are found from its
/// folder; a text that comes from no file (an empty name) cannot include any. Throws an Error with everything
/// that is wrong with the text; warnings are added to `findings`, and are errors too when the options are
/// strict.
///
/// Names that lead nowhere are left to the checks of build/, except where a place on a body needs the body.
ARTICULA_EXPORT Model read_yaml(std::string_view text, const std::string& file_name, Findings& findings,
                                const ReadOptions& options = {});

}  // namespace articula
