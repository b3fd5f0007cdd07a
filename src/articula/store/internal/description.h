#pragma once

#include <cstdint>
#include <optional>

#include <articula/base/error.h>

#include "sqlite.h"

namespace articula::store {

/// The data of a run in a store other than rows, checkpoints and texts, which have check sums of their own: provenance,
/// tasks, names and units of signals, statistics, checks, findings. They are sealed with a check sum when the run ends,
/// since they change before.
void seal_description(const Database& database, std::int64_t run);
void unseal_description(const Database& database, std::int64_t run);

/// A finding if it differs from what was sealed; nothing if it agrees, or if it is not sealed.
std::optional<Finding> damaged_description(const Database& database, std::int64_t run);

}  // namespace articula::store
