#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <articula/base/export.h>
#include <articula/base/modules.h>

namespace articula::text {

/// The files that a study may read, and a list of those that it read outside of its folder. Copies share the list; it
/// is thread-safe.
class ARTICULA_EXPORT FileReach {
 public:
  FileReach() = default;  ///< any file, without a list

  /// Any file. `folder` is the study's.
  explicit FileReach(const std::filesystem::path& folder);

  /// Only files inside `root`, after resolving links; none if the folder does not exist. Throws `root-outside` if
  /// `folder` is not inside `root`.
  FileReach(const std::filesystem::path& folder, const std::filesystem::path& root);

  bool is_bounded() const;

  /// The content of a file. Its path is absolute, or that of the study's folder followed by a path from a text. `shown`
  /// is its name in messages and in the list; empty: its path. Throws an Error, `file-outside` for a file that must not
  /// be read.
  std::string read(const std::filesystem::path& file, const std::string& shown = {}) const;

  /// Later calls of `read` with this path return `text`, even if the file does not exist. @pre constructed with a
  /// study's folder; not used by another thread
  void replace(const std::filesystem::path& file, std::string text);

  /// Whether a file, after resolving links, is outside of the study's folder. Its text may be confidential, and must
  /// not be shown or stored unless it has the expected format.
  bool is_elsewhere(const std::filesystem::path& file) const;

  /// The files that were read outside of the study's folder, each once, by their names in messages.
  std::vector<std::string> elsewhere() const;

 private:
  struct Shared;
  std::shared_ptr<Shared> shared_;  ///< null: any file
};

}  // namespace articula::text
