#pragma once

#include <array>
#include <cstdint>

#include "sqlite.h"

namespace articula::store {

/// "Arti", in the header of every store, to distinguish it from other SQLite files.
inline constexpr std::int64_t store_application_id = 0x41727469;

/// All tables, each after those that it refers to. Each has an integer key `id`.
inline constexpr std::array store_tables{"runs",   "texts",       "options", "tasks",  "signals",
                                         "blocks", "checkpoints", "counts",  "checks", "log"};

/// The oldest version that can be read without an upgrade. Older stores are upgraded to the newest version first.
inline constexpr int oldest_readable_version = 3;

/// The version of a store; 0 for an empty file. Throws an Error if the file is not a store, or a newer one, or if its
/// tables are not those of its version: a view or a trigger would run foreign code.
int store_version(const Database& database);

/// The same for a damaged store, whose tables may be incomplete; throws only for definitions that are not tables.
int damaged_store_version(const Database& database);

/// Records the number of rows of each task, if it is missing, from its blocks and checkpoints.
void record_rows(const Database& database);

/// Upgrades an empty file or an older store to the newest version, one transaction per step.
void migrate_store(const Database& database);

}  // namespace articula::store
