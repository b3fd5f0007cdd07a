#include <articula/report/internal/tables.h>

#include <algorithm>
#include <map>

#include <articula/base/text.h>
#include <articula/report/internal/figures.h>
#include <articula/report/internal/html.h>

namespace articula {
namespace {

/// Up to this many rows are shown as columns, so that names of signals stand below one another.
constexpr std::size_t few_rows = 3;
/// More cases than this are plotted after all.
constexpr std::size_t most_cases = 200;

std::string table(std::string_view kind, std::string_view head, std::string_view body) {
  return concat("<div class=\"scroll\"><table class=\"", kind, "\">\n<thead>", head, "</thead>\n<tbody>\n", body,
                "</tbody></table></div>\n");
}

/// One line for each signal.
std::string transposed(const ReportTask& task) {
  const auto line = [](const ReportSignal& signal, std::string_view tag) {
    std::string out = concat("<tr><", tag, "><bdi>", html_name(signal.name), "</bdi></", tag, "><", tag, ">",
                             html_name(printed_unit(signal.unit)), "</", tag, ">");
    for (const double x : signal.values) {
      out += concat("<", tag, " class=\"num right\">", html_number(x), "</", tag, ">");
    }
    return out + "</tr>\n";
  };
  std::string body;
  for (const ReportSignal& signal : task.signals) body += line(signal, "td");
  return table("values", line(task.over, "th"), body);
}

/// One line for each row.
std::string upright(const ReportTask& task) {
  const auto name = [](const ReportSignal& signal) {
    const std::string unit = printed_unit(signal.unit);
    return concat("<th class=\"right\"><bdi>", html_name(signal.name),
                  unit.empty() ? "" : concat(" (", html_name(unit), ")"), "</bdi></th>");
  };
  std::string head = concat("<tr>", name(task.over)), body;
  for (const ReportSignal& signal : task.signals) head += name(signal);
  for (std::size_t row = 0; row < task.over.values.size(); ++row) {
    body += concat("<tr><td class=\"num\">", html_number(task.over.values[row]), "</td>");
    for (const ReportSignal& signal : task.signals) {
      body += concat("<td class=\"num\">", html_number(signal.values[row], 6), "</td>");
    }
    body += "</tr>\n";
  }
  return table("values", head + "</tr>", body);
}

/// A name of the program's own with spaces: `real_time_factor` → real time factor.
std::string spaced(std::string name) {
  std::replace(name.begin(), name.end(), '_', ' ');
  return html_name(name);
}

/// Adds `key` to `keys` if it is new, and tells its place.
std::size_t place_of(std::vector<std::string>& keys, const std::string& key) {
  const auto place = static_cast<std::size_t>(std::find(keys.begin(), keys.end(), key) - keys.begin());
  if (place == keys.size()) keys.push_back(key);
  return place;
}

std::string dotted_table(const std::vector<ReportFact>& facts) {
  std::vector<std::string> lines, columns;
  std::map<std::pair<std::size_t, std::size_t>, std::string> cells;
  for (const ReportFact& fact : facts) {
    const std::size_t dot = fact.name.rfind('.');
    const std::size_t line = place_of(lines, fact.name.substr(0, dot));
    cells[{line, place_of(columns, fact.name.substr(dot + 1))}] = html_name(fact.value);
  }
  std::string head = "<tr><th></th>", body;
  for (const std::string& column : columns) head += concat("<th class=\"right\">", spaced(column), "</th>");
  for (std::size_t line = 0; line < lines.size(); ++line) {
    body += concat("<tr><td><bdi>", html_name(lines[line]), "</bdi></td>");
    for (std::size_t column = 0; column < columns.size(); ++column) {
      const auto cell = cells.find({line, column});
      body += concat("<td class=\"num\">", cell == cells.end() ? "–" : cell->second, "</td>");
    }
    body += "</tr>\n";
  }
  return table("values", head + "</tr>", body);
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

std::string rows_html(const ReportTask& task) {
  const std::size_t rows = task.over.values.size();
  if (rows == 0 || task.signals.empty()) return "<p class=\"note\">This task left no rows.</p>\n";
  return rows <= few_rows ? transposed(task) : upright(task);
}

std::string facts_html(const std::vector<ReportFact>& facts) {
  std::vector<ReportFact> dotted;
  std::string list;
  for (const ReportFact& fact : facts) {
    if (fact.name.find('.') != std::string::npos) {
      dotted.push_back(fact);
    } else {
      list += concat("<div><dt>", spaced(fact.name), "</dt><dd>", html_name(fact.value), "</dd></div>\n");
    }
  }
  if (!list.empty()) list = concat("<dl class=\"facts\">\n", list, "</dl>\n");
  return dotted.empty() ? list : list + dotted_table(dotted);
}

}  // namespace articula
