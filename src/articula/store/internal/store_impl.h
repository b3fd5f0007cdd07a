#pragma once

#include <map>
#include <mutex>
#include <optional>

#include <articula/store/store.h>

#include "file_identity.h"
#include "run_lock.h"
#include "sqlite.h"

namespace articula::store {

/// The number of a status in the store.
inline std::int64_t number(RunStatus status) { return static_cast<std::int64_t>(status); }

/// The connection; a mutex, since a transaction belongs to one thread at a time; and the locks of the runs that this
/// store writes.
struct Store::Impl {
  Impl(const std::filesystem::path& file, Access access_, const Options& options_);

  std::int64_t key(std::string_view run) const;  ///< of a run, by its complete id; throws an Error

  std::string name_of_run(TaskId task) const;  ///< of the run of a task; throws an Error

  /// Takes the lock of a run, unless this store has it. Throws an Error with the code run-is-running if another process
  /// or store has it; `what` is the refused operation.
  void take(const std::string& run, std::string_view what);
  void release(const std::string& run) { locks.erase(run); }

  /// Whether a run with the status `running` is being computed by any process.
  bool is_running(std::string_view run, std::string_view process) const;

  /// Commits. Throws an Error if the store is no longer the file with its name, before or after the commit: other data
  /// would not be stored.
  void commit(Transaction& transaction) const;
  void require_in_place() const;

  Access access;
  Options options;
  Database database;
  std::filesystem::path named;                       ///< the absolute path as given by the user
  std::filesystem::path real;                        ///< without links
  std::optional<FileIdentity> identity, log, index;  ///< of the store and of SQLite's log and its index
  mutable std::recursive_mutex mutex;
  std::map<std::string, RunLock> locks;  ///< by run
};

/// The host of a process that this_process() has named.
std::string host_of(std::string_view process);

/// Whether the process of a run of an older version, which had no locks, still runs on this host.
bool runs_without_lock(std::string_view process);

using StoreLock = std::lock_guard<std::recursive_mutex>;

/// The checksum of a block of rows, over its position and its values.
std::uint32_t block_crc(std::int64_t task, std::int64_t first, std::int64_t rows, std::int64_t columns,
                        std::span<const std::byte> data);

/// The checksum of a checkpoint.
std::uint32_t checkpoint_crc(std::int64_t task, double t, std::int64_t rows, std::span<const std::byte> bytes);

std::uint32_t text_crc(std::string_view text);

/// Ten hexadecimal digits, for ids of runs.
std::string random_digits();

/// Visits the blocks of a task in order while they are sound: with a correct checksum, without a gap, and with as many
/// columns as the task has signals. Returns why it ended before the last recorded row, if it did.
std::optional<Finding> each_sound_block(const Database& database, TaskId task, std::int64_t from, std::int64_t to,
                                        const std::function<void(const StoredRows&)>& use);

}  // namespace articula::store
