#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <articula/store/store.h>
#include <articula/text/output_file.h>

namespace articula::store {

/// A file format for the rows of a run: one file of exports/ and one line in exports/internal/formats.h.
struct ExportFormat {
  std::string_view name;                  ///< `csv`, for options
  std::string_view title;                 ///< `CSV`, for sentences
  std::vector<std::string_view> endings;  ///< of its files: `.h5`, `.hdf5`
  bool one_table = false;                 ///< a file holds one task

  /// Whether a file that begins so is an earlier export of these tasks.
  bool (*is_ours)(std::string_view beginning, std::span<const StoredTask> tasks);

  /// Writes all but the last step, OutputFile::complete(). Returns what could not be read.
  Findings (*write)(OutputFile& out, const Store& store, const StoredRun& run, std::span<const StoredTask> tasks);
};

ARTICULA_EXPORT std::span<const ExportFormat> export_formats();

/// The format called `name`; without a name, the one that the ending of `file` says. Throws an Error that names the
/// choices.
ARTICULA_EXPORT const ExportFormat& find_export_format(std::string_view name, const std::filesystem::path& file);

/// A file of an export, and the tasks in it.
struct ExportFile {
  std::filesystem::path path;
  std::span<const StoredTask> tasks;
};

/// One file for all tasks. Where a file holds one table, several tasks become several files: out.csv → out_motion.csv,
/// out_torques.csv.
ARTICULA_EXPORT std::vector<ExportFile> export_files(const ExportFormat& format, std::span<const StoredTask> tasks,
                                                     const std::filesystem::path& out);

/// Writes tasks of a run to export_files(). Each is complete or not there at all. Returns what could not be read.
ARTICULA_EXPORT Findings export_run(const ExportFormat& format, const Store& store, const StoredRun& run,
                                    std::span<const StoredTask> tasks, const std::filesystem::path& file);

}  // namespace articula::store
