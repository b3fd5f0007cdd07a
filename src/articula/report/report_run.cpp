#include <articula/report/report_run.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include <fmt/format.h>

#include <articula/base/text.h>

namespace articula::report {
namespace {

/// Longer texts, such as tables of measured values, are not included in a page.
constexpr std::size_t longest_text = 256 * 1024;

/// Integers in full, other numbers to four digits.
std::string count_value(double value) {
  return value == std::floor(value) && std::abs(value) < 1e15 ? fmt::format("{:.0f}", value)
                                                              : fmt::format("{:.4g}", value);
}

/// 2026-01-31T12:00:00Z → 2026-01-31 12:00:00 UTC
std::string date_text(std::string created) {
  if (created.size() != 20 || created[10] != 'T' || created[19] != 'Z') return created;
  created[10] = ' ';
  return created.substr(0, 19) + " UTC";
}

/// The rows of a task, converted to columns.
ReportTask task_of(const Store& store, const StoredTask& stored, Findings& log) {
  ReportTask task{.name = stored.name, .kind = stored.kind, .status = std::string(to_text(stored.status))};
  if (!stored.message.empty()) task.status += concat(": ", stored.message);
  for (const Count& count : stored.counts) task.facts.push_back({count.name, count_value(count.value)});

  std::vector<ReportSignal> columns;
  for (const StoredSignal& signal : stored.signals) {
    columns.push_back({signal.name, signal.unit, {}});
  }
  const std::optional<Finding> damage = store.each_block(stored.id, [&](const StoredRows& rows) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      for (std::size_t j = 0; j < columns.size(); ++j) columns[j].values.push_back(rows.row(i)[j]);
    }
  });
  if (damage) log.push_back(*damage);
  if (columns.empty()) return task;
  task.over = std::move(columns.front());
  columns.erase(columns.begin());
  task.signals = std::move(columns);
  return task;
}

ReportCheck check_of(const CheckResult& check) {
  ReportCheck shown{.name = check.name,
                    .reference = check.reference,
                    .unit = check.unit,
                    .expected = check.expected,
                    .got = check.got,
                    .difference = check.got - check.expected,
                    .tolerance = check.tolerance,
                    .passed = check.pass,
                    .note = check.message,
                    .lower = check.lower,
                    .upper = check.upper};
  if (shown.name.empty()) shown.name = check.signal.empty() ? check.task : concat(check.task, ": ", check.signal);
  if (check.lower || check.upper) shown.expected.reset(), shown.difference.reset(), shown.tolerance.reset();
  // The columns contain the same information.
  if (check.pass && shown.note.starts_with("is ")) shown.note.clear();
  for (auto* number : {&shown.expected, &shown.got, &shown.difference, &shown.tolerance}) {
    if (*number && std::isnan(**number)) number->reset();
  }
  return shown;
}

std::string file_of(const SourceText& text) { return std::filesystem::path(text.path).filename().string(); }

std::string title_of(const SourceText& text) {
  std::string role = text.role;
  if (!role.empty() && role[0] >= 'a' && role[0] <= 'z') role[0] = static_cast<char>(role[0] - 'a' + 'A');
  return text.path.empty() ? role : concat(role, ": ", text.path);
}

}  // namespace

ReportData make_report_data(const Store& store, std::string_view id) {
  const StoredRun run = store.run(id);
  const auto& origin = run.provenance;
  ReportData data{.title = origin.study, .run = run.id, .date = date_text(origin.created)};
  data.status = to_text(run.status);
  data.log = run.log;
  data.provenance = {{"Articula", origin.version},
                     {"host", origin.host},
                     {"begun", date_text(origin.created)},
                     {"command", origin.command},
                     {"seed", std::to_string(origin.seed)}};
  for (const NamedText& option : origin.options) data.provenance.push_back({option.name, option.value});
  for (const SourceText& text : origin.texts) {
    if (text.role == "model" && data.model.empty()) data.model = file_of(text);
    const bool fits = text.text.size() <= longest_text;
    data.texts.push_back(
        {title_of(text), fits ? text.text : concat("(", text.text.size(), " bytes, kept in the store)\n")});
  }
  for (const StoredTask& task : run.tasks) data.tasks.push_back(task_of(store, task, data.log));
  for (const CheckResult& check : run.checks) data.checks.push_back(check_of(check));
  return data;
}

}  // namespace articula::report
