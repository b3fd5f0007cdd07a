#pragma once

#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <string_view>

#include <articula/base/error.h>

namespace articula::store {

/// The lock of one run: a byte of an empty file next to the store, `runs.db-lock`. Whoever has it may write the run.
///
/// The system releases it when its process ends, however it ends, and knows it under every host name and in every
/// container that shares the folder. It belongs to the open file (F_OFD_SETLK), so that two stores of one process
/// exclude each other too. The store itself is never opened for it: closing it would drop SQLite's own locks. The last
/// one to release a lock removes the file.
class RunLock {
 public:
  /// Nothing if another has it. `store` must be the store's real path, without links. Throws an Error with the code
  /// store-unwritable if no lock can be had.
  static std::optional<RunLock> take(const std::filesystem::path& store, std::string_view run);

  /// Whether anybody has it. Where that cannot be found out, somebody has.
  static bool is_taken(const std::filesystem::path& store, std::string_view run);

  ~RunLock();
  RunLock(RunLock&& other) noexcept;
  RunLock& operator=(RunLock&&) = delete;

  bool is_ours() const;  ///< not in a forked child: there it is still the parent's

 private:
  RunLock(std::filesystem::path file, int descriptor, off_t byte);

  std::filesystem::path file_;
  int descriptor_;
  off_t byte_;
  pid_t process_;
};

}  // namespace articula::store
