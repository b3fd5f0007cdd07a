#pragma once

#include <string>
#include <vector>

#include <articula/report/report_data.h>

namespace articula {

/// Whether a task is shown in a table rather than in figures: it has but a few rows, or its rows are merely numbered
/// 1, 2, 3, ..., as cases are.
bool is_table(const ReportTask& task);

/// The rows of such a task.
std::string rows_html(const ReportTask& task);

/// Facts in a list. Those with a dot in their names, such as `bdf.1e-6.steps`, are a table: a line for each `bdf.1e-6`, a
/// column for each `steps`.
std::string facts_html(const std::vector<ReportFact>& facts);

}  // namespace articula
