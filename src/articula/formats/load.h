#pragma once

#include <filesystem>

#include <articula/base/error.h>
#include <articula/base/export.h>
#include <articula/formats/options.h>
#include <articula/model/model.h>

namespace articula::formats {

/// Reads a model from a file: native YAML (.yaml, .yml) or URDF (.urdf, .xml). For other extensions, the beginning of
/// the text determines the format.
///
/// Throws an Error that begins with the file's name and line. Warnings and notes are added to `findings`.
ARTICULA_EXPORT Model load(const std::filesystem::path& file, Findings* findings = nullptr,
                           const ReadOptions& options = {});

/// Writes the model into a file whose extension determines the format. Features that the format cannot express are
/// added to `losses`.
///
/// The text is written to a temporary file in the same folder, which replaces the file when it is complete and on the
/// disk: after a failure, which throws an Error, the file has its old content.
ARTICULA_EXPORT void save(const Model& model, const std::filesystem::path& file, Findings* losses = nullptr);

}  // namespace articula::formats
