#pragma once

#include <map>
#include <mutex>
#include <optional>

#include <articula/store/store.h>

#include "file_identity.h"
#include "run_lock.h"
#include "sqlite.h"

namespace articula::store {

/// As the store writes it.
inline std::int64_t number(RunStatus status) { return static_cast<std::int64_t>(status); }

/// The connection, a lock, since a transaction belongs to one thread at a time, and the runs that are written here.
struct Store::Impl {
  Impl(const std::filesystem::path& file, Access access_, const Options& options_);

  std::int64_t key(std::string_view run) const;  ///< of a run by its whole id; throws an Error

  std::string name_of_run(TaskId task) const;  ///< of the run that has the task; throws an Error

  /// Takes the lock of a run, unless this store has it. Throws an Error with the code run-is-running if another has it;
  /// `what` is what cannot be done then.
  void take(const std::string& run, std::string_view what);
  void release(const std::string& run) { locks.erase(run); }

  /// Whether somebody, here or elsewhere, computes a run that says so.
  bool is_running(std::string_view run, std::string_view process) const;

  /// Commits. Throws an Error if the store is no longer the file of its name, before and after: what is not in that file
  /// is not stored.
  void commit(Transaction& transaction) const;
  void require_in_place() const;

  Access access;
  Options options;
  Database database;
  std::filesystem::path named;                       ///< as it was named, from the root on
  std::filesystem::path real;                        ///< without links
  std::optional<FileIdentity> identity, log, index;  ///< of the store and of SQLite's log and its index
  mutable std::recursive_mutex mutex;
  std::map<std::string, RunLock> locks;  ///< by run
};

/// The host of a process that this_process() has named.
std::string host_of(std::string_view process);

/// Whether the process that a run of an older version names still runs on this host. Those had no locks.
bool runs_without_lock(std::string_view process);

using StoreLock = std::lock_guard<std::recursive_mutex>;

/// The check sum of a block of rows: of its place as well as of its values.
std::uint32_t block_crc(std::int64_t task, std::int64_t first, std::int64_t rows, std::int64_t columns,
                        std::span<const std::byte> data);

/// The check sum of a checkpoint.
std::uint32_t checkpoint_crc(std::int64_t task, double t, std::int64_t rows, std::span<const std::byte> bytes);

std::uint32_t text_crc(std::string_view text);

/// Ten hexadecimal digits, as ids of runs have.
std::string random_digits();

/// The blocks of a task in order, as long as they are sound: checked, without a gap, and with as many columns as the task
/// has signals. Returns why it ended before the last row that was recorded, if it did.
std::optional<Finding> each_sound_block(const Database& database, TaskId task, std::int64_t from, std::int64_t to,
                                        const std::function<void(const StoredRows&)>& use);

}  // namespace articula::store
