#pragma once

#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <string_view>

#include <articula/base/error.h>

namespace articula::store {

/// The lock of one run: a byte of an empty file next to the store, `runs.db-lock`. Its owner may write the run.
///
/// The system releases the lock when the process of its owner ends for any reason. It works across host names and
/// containers that share the folder. It belongs to the open file description (F_OFD_SETLK), so that two stores in one
/// process exclude each other, too. The store itself is never opened for locking: closing it would drop SQLite's own
/// locks. The last owner removes the file.
class RunLock {
 public:
  /// Empty if another process or store has the lock. `store` must be the real path of the store, without links. Throws
  /// an Error with the code store-unwritable if the lock file cannot be used.
  static std::optional<RunLock> take(const std::filesystem::path& store, std::string_view run);

  /// Whether anybody has the lock; true if that cannot be determined.
  static bool is_taken(const std::filesystem::path& store, std::string_view run);

  ~RunLock();
  RunLock(RunLock&& other) noexcept;
  RunLock& operator=(RunLock&&) = delete;

  bool is_ours() const;  ///< false in a forked child: the parent remains the owner

 private:
  RunLock(std::filesystem::path file, int descriptor, off_t byte);

  std::filesystem::path file_;
  int descriptor_;
  off_t byte_;
  pid_t process_;
};

}  // namespace articula::store
