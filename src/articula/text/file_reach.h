#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <articula/base/export.h>

namespace articula {

/// Which files the texts of a study may name, and which of those that were read lie elsewhere than in its folder. Copies
/// share that list; threads may use one at the same time.
class ARTICULA_EXPORT FileReach {
 public:
  FileReach() = default;  ///< every file, and no list

  /// Every file. `folder` is the study's.
  explicit FileReach(const std::filesystem::path& folder);

  /// Files beneath `root` only, whatever paths and links say. If there is no such folder, none. Throws `root-outside` if
  /// `folder` does not lie beneath it.
  FileReach(const std::filesystem::path& folder, const std::filesystem::path& root);

  bool is_bounded() const;

  /// The content of a file, whose path is that of the study's folder with one from a text behind it, or absolute. `shown`
  /// names it in messages and in the list; empty: its path. Throws an Error, `file-outside` for one beyond reach.
  std::string read(const std::filesystem::path& file, const std::string& shown = {}) const;

  /// From now on `read` of this very path gives `text`, whether or not there is such a file. @pre it was made for a
  /// study's folder; no other thread uses it
  void replace(const std::filesystem::path& file, std::string text);

  /// Whether a file, after links, lies elsewhere than in the study's folder: it may be anybody's, and its text is nothing
  /// to show or keep unless it is what it should be.
  bool is_elsewhere(const std::filesystem::path& file) const;

  /// Those that were read, each once, as they are shown.
  std::vector<std::string> elsewhere() const;

 private:
  struct Shared;
  std::shared_ptr<Shared> shared_;  ///< or null
};

}  // namespace articula
