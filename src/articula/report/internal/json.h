#pragma once

#include <string>
#include <vector>

#include <articula/report/internal/figures.h>
#include <articula/report/report_data.h>

namespace articula::report {

/// What the page's script plots, as JSON that may stand inside a <script> element: no `<`, `>` or `&`, only ASCII.
///
///     {"title", "run", "tasks": [{"name", "rows",
///       "over": {"name", "unit", "values"},                    the places that any signal keeps
///       "signals": [{"name", "unit", "values", "at"}],         at: steps from one kept place to the next, if thinned
///       "figures": [{"title", "symbol", "unit", "lines": [{"signal", "label"}]}]}]}
///
/// Values read back as the same doubles; those that are not finite are null. `figures` has those of each task.
std::string report_json(const ReportData& data, const std::vector<std::vector<ReportFigure>>& figures);

}  // namespace articula::report
