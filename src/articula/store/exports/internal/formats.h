#pragma once

#include <articula/store/export.h>

namespace articula::store {

ExportFormat csv_export();
ExportFormat hdf5_export();
ExportFormat mcap_export();

/// All formats, in the order of lists for users.
inline constexpr ExportFormat (*all_exports[])() = {csv_export, hdf5_export, mcap_export};

}  // namespace articula::store
