#pragma once

#include <string_view>

#include <articula/base/export.h>
#include <articula/report/report_data.h>
#include <articula/store/store.h>

namespace articula::report {

/// What a report shows of a stored run, found as by Store::find. Rows behind a damaged block are left out, and the
/// damage is told in the log.
ARTICULA_EXPORT ReportData make_report_data(const Store& store, std::string_view run);

}  // namespace articula::report
