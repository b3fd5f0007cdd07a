#pragma once

#include <filesystem>

#include <articula/text/descriptor.h>

namespace articula::text {

/// Whether `path` begins with `folder`, lexically.
bool begins_with(const std::filesystem::path& path, const std::filesystem::path& folder);

/// Opens files only if they are inside a folder.
///
/// Paths are resolved component by component from the open folder, so that concurrent replacement of folders or links
/// cannot lead outside. Links inside the folder are followed; `..` above the folder and links with absolute paths are
/// refused.
class Beneath {
 public:
  /// If the folder does not exist, no file can be opened.
  explicit Beneath(const std::filesystem::path& folder);

  enum class Trouble { none, outside, missing, unreadable };
  struct Opened {
    Descriptor file;
    Trouble trouble = Trouble::none;
    std::filesystem::path link;  ///< the link that leads outside, relative to the folder; empty: the path itself does
  };
  Opened open(const std::filesystem::path& relative) const;

 private:
  Descriptor folder_;
};

}  // namespace articula::text
