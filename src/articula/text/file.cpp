#include <articula/text/file.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <system_error>
#include <vector>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <articula/base/text.h>
#include <articula/text/descriptor.h>

namespace articula {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t largest_file = std::size_t{1} << 30;

/// What the system says of its last failure.
std::string reason(int code) { return std::generic_category().message(code); }

std::string why_missing(const fs::path& file) {
  constexpr std::size_t most = 2000;
  std::vector<std::string> names;
  std::error_code trouble;
  const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  for (fs::directory_iterator entry(folder, trouble), end; !trouble && entry != end && names.size() < most;
       entry.increment(trouble)) {
    names.push_back(entry->path().filename().string());
  }
  if (trouble) return concat("there is no folder ", quoted(folder.string()), ".");
  std::sort(names.begin(), names.end());
  const auto guess = closest(file.filename().string(), names);
  return concat("there is no such file.", guess ? concat(" Did you mean ", quoted(*guess), "?") : "");
}

std::string read_all(const Descriptor& input, std::size_t expected, const Where& where) {
  std::string text(expected + 1, '\0');
  std::size_t size = 0;
  while (true) {
    if (size == text.size()) text.resize(2 * size);
    const ssize_t count = ::read(input.number(), text.data() + size, text.size() - size);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw Error("file-unreadable", where, concat("it cannot be read: ", reason(errno), "."));
    if (count == 0) break;
    size += static_cast<std::size_t>(count);
    if (size > largest_file) throw Error("file-too-large", where, concat("it has more than ", largest_file, " bytes."));
  }
  text.resize(size);
  return text;
}

}  // namespace

std::string read_text_file(const fs::path& file) {
  const Where where{file.string(), 0};
  // Without O_NONBLOCK, opening a pipe would wait for somebody to write into it.
  const Descriptor input(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!input.is_open()) {
    if (errno == ENOENT || errno == ENOTDIR) throw Error("file-missing", where, why_missing(file));
    throw Error("file-unreadable", where, concat("it cannot be opened: ", reason(errno), "."));
  }
  return read_open_file(input, where);
}

std::string read_open_file(const Descriptor& input, const Where& where) {
  struct stat status {};
  if (::fstat(input.number(), &status) != 0) {
    throw Error("file-unreadable", where, concat("it cannot be read: ", reason(errno), "."));
  }
  if (S_ISDIR(status.st_mode)) throw Error("file-unreadable", where, "it is a folder. Name a file in it.");
  if (!S_ISREG(status.st_mode)) throw Error("file-unreadable", where, "it is not a regular file.");
  const auto size = static_cast<std::size_t>(status.st_size);
  if (size > largest_file) {
    throw Error("file-too-large", where,
                concat("it has ", size, " bytes. Files up to ", largest_file, " bytes are read."));
  }
  return read_all(input, size, where);
}

namespace {

/// A file under a name of its own that is gone again unless it is moved to its place.
class TemporaryFile {
 public:
  TemporaryFile(const fs::path& target, const Where& where) : where_(where), output_(create(target)) {
    if (output_.is_open()) return;
    fail(concat("no file can be made in the folder ", quoted(folder_of(target).string()), ": ", reason(errno)));
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() {
    if (!name_.empty() && output_.is_open()) ::unlink(name_.c_str());
  }

  void write(std::string_view text) {
    while (!text.empty()) {
      const ssize_t count = ::write(output_.number(), text.data(), text.size());
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) fail(concat("it cannot be written: ", reason(errno)));
      text.remove_prefix(static_cast<std::size_t>(count));
    }
  }

  /// With the permissions of the file that is replaced, or those that a new file has.
  void move_to(const fs::path& target) {
    struct stat old {};
    const bool replaces = ::stat(target.c_str(), &old) == 0;
    const bool permitted = !replaces || ::fchmod(output_.number(), old.st_mode & 07777) == 0;
    if (!permitted || ::fsync(output_.number()) != 0) fail(concat("it cannot be brought to the disk: ", reason(errno)));
    if (::rename(name_.c_str(), target.c_str()) != 0) fail(concat("it cannot be put in its place: ", reason(errno)));
    name_.clear();
    const Descriptor folder(::open(folder_of(target).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (folder.is_open()) ::fsync(folder.number());  // the new name; not every file system knows this
  }

 private:
  static fs::path folder_of(const fs::path& target) {
    return target.has_parent_path() ? target.parent_path() : fs::path(".");
  }

  /// A new file beside the target, under a name that nobody else has; −1 and errno if there cannot be one.
  int create(const fs::path& target) {
    constexpr int attempts = 100;
    static std::atomic<unsigned> count = 0;
    const std::string start = concat(".", target.filename().string().substr(0, 200), ".", ::getpid(), "-");
    int number = -1;
    for (int k = 0; k < attempts; ++k) {
      name_ = (target.parent_path() / concat(start, count++)).string();
      number = ::open(name_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
      if (number >= 0 || errno != EEXIST) break;
    }
    return number;
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw Error("file-unwritable", where_, concat(what, ". What was there is unchanged."));
  }

  std::string name_;
  const Where& where_;
  Descriptor output_;
};

}  // namespace

void write_text_file(const fs::path& file, std::string_view text) {
  const Where where{file.string(), 0};
  std::error_code trouble;
  fs::path target = file;
  if (fs::is_symlink(file, trouble)) {
    target = fs::weakly_canonical(file, trouble);
    if (trouble) throw Error("file-unwritable", where, concat("the link cannot be followed: ", trouble.message(), "."));
  }
  const fs::file_status status = fs::status(target, trouble);
  if (fs::exists(status) && !fs::is_regular_file(status)) {
    throw Error("file-unwritable", where,
                fs::is_directory(status) ? "it is a folder. Name a file in it." : "it is not a regular file.");
  }
  TemporaryFile temporary(target, where);
  temporary.write(text);
  temporary.move_to(target);
}

}  // namespace articula
