#pragma once

#include <string>
#include <string_view>

#include <articula/formats/options.h>

namespace articula::formats {

/// The reason why a file named by the model `model_file` must not be opened; empty if it is allowed.
///
/// Allowed are relative paths that stay in the model's folder, `package://` and `model://` paths that stay in
/// their package, and paths into one of the declared roots. Only the text is checked; nothing is opened.
std::string why_outside(std::string_view file, std::string_view model_file, const ReadOptions& options);

}  // namespace articula::formats
