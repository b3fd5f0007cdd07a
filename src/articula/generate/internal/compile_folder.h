#pragma once

#include <filesystem>
#include <string_view>

#include <articula/text/descriptor.h>

namespace articula::generate {

/// A folder of its own for one compilation, in `parent`, or where temporary files go if that is empty. It is locked while
/// this lives, and gone afterwards. A process that is killed leaves one that is not locked, which the next compilation in
/// the same place removes if it is a minute old.
class CompileFolder {
 public:
  explicit CompileFolder(const std::filesystem::path& parent);
  ~CompileFolder();
  CompileFolder(const CompileFolder&) = delete;
  CompileFolder& operator=(const CompileFolder&) = delete;

  /// Empty if it could not be made.
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  Descriptor lock_;
};

/// A new file of this user's alone, brought to the disk. Whether that worked.
bool write_own_file(const std::filesystem::path& file, std::string_view text);

/// Gives a file on the disk its final name, and brings that to the disk. Whether that worked.
bool move_own_file(const std::filesystem::path& file, const std::filesystem::path& place);

/// Removes what killed compilations left in a folder: what bears a name that they give, belongs to this user, is locked by
/// nobody and is old.
void remove_litter(const std::filesystem::path& folder);

}  // namespace articula::generate
