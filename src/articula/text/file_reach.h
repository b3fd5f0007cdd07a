#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <articula/base/export.h>
#include <articula/base/rooms.h>

namespace articula::text {

/// The files that a study may read, and a list of those that were read outside of its folder. Copies share that list;
/// several threads may use it.
class ARTICULA_EXPORT FileReach {
 public:
  FileReach() = default;  ///< every file, and no list

  /// Every file. `folder` is the study's.
  explicit FileReach(const std::filesystem::path& folder);

  /// Only files inside `root`, after resolving links. If there is no such folder, none. Throws `root-outside` if
  /// `folder` does not lie beneath it.
  FileReach(const std::filesystem::path& folder, const std::filesystem::path& root);

  bool is_bounded() const;

  /// The content of a file, whose path is that of the study's folder with one from a text behind it, or absolute. `shown`
  /// names it in messages and in the list; empty: its path. Throws an Error, `file-outside` for one beyond reach.
  std::string read(const std::filesystem::path& file, const std::string& shown = {}) const;

  /// Later calls of `read` with this path return `text`, even if there is no such file. @pre it was made for a
  /// study's folder; no other thread uses it
  void replace(const std::filesystem::path& file, std::string text);

  /// Whether a file, after resolving links, is outside of the study's folder: its text may be confidential, and must
  /// not be shown or stored unless it has the expected format.
  bool is_elsewhere(const std::filesystem::path& file) const;

  /// The files that were read, each once, by the names shown in messages.
  std::vector<std::string> elsewhere() const;

 private:
  struct Shared;
  std::shared_ptr<Shared> shared_;  ///< or null
};

}  // namespace articula::text
