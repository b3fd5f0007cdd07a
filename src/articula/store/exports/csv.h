#pragma once

#include <filesystem>
#include <string>

#include <articula/store/store.h>

namespace articula {

/// Writes the table of one task as CSV: `q.joint1 [rad]` in the header, numbers with the fewest digits that read back as
/// the same double, fields with commas, quotes or line breaks in quotes, lines that end with CR LF.  [RFC 4180]
/// The file is complete or not there at all. Returns what could not be read.
ARTICULA_EXPORT Findings export_csv(const Store& store, const StoredTask& task, const std::filesystem::path& file);

/// The first line of it, with its end: by it an earlier export of the same signals is recognised.
ARTICULA_EXPORT std::string csv_header(const StoredTask& task);

}  // namespace articula
