#pragma once

#include <filesystem>
#include <span>

#include <articula/store/store.h>

namespace articula {

/// Writes tasks of a run as MCAP, uncompressed, in chunks with an index.
///
/// The signals of a task that share what stands before the last dot of their names are one channel: `q.joint1` of the
/// task `motion` is the field `joint1` on the topic `/motion/q`. Messages are JSON with a JSON schema that has the
/// units; what is no number is null. The log time is the time of the row in nanoseconds, or, where the first column is
/// no time in seconds, the number of the row as milliseconds; times below zero shift all to begin at zero. The
/// provenance is a metadata record, the texts of study and models are attachments.
/// The file is complete or not there at all. Returns what could not be read.  [MCAP specification, version 0]
ARTICULA_EXPORT Findings export_mcap(const Store& store, const StoredRun& run, std::span<const StoredTask> tasks,
                                     const std::filesystem::path& file);

}  // namespace articula
