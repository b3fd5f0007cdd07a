#pragma once

#include <filesystem>

#include <articula/text/descriptor.h>

namespace articula {

/// Whether `path` begins with `folder`; both are taken as they are written.
bool begins_with(const std::filesystem::path& path, const std::filesystem::path& folder);

/// Opens files beneath a folder, and no others.
///
/// The path is followed step by step from the open folder, each step from the one before, so that nobody who exchanges
/// folders or links meanwhile can lead out of it. Links are followed while they stay beneath; `..` above the folder and
/// links with absolute paths are not.
class Beneath {
 public:
  /// Of a folder that is not there, nothing can be opened.
  explicit Beneath(const std::filesystem::path& folder);

  enum class Trouble { none, outside, missing, unreadable };
  struct Opened {
    Descriptor file;
    Trouble trouble = Trouble::none;
    std::filesystem::path link;  ///< the one that leads out, from the folder; empty: the path itself does
  };
  Opened open(const std::filesystem::path& relative) const;

 private:
  Descriptor folder_;
};

}  // namespace articula
