#pragma once

#include <cstdint>
#include <optional>

#include <articula/base/error.h>

#include "sqlite.h"

namespace articula::store {

/// The description of a run comprises all its data except rows, checkpoints and texts, which have their own checksums:
/// provenance, tasks, names and units of signals, statistics, checks, findings. It is sealed with a checksum at the end
/// of the run, since it changes until then.
void seal_description(const Database& database, std::int64_t run);
void unseal_description(const Database& database, std::int64_t run);

/// A finding if it differs from the sealed description; empty if it agrees or is not sealed.
std::optional<Finding> damaged_description(const Database& database, std::int64_t run);

}  // namespace articula::store
