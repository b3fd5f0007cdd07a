#pragma once

#include <string_view>

#include <articula/base/export.h>
#include <articula/report/report_data.h>
#include <articula/store/store.h>

namespace articula::report {

/// The report data of a stored run; `run` is as in Store::find. Rows after a damaged block are omitted, and the damage
/// is reported in the log.
ARTICULA_EXPORT ReportData make_report_data(const Store& store, std::string_view run);

}  // namespace articula::report
