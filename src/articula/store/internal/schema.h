#pragma once

#include <array>
#include <cstdint>

#include "sqlite.h"

namespace articula::store {

/// "Arti", in the header of every store, so that it is not taken for another SQLite file.
inline constexpr std::int64_t store_application_id = 0x41727469;

/// All tables, each after those that it refers to. Every one has an integer key `id`.
inline constexpr std::array store_tables{"runs",   "texts",       "options", "tasks",  "signals",
                                         "blocks", "checkpoints", "counts",  "checks", "log"};

/// The oldest version that is read as it is. Still older ones are brought to the newest first.
inline constexpr int oldest_readable_version = 3;

/// Throws an Error if the file is no store or a newer one, or if its tables are not those of its version: a view or a
/// trigger would run what somebody else wrote. Its version otherwise, 0 for an empty file.
int store_version(const Database& database);

/// The same of a damaged store, whose tables need not be whole; throws only for what is no table.
int damaged_store_version(const Database& database);

/// How many rows each task has, where that was not recorded: as many as its blocks or checkpoints tell of.
void record_rows(const Database& database);

/// Brings an empty file or an older store to the newest version, in one transaction for each step.
void migrate_store(const Database& database);

}  // namespace articula::store
