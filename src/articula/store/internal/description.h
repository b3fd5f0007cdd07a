#pragma once

#include <cstdint>
#include <optional>

#include <articula/base/error.h>

#include "sqlite.h"

namespace articula {

/// What a store says of a run beside its rows, checkpoints and texts, which have check sums of their own: where it comes
/// from, tasks, names and units of signals, figures, checks, findings. Sealed with a check sum when the run ends, since all
/// of it changes before.
void seal_description(const Database& database, std::int64_t run);
void unseal_description(const Database& database, std::int64_t run);

/// That it is not what was sealed; nothing if it is, or if it is not sealed.
std::optional<Finding> damaged_description(const Database& database, std::int64_t run);

}  // namespace articula
