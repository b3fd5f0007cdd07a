#include <articula/text/output_file.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <system_error>

#include <articula/base/text.h>

namespace articula::text {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t buffer_size = 1 << 20;

fs::path folder_of(const fs::path& file) { return file.has_parent_path() ? file.parent_path() : fs::path("."); }

}  // namespace

OutputFile::OutputFile(const fs::path& target) : asked_(target), target_(target) {
  const Where where{asked_.string(), 0};
  std::error_code trouble;
  if (fs::is_symlink(fs::symlink_status(target, trouble))) {
    target_ = fs::weakly_canonical(target, trouble);
    if (trouble) throw Error("file-unwritable", where, concat("the link cannot be followed: ", trouble.message(), "."));
  }
  const fs::file_status status = fs::status(target_, trouble);
  if (fs::exists(status) && !fs::is_regular_file(status)) {
    throw Error("file-unwritable", where,
                fs::is_directory(status) ? "it is a folder. Name a file in it." : "it is not a regular file.");
  }
  static std::atomic<unsigned> count = 0;
  const std::string start = concat(".", target_.filename().string().substr(0, 200), ".", ::getpid(), "-");
  for (int attempt = 0; attempt < 100 && !output_.is_open(); ++attempt) {
    name_ = (folder_of(target_) / concat(start, count++)).string();
    output_ = Descriptor(::open(name_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
    if (!output_.is_open() && errno != EEXIST) break;
  }
  if (output_.is_open()) return;
  const int cause = errno;
  fail(concat("no file can be made in the folder ", quoted(folder_of(target_).string()), ": ", system_message(cause)));
}

OutputFile::~OutputFile() {
  if (output_.is_open()) ::unlink(name_.c_str());
}

void OutputFile::fail(const std::string& what) const {
  throw Error("file-unwritable", {asked_.string(), 0}, concat(what, ". What was there is unchanged."));
}

void OutputFile::drain() {
  if (!output_.write(buffer_)) fail(concat("it cannot be written: ", system_message(errno)));
  buffer_.clear();
}

void OutputFile::write(std::string_view text) {
  buffer_ += text;
  if (buffer_.size() >= buffer_size) drain();
}

void OutputFile::write(std::span<const std::byte> bytes) {
  write(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
}

void OutputFile::write_at(std::uint64_t place, std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = ::pwrite(output_.number(), text.data(), text.size(), static_cast<off_t>(place));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail(concat("it cannot be written: ", system_message(errno)));
    text.remove_prefix(static_cast<std::size_t>(count));
    place += static_cast<std::uint64_t>(count);
  }
}

void OutputFile::resize(std::uint64_t size) {
  if (::ftruncate(output_.number(), static_cast<off_t>(size)) != 0)
    fail(concat("it cannot be written: ", system_message(errno)));
}

void OutputFile::complete() {
  drain();
  struct stat old {};
  const bool permitted = ::stat(target_.c_str(), &old) != 0 || ::fchmod(output_.number(), old.st_mode & 07777) == 0;
  if (!permitted || ::fsync(output_.number()) != 0)
    fail(concat("it cannot be brought to the disk: ", system_message(errno)));
  if (::rename(name_.c_str(), target_.c_str()) != 0)
    fail(concat("it cannot be put in its place: ", system_message(errno)));
  output_ = Descriptor();
  const Descriptor folder(::open(folder_of(target_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder.is_open()) ::fsync(folder.number());  // syncs the new name; some file systems do not support this
}

int place_new_file(const fs::path& made, const fs::path& target) {
  if (link(made.c_str(), target.c_str()) == 0) {
    unlink(made.c_str());
    return 0;
  }
  if (errno == EEXIST) return EEXIST;
  // For file systems without links.
  if (renameat2(AT_FDCWD, made.c_str(), AT_FDCWD, target.c_str(), RENAME_NOREPLACE) == 0) return 0;
  if (errno != EINVAL && errno != ENOSYS) return errno;
  std::error_code none;
  if (fs::exists(fs::symlink_status(target, none))) return EEXIST;
  return rename(made.c_str(), target.c_str()) == 0 ? 0 : errno;
}

}  // namespace articula::text
