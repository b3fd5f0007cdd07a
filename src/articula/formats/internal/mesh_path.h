#pragma once

#include <string>
#include <string_view>

#include <articula/formats/options.h>

namespace articula {

/// Why a file named by the model `model_file` must not be opened on its word alone; empty if it may.
///
/// Allowed are relative paths that stay in the model's folder, `package://` and `model://` paths that stay in
/// their package, and paths into one of the declared roots. The text alone is looked at; nothing is opened.
std::string why_outside(std::string_view file, std::string_view model_file, const ReadOptions& options);

}  // namespace articula
