#include "run_lock.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdint>
#include <thread>
#include <utility>

#include <articula/base/text.h>

#include "file_identity.h"

namespace articula::store {

namespace fs = std::filesystem;

namespace {

fs::path lock_file(const fs::path& store) {
  fs::path file = store;
  return file += "-lock";
}

/// The offset of a run's byte: a hash (FNV-1a) of its id, which is random.
off_t byte_of(std::string_view run) {
  std::uint64_t hash = 14695981039346656037u;
  for (const char c : run) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
  return static_cast<off_t>(hash >> 2);
}

struct flock range(short type, off_t first, off_t length) {
  struct flock lock {};
  lock.l_type = type;
  lock.l_whence = SEEK_SET;
  lock.l_start = first;
  lock.l_len = length;
  return lock;
}

bool set(int descriptor, short type, off_t first, off_t length) {
  struct flock lock = range(type, first, length);
  return fcntl(descriptor, F_OFD_SETLK, &lock) == 0;
}

enum class Holder { nobody, run, cleaner, unknown };

/// The owner of a conflicting lock on a byte. A lock on the whole file belongs to a process that is about to remove it.
Holder holder(int descriptor, off_t byte) {
  struct flock lock = range(F_WRLCK, byte, 1);
  if (fcntl(descriptor, F_OFD_GETLK, &lock) != 0) return Holder::unknown;
  if (lock.l_type == F_UNLCK) return Holder::nobody;
  return lock.l_start == 0 && lock.l_len == 0 ? Holder::cleaner : Holder::run;
}

[[noreturn]] void fail(const fs::path& file, std::string_view what, int cause) {
  throw Error(
      "store-unwritable", {file.string(), 0},
      concat(what, " (", system_message(cause),
             "). Without this lock two processes could write one run. Change the permissions, or keep the store "
             "on a file system that has locks, such as a local disk."));
}

/// Opens the file, or makes it with the owner of the store, so that whoever may write the store may lock it.
int open_or_make(const fs::path& store, const fs::path& file) {
  while (true) {
    int descriptor = open(file.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (descriptor >= 0) return descriptor;
    if (errno != ENOENT) fail(file, "it cannot be opened", errno);
    descriptor = open(file.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (descriptor < 0 && errno == EEXIST) continue;
    if (descriptor < 0) fail(file, "it cannot be made", errno);
    struct stat status {};
    if (stat(store.c_str(), &status) == 0) {
      // Only root can change the owner; others need not.
      if (geteuid() == 0 && fchown(descriptor, status.st_uid, status.st_gid) != 0) errno = 0;
      fchmod(descriptor, status.st_mode & 0666);
    }
    return descriptor;
  }
}

}  // namespace

RunLock::RunLock(fs::path file, int descriptor, off_t byte)
    : file_(std::move(file)), descriptor_(descriptor), byte_(byte), process_(getpid()) {}

RunLock::RunLock(RunLock&& other) noexcept
    : file_(std::move(other.file_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      byte_(other.byte_),
      process_(other.process_) {}

bool RunLock::is_ours() const { return process_ == getpid(); }

RunLock::~RunLock() {
  if (descriptor_ < 0) return;
  if (is_ours()) {
    // If the whole file can be locked, nobody else has a lock. The file is removed only then, and only if it is empty.
    struct stat status {};
    if (set(descriptor_, F_WRLCK, 0, 0)) {
      const bool empty = fstat(descriptor_, &status) == 0 && status.st_size == 0;
      if (empty && identity_of(file_) == identity_of(descriptor_)) unlink(file_.c_str());
    }
    set(descriptor_, F_UNLCK, 0, 0);  // a forked child may still have the file open
  }
  close(descriptor_);
}

std::optional<RunLock> RunLock::take(const fs::path& store, std::string_view run) {
  const fs::path file = lock_file(store);
  const off_t byte = byte_of(run);
  // Removing the file takes very little time. A process that locks the whole file for longer counts as owner of the
  // run.
  constexpr int attempts = 5000;
  for (int k = 0; k < attempts; ++k) {
    const int descriptor = open_or_make(store, file);
    if (set(descriptor, F_WRLCK, byte, 1)) {
      RunLock lock(file, descriptor, byte);
      if (identity_of(file) == identity_of(descriptor)) return lock;
      continue;  // it was removed before it could be locked
    }
    const int cause = errno;
    const Holder who = cause == EAGAIN || cause == EACCES ? holder(descriptor, byte) : Holder::unknown;
    close(descriptor);
    if (who == Holder::unknown) fail(file, "no lock can be had on it", cause);
    if (who == Holder::run) return std::nullopt;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return std::nullopt;
}

bool RunLock::is_taken(const fs::path& store, std::string_view run) {
  const int descriptor = open(lock_file(store).c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (descriptor < 0) return errno != ENOENT;
  const Holder who = holder(descriptor, byte_of(run));
  close(descriptor);
  return who == Holder::run || who == Holder::unknown;
}

}  // namespace articula::store
