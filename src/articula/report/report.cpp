#include <articula/report/report.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include <articula/base/sha256.h>
#include <articula/base/text.h>
#include <articula/report/internal/figures.h>
#include <articula/report/internal/files.h>
#include <articula/report/internal/html.h>
#include <articula/report/internal/json.h>
#include <articula/report/internal/tables.h>
#include <articula/text/file.h>
#include <articula/version.h>

namespace articula {
namespace {

using Figures = std::vector<std::vector<ReportFigure>>;

std::string section(std::string_view id, std::string_view title, std::string_view body) {
  return concat("<section id=\"", id, "\">\n<h2>", title, "</h2>\n", body, "</section>\n");
}

std::string several(std::size_t count, std::string_view what) {
  return concat(count_with_spaces(count), " ", what, count == 1 ? "" : "s");
}

// The parts of the page, from top to bottom ---------------------------------------------------------------------------

std::string contents_html(const ReportData& data, const Figures& figures) {
  std::string out = "<ol>\n";
  const auto line = [&](std::string_view target, std::string_view text) {
    out += concat("<li><a href=\"#", target, "\">", text, "</a></li>\n");
  };
  if (!data.checks.empty()) line("checks", "Checks");
  std::size_t number = 0;
  for (std::size_t k = 0; k < data.tasks.size(); ++k) {
    out += concat("<li><a href=\"#task-", k, "\">", html_name(data.tasks[k].name), "</a>\n<ol>\n");
    for (const ReportFigure& figure : figures[k]) line(concat("figure-", ++number), html_name(figure.title));
    out += "</ol></li>\n";
  }
  if (!data.log.empty()) line("messages", "Messages");
  if (!data.provenance.empty()) line("provenance", "Provenance");
  if (!data.texts.empty()) line("texts", "Texts of the run");
  return out + "</ol>";
}

std::string verdict_html(const std::vector<ReportCheck>& checks) {
  if (checks.empty()) {
    return "<p class=\"verdict none\"><strong>No checks</strong> <span>The study says nothing of what is "
           "expected.</span></p>";
  }
  const auto failed = static_cast<std::size_t>(
      std::count_if(checks.begin(), checks.end(), [](const ReportCheck& check) { return !check.passed; }));
  if (failed == 0) {
    return concat("<p class=\"verdict good\"><strong>✓ Passed</strong> <span>",
                  checks.size() == 1 ? "The one check of the study holds."
                                     : concat("All ", count_with_spaces(checks.size()), " checks of the study hold."),
                  "</span></p>");
  }
  return concat("<p class=\"verdict bad\"><strong>✗ Failed</strong> <span>", count_with_spaces(failed), " of ",
                several(checks.size(), "check"), failed == 1 ? " fails" : " fail", ", ",
                count_with_spaces(checks.size() - failed), checks.size() - failed == 1 ? " holds" : " hold",
                ".</span></p>");
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

std::string check_row(const ReportCheck& check) {
  const auto number = [](const std::optional<double>& value, int digits) {
    return concat("<td class=\"num\">", value ? html_number(*value, digits) : "–", "</td>");
  };
  return concat("<tr class=\"", check.passed ? "pass" : "fail", "\"><td class=\"result\">",
                check.passed ? "✓ pass" : "✗ fail", "</td><td class=\"name\"><bdi>", html_name(check.name), "</bdi>",
                check.note.empty() ? "" : concat("<p class=\"note\">", html_name(check.note), "</p>"), "</td><td><bdi>",
                html_name(check.reference), "</bdi></td><td class=\"num\">", expected_html(check), "</td>",
                number(check.got, 10), number(check.difference, 3), number(check.tolerance, 3), "<td>",
                html_name(printed_unit(check.unit)), "</td></tr>\n");
}

std::string checks_html(const std::vector<ReportCheck>& checks) {
  if (checks.empty()) return {};
  std::string body =
      "<div class=\"scroll\"><table>\n<thead><tr><th>Result</th><th>Check</th><th>Reference</th>"
      "<th class=\"right\">Expected</th><th class=\"right\">Got</th><th class=\"right\">Difference</th>"
      "<th class=\"right\">Tolerance</th><th>Unit</th></tr></thead>\n<tbody>\n";
  for (const ReportCheck& check : checks) body += check_row(check);
  return section("checks", "Checks", body + "</tbody></table></div>\n");
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

constexpr std::string_view how_to_use =
    "<p class=\"note screen\">Drag in a figure to zoom, hold shift to move, double-click for the whole range; the "
    "figures of"
    " a task follow one another. Click a name to switch its line off and on, with shift to see it alone.</p>\n";

std::string task_html(const ReportTask& task, std::size_t index, const std::vector<ReportFigure>& figures,
                      std::size_t& number) {
  std::string body = facts_html(task.facts);
  if (figures.empty()) {
    body += rows_html(task);
  } else {
    if (number == 0) body += how_to_use;
    body += concat("<div class=\"bar\" data-task=\"", index, "\"><p class=\"note\">", rows_note(task),
                   "</p></div>\n<div class=\"figures\">\n");
    for (std::size_t k = 0; k < figures.size(); ++k) {
      const std::size_t gaps = gaps_of(task, figures[k]);
      body += concat("<figure id=\"figure-", ++number, "\" data-task=\"", index, "\" data-figure=\"", k,
                     "\"><figcaption><b>Figure ", number, "</b>  <bdi>", html_name(figures[k].title),
                     "</bdi> of task <bdi>", html_name(task.name), "</bdi>",
                     gaps == 0 ? "" : concat(". ", several(gaps, "value"), " not finite: a gap in the line"),
                     ".</figcaption></figure>\n");
    }
    body += "</div>\n";
  }
  const std::string title = concat("<bdi>", html_name(task.name), "</bdi><span class=\"kind\">", html_name(task.kind),
                                   task.status.empty() ? "" : concat(", ", html_name(task.status)), "</span>");
  return section(concat("task-", index), title, body);
}

std::string log_html(const Findings& log) {
  if (log.empty()) return {};
  std::string body = "<ul>\n";
  for (const Finding& finding : log) {
    body += concat("<li>", to_text(finding.severity), ": ", html_name(to_text(finding)), "</li>\n");
  }
  return section("messages", "Messages", body + "</ul>\n");
}

std::string provenance_html(const std::vector<ReportFact>& facts) {
  if (facts.empty()) return {};
  std::string body = "<div class=\"scroll\"><table class=\"pairs\"><tbody>\n";
  for (const ReportFact& fact : facts) {
    body += concat("<tr><th scope=\"row\">", html_name(fact.name), "</th><td>", html_name(fact.value), "</td></tr>\n");
  }
  return section("provenance", "Provenance", body + "</tbody></table></div>\n");
}

std::string texts_html(const std::vector<ReportText>& texts) {
  if (texts.empty()) return {};
  std::string body;
  for (const ReportText& text : texts) {
    const auto lines = static_cast<std::size_t>(std::count(text.text.begin(), text.text.end(), '\n'));
    body += concat("<details><summary>", html_name(text.title), " <span>", several(lines, "line"),
                   "</span></summary>\n<pre>", html_text(text.text), "</pre></details>\n");
  }
  return section("texts", "Texts of the run", body);
}

// The page ------------------------------------------------------------------------------------------------------------

/// Puts each value in the place of its {{name}}. What was put in is not looked at again.
std::string filled(std::string_view page, const std::map<std::string, std::string, std::less<>>& values) {
  std::string out;
  for (std::size_t open = page.find("{{"); open != std::string_view::npos; open = page.find("{{")) {
    const std::size_t close = page.find("}}", open);
    out += page.substr(0, open);
    out += values.at(std::string(page.substr(open + 2, close - open - 2)));
    page.remove_prefix(close + 2);
  }
  return out += page;
}

/// Rows can be plotted over what never falls. Otherwise the row's number takes its place, and it becomes a signal.
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
  std::string tasks;
  std::size_t number = 0;
  for (std::size_t k = 0; k < data.tasks.size(); ++k) tasks += task_html(data.tasks[k], k, figures[k], number);

  const std::string style = concat(embedded::dygraphs_style(), "\n", embedded::report_style());
  const std::string script(embedded::report_script()), dygraphs(embedded::dygraphs_script());
  const std::string policy =
      concat("default-src 'none'; img-src data:; base-uri 'none'; form-action 'none'; style-src '", policy_hash(style),
             "'; script-src '", policy_hash(dygraphs), "' '", policy_hash(script), "'");
  return filled(embedded::report_page(), {{"policy", policy},
                                          {"style", style},
                                          {"notice", std::string(embedded::report_notice())},
                                          {"version", ARTICULA_VERSION},
                                          {"title", html_name(data.title)},
                                          {"run", html_name(data.run)},
                                          {"model", html_name(data.model)},
                                          {"date", html_name(data.date)},
                                          {"status", html_name(data.status)},
                                          {"contents", contents_html(data, figures)},
                                          {"verdict", verdict_html(data.checks)},
                                          {"checks", checks_html(data.checks)},
                                          {"tasks", tasks},
                                          {"log", log_html(data.log)},
                                          {"provenance", provenance_html(data.provenance)},
                                          {"texts", texts_html(data.texts)},
                                          {"data", report_json(data, figures)},
                                          {"dygraphs", dygraphs},
                                          {"script", script}});
}

void write_report(ReportData data, const std::filesystem::path& file) {
  write_text_file(file, report_page(std::move(data)));
}

}  // namespace articula
