#pragma once

#include <vector>

#include <nlohmann/json.hpp>

#include <articula/report/report_data.h>

namespace articula::report {

/// Whether a task is shown in a table rather than in figures: it has but a few rows, or its rows are merely numbered
/// 1, 2, 3, ..., as cases are.
bool is_table(const ReportTask& task);

/// The rows of a task for the template, if it is shown in a table: as `is_empty`, `few_rows` or `cases`.
void add_rows(const ReportTask& task, bool in_table, nlohmann::json& values);

/// Facts for the template: a list, `facts`, and, of those with a dot in their names, such as `bdf.1e-6.steps`, a table,
/// `fact_table`: a line for each `bdf.1e-6`, a column for each `steps`.
void add_facts(const std::vector<ReportFact>& facts, nlohmann::json& values);

}  // namespace articula::report
