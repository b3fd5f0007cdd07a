#pragma once

#include <array>
#include <cstdint>

#include "sqlite.h"

namespace articula {

/// "Arti", in the header of every store, so that it is not taken for another SQLite file.
inline constexpr std::int64_t store_application_id = 0x41727469;

/// All tables, each after those that it refers to. Every one has an integer key `id`.
inline constexpr std::array store_tables{"runs",   "texts",       "options", "tasks",  "signals",
                                         "blocks", "checkpoints", "counts",  "checks", "log"};

/// Throws an Error if the file is no store or a newer one; its version otherwise, 0 for an empty file.
int store_version(const Database& database);

/// Brings an empty file or an older store to the newest version, in one transaction for each step.
void migrate_store(const Database& database);

}  // namespace articula
