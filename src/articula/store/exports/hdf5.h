#pragma once

#include <filesystem>
#include <span>

#include <articula/store/store.h>

namespace articula {

/// Writes tasks of a run as HDF5. Each task is a group with one data set of doubles per signal; attributes `name` and
/// `unit` belong to each data set, counts to the group, and the provenance to the root, with the texts of study and
/// models in the group `provenance`. A slash in a name is a bar in the path; the attribute has the name as it is.
/// The file is complete or not there at all, and may be larger than the memory. Returns what could not be read.
ARTICULA_EXPORT Findings export_hdf5(const Store& store, const StoredRun& run, std::span<const StoredTask> tasks,
                                     const std::filesystem::path& file);

}  // namespace articula
