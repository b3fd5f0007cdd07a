#pragma once

#include <chrono>
#include <mutex>

#include <articula/study/store.h>

#include "sqlite.h"

namespace articula {

/// The connection, and a lock, since a transaction belongs to one thread at a time.
struct Store::Impl {
  Impl(const std::filesystem::path& file, Access access_, const Options& options_);

  std::int64_t key(std::string_view run) const;  ///< of a run by its whole id; throws an Error

  /// Throws an Error with the code run-is-running if another living process has the run.
  void refuse_if_running(std::int64_t key, std::string_view run, std::string_view what) const;

  Access access;
  Options options;
  Database database;
  mutable std::recursive_mutex mutex;
};

using StoreLock = std::lock_guard<std::recursive_mutex>;

/// The check sum of a block of rows: of its place as well as of its values.
std::uint32_t block_crc(std::int64_t task, std::int64_t first, std::int64_t rows, std::int64_t columns,
                        std::span<const std::byte> data);

/// The check sum of a checkpoint.
std::uint32_t checkpoint_crc(std::int64_t task, double t, std::int64_t rows, std::span<const std::byte> bytes);

std::uint32_t text_crc(std::string_view text);

/// The blocks of a task in order, as long as they are sound: checked, without a gap, and with as many columns as the task
/// has signals. Returns why it ended before the last row that was recorded, if it did.
std::optional<Finding> each_sound_block(const Database& database, TaskId task, std::int64_t from, std::int64_t to,
                                        const std::function<void(const StoredRows&)>& use);

}  // namespace articula
