#pragma once

#include <filesystem>

#include <articula/base/error.h>
#include <articula/base/export.h>
#include <articula/formats/options.h>
#include <articula/model/model.h>

namespace articula {

/// The model in a file: native YAML (.yaml, .yml) or URDF (.urdf, .xml). Where the extension says nothing,
/// the beginning of the text does.
///
/// Throws an Error that begins with the file's name and line. Warnings and notes are added to `findings`.
ARTICULA_EXPORT Model load(const std::filesystem::path& file, Findings* findings = nullptr,
                           const ReadOptions& options = {});

/// Writes the model into a file whose extension names the format. What the format cannot say is added to
/// `losses`.
///
/// The text is written beside the file under another name, and takes its place only when it is complete and
/// on the disk: whatever goes wrong, the file has its old content or the new, never a part. Throws an Error
/// then.
ARTICULA_EXPORT void save(const Model& model, const std::filesystem::path& file, Findings* losses = nullptr);

}  // namespace articula
