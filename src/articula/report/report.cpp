#include <articula/report/report.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include <nlohmann/json.hpp>

#include <articula/base/text.h>
#include <articula/report/internal/figures.h>
#include <articula/report/internal/files.h>
#include <articula/report/internal/html.h>
#include <articula/report/internal/json.h>
#include <articula/report/internal/tables.h>
#include <articula/report/internal/template.h>
#include <articula/text/file.h>
#include <articula/text/sha256.h>
#include <articula/version.h>

namespace articula::report {
namespace {

using nlohmann::json;
using Figures = std::vector<std::vector<ReportFigure>>;

std::string several(std::size_t count, std::string_view what) {
  return concat(count_with_spaces(count), " ", what, count == 1 ? "" : "s");
}

/// A list under a name, for the template; null if it is empty.
json list_of_all(std::string_view name, json list) {
  return list.empty() ? json() : json{{std::string(name), std::move(list)}};
}

// The parts of the page, from top to bottom ---------------------------------------------------------------------------

json verdict_of(const std::vector<ReportCheck>& checks) {
  const auto verdict = [](const char* kind, const char* in_short, const std::string& sentence) {
    return json{{"kind", kind}, {"short", in_short}, {"sentence", sentence}};
  };
  if (checks.empty()) return verdict("none", "No checks", "The study says nothing of what is expected.");
  const auto failed = static_cast<std::size_t>(
      std::count_if(checks.begin(), checks.end(), [](const ReportCheck& check) { return !check.passed; }));
  if (failed == 0) {
    return verdict("good", "✓ Passed",
                   checks.size() == 1 ? "The one check of the study holds."
                                      : concat("All ", count_with_spaces(checks.size()), " checks of the study hold."));
  }
  return verdict(
      "bad", "✗ Failed",
      concat(count_with_spaces(failed), " of ", several(checks.size(), "check"), failed == 1 ? " fails" : " fail", ", ",
             count_with_spaces(checks.size() - failed), checks.size() - failed == 1 ? " holds" : " hold", "."));
}

/// A value, or bounds: `0 … 0.175`, `≥ 0`, `≤ 0.175`.
std::string expected_html(const ReportCheck& check) {
  constexpr int digits = 10;
  if (check.lower && check.upper)
    return concat(html_number(*check.lower, digits), " … ", html_number(*check.upper, digits));
  if (check.lower) return concat("≥ ", html_number(*check.lower, digits));
  if (check.upper) return concat("≤ ", html_number(*check.upper, digits));
  return check.expected ? html_number(*check.expected, digits) : "–";
}

json checks_of(const std::vector<ReportCheck>& checks) {
  const auto number = [](const std::optional<double>& value, int digits) {
    return value ? html_number(*value, digits) : "–";
  };
  json rows = json::array();
  for (const ReportCheck& check : checks) {
    rows.push_back({{"result", check.passed ? "pass" : "fail"},
                    {"mark", check.passed ? "✓" : "✗"},
                    {"name", check.name},
                    {"note", check.note},
                    {"reference", check.reference},
                    {"expected", expected_html(check)},
                    {"got", number(check.got, 10)},
                    {"difference", number(check.difference, 3)},
                    {"tolerance", number(check.tolerance, 3)},
                    {"unit", printed_unit(check.unit)}});
  }
  return list_of_all("rows", rows);
}

std::size_t gaps_of(const ReportTask& task, const ReportFigure& figure) {
  std::size_t gaps = 0;
  for (const ReportLine& line : figure.lines) {
    const std::vector<double>& values = task.signals[line.signal].values;
    gaps += static_cast<std::size_t>(
        std::count_if(values.begin(), values.end(), [](double x) { return !std::isfinite(x); }));
  }
  return gaps;
}

std::string rows_note(const ReportTask& task) {
  const std::size_t rows = task.over.values.size();
  std::string out = concat(several(rows, "row"), " of ", several(task.signals.size(), "signal"), ".");
  if (rows > report_points) {
    out += concat(
        " Each signal is drawn from at most ", count_with_spaces(report_points),
        " of them: the first, the last, and the least and greatest of every stretch between. The store has all.");
  }
  return out;
}

/// `number` is the running number of figures on the page.
json plots_of(const ReportTask& task, const std::vector<ReportFigure>& figures, std::size_t& number) {
  json plots{{"is_first", number == 0}, {"note", rows_note(task)}, {"figures", json::array()}};
  for (std::size_t k = 0; k < figures.size(); ++k) {
    const std::size_t gaps = gaps_of(task, figures[k]);
    plots["figures"].push_back({{"number", ++number},
                                {"place", k},
                                {"title", figures[k].title},
                                {"gaps", gaps == 0 ? "" : several(gaps, "value")}});
  }
  return plots;
}

json tasks_of(const std::vector<ReportTask>& tasks, const Figures& figures) {
  json list = json::array();
  std::size_t number = 0;
  for (std::size_t k = 0; k < tasks.size(); ++k) {
    const ReportTask& task = tasks[k];
    json values{{"index", k}, {"name", task.name}, {"kind", task.kind}, {"status", task.status}};
    add_facts(task.facts, values);
    add_rows(task, figures[k].empty(), values);
    values["plots"] = figures[k].empty() ? json() : plots_of(task, figures[k], number);
    list.push_back(std::move(values));
  }
  return list;
}

json log_of(const Findings& log) {
  json findings = json::array();
  for (const Finding& finding : log) {
    findings.push_back({{"severity", to_text(finding.severity)}, {"text", to_text(finding)}});
  }
  return list_of_all("findings", findings);
}

json provenance_of(const std::vector<ReportFact>& facts) {
  json lines = json::array();
  for (const ReportFact& fact : facts) lines.push_back({{"name", fact.name}, {"value", fact.value}});
  return list_of_all("lines", lines);
}

json texts_of(const std::vector<ReportText>& texts) {
  json all = json::array();
  for (const ReportText& text : texts) {
    const auto lines = static_cast<std::size_t>(std::count(text.text.begin(), text.text.end(), '\n'));
    all.push_back({{"title", text.title}, {"lines", several(lines, "line")}, {"text", html_text(text.text)}});
  }
  return list_of_all("all", all);
}

// The page ------------------------------------------------------------------------------------------------------------

/// The horizontal axis of plots must be nondecreasing. Otherwise it is replaced by the row number, and becomes a
/// signal.
ReportTask with_rising_over(ReportTask task) {
  const std::vector<double>& values = task.over.values;
  const bool finite = std::all_of(values.begin(), values.end(), [](double x) { return std::isfinite(x); });
  if (finite && std::is_sorted(values.begin(), values.end())) return task;
  ReportSignal row{"row", "", std::vector<double>(values.size())};
  for (std::size_t k = 0; k < values.size(); ++k) row.values[k] = static_cast<double>(k + 1);
  task.signals.insert(task.signals.begin(), std::exchange(task.over, std::move(row)));
  return task;
}

}  // namespace

std::string report_page(ReportData data) {
  Figures figures;
  for (ReportTask& task : data.tasks) {
    figures.emplace_back();
    if (is_table(task)) continue;
    task = with_rising_over(std::move(task));
    figures.back() = make_figures(task.signals);
  }
  const std::string style = concat(embedded::dygraphs_style(), "\n", embedded::report_style());
  const std::string script(embedded::report_script()), dygraphs(embedded::dygraphs_script());
  const std::string policy =
      concat("default-src 'none'; img-src data:; base-uri 'none'; form-action 'none'; style-src '", policy_hash(style),
             "'; script-src '", policy_hash(dygraphs), "' '", policy_hash(script), "'");
  return filled(embedded::report_page(), {{"policy", policy},
                                          {"style", style},
                                          {"notice", embedded::report_notice()},
                                          {"version", ARTICULA_VERSION},
                                          {"title", data.title},
                                          {"run", data.run},
                                          {"model", data.model},
                                          {"date", data.date},
                                          {"status", data.status},
                                          {"verdict", verdict_of(data.checks)},
                                          {"checks", checks_of(data.checks)},
                                          {"tasks", tasks_of(data.tasks, figures)},
                                          {"log", log_of(data.log)},
                                          {"provenance", provenance_of(data.provenance)},
                                          {"texts", texts_of(data.texts)},
                                          {"data", report_json(data, figures)},
                                          {"dygraphs", dygraphs},
                                          {"script", script}});
}

void write_report(ReportData data, const std::filesystem::path& file) {
  write_text_file(file, report_page(std::move(data)));
}

}  // namespace articula::report
