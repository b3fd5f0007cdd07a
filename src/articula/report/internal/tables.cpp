#include <articula/report/internal/tables.h>

#include <algorithm>
#include <map>

#include <articula/report/internal/figures.h>
#include <articula/report/internal/html.h>

namespace articula::report {
namespace {

using nlohmann::json;

/// Up to this number, rows are shown as columns, so that names of signals are in one column.
constexpr std::size_t few_rows = 3;
/// More cases are plotted instead.
constexpr std::size_t most_cases = 200;

/// One line of a table whose columns are rows of the task.
json line_of(const ReportSignal& signal) {
  json line{{"name", signal.name}, {"unit", printed_unit(signal.unit)}, {"values", json::array()}};
  for (const double x : signal.values) line["values"].push_back(html_number(x));
  return line;
}

json few_rows_of(const ReportTask& task) {
  json signals = json::array();
  for (const ReportSignal& signal : task.signals) signals.push_back(line_of(signal));
  return {{"over", line_of(task.over)}, {"signals", signals}};
}

json cases_of(const ReportTask& task) {
  const auto head = [](const ReportSignal& signal) {
    return json{{"name", signal.name}, {"unit", printed_unit(signal.unit)}};
  };
  json columns = json::array({head(task.over)}), rows = json::array();
  for (const ReportSignal& signal : task.signals) columns.push_back(head(signal));
  for (std::size_t k = 0; k < task.over.values.size(); ++k) {
    json row = json::array({html_number(task.over.values[k])});
    for (const ReportSignal& signal : task.signals) row.push_back(html_number(signal.values[k], 6));
    rows.push_back(row);
  }
  return {{"columns", columns}, {"rows", rows}};
}

/// An internal name with spaces: `real_time_factor` → real time factor.
std::string spaced(std::string name) {
  std::replace(name.begin(), name.end(), '_', ' ');
  return name;
}

/// Adds `key` to `keys` if it is new, and returns its index.
std::size_t place_of(std::vector<std::string>& keys, const std::string& key) {
  const auto place = static_cast<std::size_t>(std::find(keys.begin(), keys.end(), key) - keys.begin());
  if (place == keys.size()) keys.push_back(key);
  return place;
}

json fact_table_of(const std::vector<ReportFact>& facts) {
  std::vector<std::string> names, columns;
  std::map<std::pair<std::size_t, std::size_t>, std::string> found;
  for (const ReportFact& fact : facts) {
    const std::size_t dot = fact.name.rfind('.');
    const std::size_t line = place_of(names, fact.name.substr(0, dot));
    found[{line, place_of(columns, fact.name.substr(dot + 1))}] = fact.value;
  }
  json lines = json::array();
  for (std::size_t line = 0; line < names.size(); ++line) {
    json cells = json::array();
    for (std::size_t column = 0; column < columns.size(); ++column) {
      const auto cell = found.find({line, column});
      cells.push_back(cell == found.end() ? "–" : cell->second);
    }
    lines.push_back({{"name", names[line]}, {"cells", cells}});
  }
  for (std::string& column : columns) column = spaced(column);
  return {{"columns", columns}, {"lines", lines}};
}

}  // namespace

bool is_table(const ReportTask& task) {
  const std::vector<double>& values = task.over.values;
  if (task.signals.empty() || values.size() <= few_rows) return true;
  if (values.size() > most_cases || !printed_unit(task.over.unit).empty()) return false;
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (values[k] != static_cast<double>(k + 1)) return false;
  }
  return true;
}

void add_rows(const ReportTask& task, bool in_table, json& values) {
  const std::size_t rows = task.over.values.size();
  const bool is_empty = rows == 0 || task.signals.empty(), is_short = rows <= few_rows;
  values["is_empty"] = in_table && is_empty;
  values["few_rows"] = in_table && !is_empty && is_short ? few_rows_of(task) : json();
  values["cases"] = in_table && !is_empty && !is_short ? cases_of(task) : json();
}

void add_facts(const std::vector<ReportFact>& facts, json& values) {
  std::vector<ReportFact> dotted;
  json lines = json::array();
  for (const ReportFact& fact : facts) {
    if (fact.name.find('.') != std::string::npos) {
      dotted.push_back(fact);
    } else {
      lines.push_back({{"name", spaced(fact.name)}, {"value", fact.value}});
    }
  }
  values["facts"] = lines.empty() ? json() : json{{"lines", lines}};
  values["fact_table"] = dotted.empty() ? json() : fact_table_of(dotted);
}

}  // namespace articula::report
