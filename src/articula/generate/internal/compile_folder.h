#pragma once

#include <filesystem>
#include <string_view>

#include <articula/text/descriptor.h>

namespace articula::generate {

/// A folder for one compilation, in `parent`, or in the folder for temporary files if `parent` is empty. It is locked
/// during the lifetime of this object and removed at its end. A killed process leaves an unlocked folder, which the
/// next compilation in the same parent removes once it is a minute old.
class CompileFolder {
 public:
  explicit CompileFolder(const std::filesystem::path& parent);
  ~CompileFolder();
  CompileFolder(const CompileFolder&) = delete;
  CompileFolder& operator=(const CompileFolder&) = delete;

  /// Empty if the folder could not be made.
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  Descriptor lock_;
};

/// Writes a new file with access for this user only, and syncs it to the disk. Returns whether that worked.
bool write_own_file(const std::filesystem::path& file, std::string_view text);

/// Renames a file to its final name, and syncs the folder to the disk. Returns whether the renaming worked.
bool move_own_file(const std::filesystem::path& file, const std::filesystem::path& place);

/// Removes leftovers of killed compilations from a folder: entries with the names of their files that belong to this
/// user, are not locked and are old.
void remove_litter(const std::filesystem::path& folder);

}  // namespace articula::generate
