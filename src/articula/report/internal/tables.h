#pragma once

#include <vector>

#include <nlohmann/json.hpp>

#include <articula/report/report_data.h>

namespace articula::report {

/// Whether a task is shown as a table and not as figures: if it has few rows, or if its rows are numbered 1, 2, 3, ...,
/// like cases.
bool is_table(const ReportTask& task);

/// Adds the rows of a task to the values of the template, if it is shown as a table: as `is_empty`, `few_rows` or
/// `cases`.
void add_rows(const ReportTask& task, bool in_table, nlohmann::json& values);

/// Adds facts to the values of the template: a list, `facts`, and for names with a dot, such as `bdf.1e-6.steps`, a
/// table, `fact_table`, with a line for each `bdf.1e-6` and a column for each `steps`.
void add_facts(const std::vector<ReportFact>& facts, nlohmann::json& values);

}  // namespace articula::report
