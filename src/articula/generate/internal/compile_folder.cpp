#include <articula/generate/internal/compile_folder.h>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <string>

#include <articula/base/text.h>
#include <articula/generate/internal/safe_folder.h>

namespace fs = std::filesystem;

namespace articula::generate {
namespace {

constexpr std::string_view beginning = "articula-compile-";

Descriptor open_folder(const fs::path& folder) {
  return Descriptor(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
}

/// Whether it is the name of a compilation's folder, such as `articula-compile-a1B2c3`.
bool is_compile_folder(const std::string& name) {
  return name.starts_with(beginning) && name.size() == beginning.size() + 6;
}

/// `32 digits.process.count.c`: a temporary file that versions up to 0.1 compiled next to their entries.
bool is_passing_file(const std::string& name) {
  constexpr std::size_t digits = 32;
  if (name.size() < digits + 4 || name[digits] != '.') return false;
  const auto is_hex = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); };
  if (!std::all_of(name.begin(), name.begin() + digits, is_hex)) return false;
  const std::size_t last = name.rfind('.'), middle = name.find('.', digits + 1);
  if (middle == std::string::npos || middle >= last) return false;
  const auto is_number = [&](std::size_t from, std::size_t to) {
    return from < to && name.find_first_not_of("0123456789", from) >= to;
  };
  return is_number(digits + 1, middle) && is_number(middle + 1, last);
}

bool is_old(const struct stat& info, std::time_t seconds) { return std::time(nullptr) - info.st_mtime > seconds; }

void remove_if_litter(const fs::path& path) {
  constexpr std::time_t minute = 60, day = 86400;
  const std::string name = path.filename().string();
  struct stat info {};
  if (::lstat(path.c_str(), &info) != 0 || info.st_uid != ::geteuid()) return;
  if (S_ISREG(info.st_mode) && is_passing_file(name) && is_old(info, day)) ::unlink(path.c_str());
  if (!S_ISDIR(info.st_mode) || !is_compile_folder(name) || !is_old(info, minute)) return;
  // A live process locks its folder right after making it. The folder is a minute old: without a lock, its owner is
  // dead.
  const Descriptor folder = open_folder(path);
  if (!folder.is_open() || ::flock(folder.number(), LOCK_EX | LOCK_NB) != 0) return;
  std::error_code trouble;
  fs::remove_all(path, trouble);
}

}  // namespace

void remove_litter(const fs::path& folder) {
  std::error_code trouble;
  for (fs::directory_iterator entry(folder, trouble), end; !trouble && entry != end; entry.increment(trouble)) {
    const std::string name = entry->path().filename().string();
    if (is_compile_folder(name) || is_passing_file(name)) remove_if_litter(entry->path());
  }
}

CompileFolder::CompileFolder(const fs::path& parent) {
  std::error_code trouble;
  const fs::path place = parent.empty() ? safe_temporary_folder(fs::temp_directory_path(trouble)) : parent;
  if (place.empty()) return;
  remove_litter(place);
  std::string name = (place / concat(beginning, "XXXXXX")).string();
  if (::mkdtemp(name.data()) == nullptr) return;
  path_ = name;
  lock_ = open_folder(path_);
  if (lock_.is_open()) ::flock(lock_.number(), LOCK_EX | LOCK_NB);
}

CompileFolder::~CompileFolder() {
  std::error_code trouble;
  if (!path_.empty()) fs::remove_all(path_, trouble);
}

bool write_own_file(const fs::path& name, std::string_view text) {
  const Descriptor file(::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  return file.is_open() && file.write(text) && ::fsync(file.number()) == 0;
}

bool move_own_file(const fs::path& file, const fs::path& place) {
  if (::rename(file.c_str(), place.c_str()) != 0) return false;
  const Descriptor folder = open_folder(place.parent_path());
  if (folder.is_open()) ::fsync(folder.number());  // some file systems do not support this
  return true;
}

}  // namespace articula::generate
