#pragma once

#include <string>
#include <vector>

#include <articula/report/internal/figures.h>
#include <articula/report/report_data.h>

namespace articula::report {

/// The data of plots as JSON that is safe inside a <script> element: no `<`, `>` or `&`, only ASCII.
///
///     {"title", "run", "tasks": [{"name", "rows",
///       "over": {"name", "unit", "values"},                    the union of rows that signals keep
///       "signals": [{"name", "unit", "values", "at"}],         at: steps from one kept row to the next, if thinned
///       "figures": [{"title", "symbol", "unit", "lines": [{"signal", "label"}]}]}]}
///
/// Values read back as the same doubles; values that are not finite are null. `figures` has the figures of each task.
std::string report_json(const ReportData& data, const std::vector<std::vector<ReportFigure>>& figures);

}  // namespace articula::report
