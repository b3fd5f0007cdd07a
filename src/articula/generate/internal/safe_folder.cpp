#include <articula/generate/internal/safe_folder.h>

#include <sys/stat.h>
#include <unistd.h>

#include <articula/base/error.h>
#include <articula/base/text.h>

namespace fs = std::filesystem;

namespace articula::generate {
namespace {

/// In `what`, @ stands for `at`, the unsafe folder on the path.
[[noreturn]] void refuse(const fs::path& folder, const fs::path& at, std::string_view what) {
  const std::size_t place = what.find('@');
  const std::string which = at == folder ? "it" : concat("the folder ", quoted(at.string()), " on its path");
  throw Error("cache-unsafe", {folder.string(), 0},
              concat(what.substr(0, place), which, what.substr(place + 1),
                     ", so that code in it cannot be trusted. It must belong to you, and nobody else may write to it; "
                     "folders on its path may also be root's. Change that, or choose another folder with "
                     "XDG_CACHE_HOME."));
}

bool is_ours(const struct stat& info) { return info.st_uid == ::geteuid(); }
bool is_trusted(const struct stat& info) { return is_ours(info) || info.st_uid == 0; }

/// Follows a path component by component, as the system does, and checks each one.
class Walk {
 public:
  explicit Walk(const fs::path& folder) : folder_(folder) {}

  /// The path without links; empty if it does not exist.
  fs::path follow(const fs::path& path) {
    fs::path at = "/";
    inspect(at);
    for (const fs::path& part : path.relative_path()) {
      if (part.empty() || part == ".") continue;
      at = part == ".." ? at.parent_path() : step(at, part);
      if (at.empty()) return {};
    }
    return at;
  }

 private:
  fs::path step(const fs::path& from, const fs::path& part) {
    constexpr int most_links = 40;  // as on Linux
    const fs::path to = from / part;
    struct stat info {};
    if (::lstat(to.c_str(), &info) != 0) return {};
    if (!S_ISLNK(info.st_mode)) {
      inspect(to);
      return to;
    }
    if (!is_trusted(info)) refuse(folder_, to, "@ is a link of somebody else's");
    std::error_code trouble;
    const fs::path target = fs::read_symlink(to, trouble);
    if (trouble || ++links_ > most_links) return {};
    return follow(target.is_absolute() ? target : from / target);
  }

  void inspect(const fs::path& at) const {
    struct stat info {};
    if (::lstat(at.c_str(), &info) != 0) return;  // reported at its first use
    if (!S_ISDIR(info.st_mode)) refuse(folder_, at, "@ is no folder");
    if (!is_trusted(info)) refuse(folder_, at, "@ belongs to somebody else");
    const bool shared = (info.st_mode & (S_IWGRP | S_IWOTH)) != 0;
    if (shared && (info.st_mode & S_ISVTX) == 0) refuse(folder_, at, "others may write to @");
  }

  const fs::path& folder_;
  int links_ = 0;
};

}  // namespace

fs::path safe_temporary_folder(const fs::path& folder) {
  const fs::path whole = fs::absolute(folder);
  return Walk(whole).follow(whole);
}

fs::path safe_folder(const fs::path& folder) {
  const fs::path whole = fs::absolute(folder), real = Walk(whole).follow(whole);
  if (real.empty()) return {};
  struct stat info {};
  if (::lstat(real.c_str(), &info) != 0) return {};
  if (!is_ours(info)) refuse(whole, whole, "@ belongs to somebody else");
  if ((info.st_mode & (S_IWGRP | S_IWOTH)) != 0) refuse(whole, whole, "others may write to @");
  return real;
}

}  // namespace articula::generate
