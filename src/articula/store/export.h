#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <articula/store/store.h>
#include <articula/text/output_file.h>

namespace articula::store {

/// A file format for rows of a run: a file in exports/ and a line in exports/internal/formats.h.
struct ExportFormat {
  std::string_view name;                  ///< `csv`, in options
  std::string_view title;                 ///< `CSV`, in messages
  std::vector<std::string_view> endings;  ///< file extensions: `.h5`, `.hdf5`
  bool one_table = false;                 ///< a file contains one task

  /// Whether a file with this beginning is an earlier export of these tasks.
  bool (*is_ours)(std::string_view beginning, std::span<const StoredTask> tasks);

  /// Writes everything except the last step, OutputFile::complete(). Returns the data that could not be read.
  Findings (*write)(OutputFile& out, const Store& store, const StoredRun& run, std::span<const StoredTask> tasks);
};

ARTICULA_EXPORT std::span<const ExportFormat> export_formats();

/// The format with the name `name`, or, without a name, the one for the extension of `file`. Throws an Error that lists
/// the choices.
ARTICULA_EXPORT const ExportFormat& find_export_format(std::string_view name, const std::filesystem::path& file);

/// A file of an export, and its tasks.
struct ExportFile {
  std::filesystem::path path;
  std::span<const StoredTask> tasks;
};

/// One file for all tasks. If a file contains one table, several tasks become several files: out.csv → out_motion.csv,
/// out_torques.csv.
ARTICULA_EXPORT std::vector<ExportFile> export_files(const ExportFormat& format, std::span<const StoredTask> tasks,
                                                     const std::filesystem::path& out);

/// Writes tasks of a run to export_files(). Each file is either complete or absent. Returns the data that could not be
/// read.
ARTICULA_EXPORT Findings export_run(const ExportFormat& format, const Store& store, const StoredRun& run,
                                    std::span<const StoredTask> tasks, const std::filesystem::path& file);

}  // namespace articula::store
