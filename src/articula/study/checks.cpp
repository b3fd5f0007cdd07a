#include <articula/study/checks.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <map>
#include <numeric>

#include <fmt/core.h>

#include <articula/base/number.h>
#include <articula/base/text.h>
#include <articula/formats/internal/text_file.h>
#include <articula/study/internal/number_table.h>

namespace articula {
namespace {

/// Times in a table and in the rows are the same if they differ by less than this, relative to the last one.
constexpr double same_time = 1e-9;

/// Columns of a task, each read from the store once.
class Columns {
 public:
  Columns(const CheckedRun& run, const StoredTask& task) : run_(run), task_(task) {}

  const StoredTask& task() const { return task_; }

  const std::vector<double>& at(const std::string& name) {
    const auto known = read_.find(name);
    if (known != read_.end()) return known->second;
    std::vector<std::string> names;
    for (const StoredSignal& signal : task_.signals) names.push_back(signal.name);
    if (std::find(names.begin(), names.end(), name) == names.end()) {
      throw Error(
          "no-such-signal", {},
          concat("task ", quoted(task_.name), " has no signal ", quoted(name), ".", choices(name, "Signals", names)));
    }
    return read_.emplace(name, run_.store.column(task_.id, name)).first->second;
  }

  const std::vector<double>& first() {
    if (task_.signals.empty()) throw Error("check-no-rows", {}, concat("task ", quoted(task_.name), " has no rows."));
    return at(task_.signals.front().name);
  }

  /// The row whose first column is t.
  std::size_t row_at(double t) {
    const std::vector<double>& times = first();
    const auto after = std::lower_bound(times.begin(), times.end(), t);
    std::size_t best = times.size();
    for (const auto each : {after, after == times.begin() ? after : after - 1}) {
      if (each == times.end()) continue;
      const auto k = static_cast<std::size_t>(each - times.begin());
      if (best == times.size() || std::abs(times[k] - t) < std::abs(times[best] - t)) best = k;
    }
    const double last = times.empty() ? 0 : std::max(std::abs(times.front()), std::abs(times.back()));
    if (best == times.size() || std::abs(times[best] - t) > same_time * std::max(last, std::abs(t))) {
      throw Error("check-no-rows", {},
                  concat("task ", quoted(task_.name), " has no row at ", task_.signals.front().name, " = ", t,
                         times.empty() ? "" : concat("; its rows go from ", times.front(), " to ", times.back()),
                         ". Let it make rows there, by output_every or every."));
    }
    return best;
  }

 private:
  const CheckedRun& run_;
  const StoredTask& task_;
  std::map<std::string, std::vector<double>> read_;
};

/// Enough to see how much it is.
std::string brief(double value) { return fmt::format("{:.3g}", value); }

double allowed(const Check& check, double expected) {
  return std::max(check.within.value_or(0), check.within_relative.value_or(0) * std::abs(expected));
}

/// What is looked at, row by row: a signal, a difference, or the norm of several.
std::vector<double> values_of(const Check& check, Columns& columns) {
  std::vector<double> values(columns.first().size(), 0.0);
  const bool norm = check.signals.size() > 1;
  for (std::size_t k = 0; k < check.signals.size(); ++k) {
    const std::vector<double>& signal = columns.at(check.signals[k]);
    const auto number = check.minus.empty() ? std::optional(0.0) : to_number(check.minus[k]);
    const std::vector<double>* other = number ? nullptr : &columns.at(check.minus[k]);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const double difference = signal[i] - (other == nullptr ? *number : (*other)[i]);
      values[i] += norm ? difference * difference : difference;
    }
  }
  if (norm) {
    for (double& value : values) value = std::sqrt(value);
  }
  return values;
}

double taken(const Check& check, Columns& columns) {
  const std::vector<double> values = values_of(check, columns);
  if (check.at) return values[columns.row_at(*check.at)];
  if (values.empty()) throw Error("check-no-rows", {}, concat("task ", quoted(columns.task().name), " has no rows."));
  double sum = 0, largest = 0;
  for (const double value : values) {
    if (std::isnan(value)) return value;  // no bound holds for it
    sum += value * value;
    largest = std::max(largest, std::abs(value));
  }
  switch (check.take) {
    case Take::final: return values.back();
    case Take::first: return values.front();
    case Take::maximum: return *std::max_element(values.begin(), values.end());
    case Take::minimum: return *std::min_element(values.begin(), values.end());
    case Take::largest: return largest;
    case Take::rms: break;
  }
  return std::sqrt(sum / static_cast<double>(values.size()));
}

double count_of(const StoredTask& task, const std::string& name) {
  std::vector<std::string> names;
  for (const Count& count : task.counts) {
    if (count.name == name) return count.value;
    names.push_back(count.name);
  }
  throw Error("no-such-count", {},
              concat("task ", quoted(task.name), " has no count ", quoted(name), ".", choices(name, "Counts", names)));
}

/// Compares one number with what is expected of it.
void compare(const Check& check, double got, CheckResult& result) {
  result.got = got;
  if (check.expect) {
    result.expected = *check.expect;
    result.tolerance = allowed(check, *check.expect);
    result.pass = std::abs(got - *check.expect) <= result.tolerance;
    result.message = concat("is ", got, ", expected ", *check.expect, " ± ", result.tolerance);
    if (!result.pass) result.message += concat("; off by ", brief(std::abs(got - *check.expect)));
    return;
  }
  result.pass = got >= check.between.lower && got <= check.between.upper;
  const bool both = std::isfinite(check.between.lower) && std::isfinite(check.between.upper);
  // A band has its middle and its half width; an open one only its bound.
  result.expected = both                                 ? std::midpoint(check.between.lower, check.between.upper)
                    : std::isfinite(check.between.lower) ? check.between.lower
                                                         : check.between.upper;
  result.tolerance = both ? (check.between.upper - check.between.lower) / 2 : 0;
  result.message = both ? concat("is ", got, ", expected between ", check.between.lower, " and ", check.between.upper)
                        : concat("is ", got, ", expected ",
                                 std::isfinite(check.between.lower) ? "at least " : "at most ", result.expected);
}

/// The text of a table: as stored with the run, or from its file. Nothing if its place is not known here.
std::optional<std::string> table_text(const Check& check, const CheckedRun& run) {
  for (const SourceText& text : run.texts) {
    if (text.role == "table" && text.path == check.table) return text.text;
  }
  const auto path = expand_variables(check.table);
  if (!path) return std::nullopt;
  return read_text_file(run.folder / *path);
}

std::vector<std::size_t> rows_meant(const Check& check, const NumberTable& table) {
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < table.rows(); ++i) {
    bool meant = true;
    for (const auto& [name, value] : check.where_columns) meant = meant && table.column(name, check.table)[i] == value;
    if (meant) rows.push_back(i);
  }
  if (rows.empty())
    throw Error("table-empty", {check.table, 0}, "no row of the table has the values that `where` asks for.");
  return rows;
}

/// The worst of all values of a table decides.
void compare_table(const Check& check, Columns& columns, const std::string& text, CheckResult& result) {
  const NumberTable table = read_number_table(text, check.table);
  const std::vector<double>& times = table.column(check.time, check.table);
  double worst = -1;
  std::string where;
  std::size_t count = 0;
  for (const std::size_t i : rows_meant(check, table)) {
    const std::size_t row = columns.row_at(times[i]);
    for (const TableColumn& column : check.columns) {
      const double expected = table.column(column.column, check.table)[i], got = columns.at(column.signal)[row];
      const double tolerance = allowed(check, expected), off = std::abs(got - expected);
      const double measure = off <= tolerance
                                 ? (tolerance > 0 ? off / tolerance : 0)
                                 : (tolerance > 0 ? off / tolerance : std::numeric_limits<double>::infinity());
      ++count;
      if (measure <= worst) continue;  // NaN comes through
      worst = std::isnan(measure) ? std::numeric_limits<double>::infinity() : measure;
      result.expected = expected, result.got = got, result.tolerance = tolerance;
      where = concat(column.signal, " at ", times[i]);
      result.message = concat(count, " values, the worst ", where, ": is ", got, ", expected ", expected, " ± ",
                              tolerance, ", off by ", brief(off));
    }
  }
  result.pass = worst <= 1;
  result.signal = where;
  const std::size_t cut = result.message.find(' ');
  result.message = concat(count, result.message.substr(cut));
}

std::string made_up_name(const Check& check) {
  if (!check.status.empty()) return concat(check.task, " ends ", check.status);
  if (!check.table.empty()) return concat(check.task, ": ", check.table);
  if (!check.count.empty())
    return concat(check.task, ": ", check.count, check.divided_by.empty() ? "" : " / ", check.divided_by);
  std::string what = list_of(check.signals);
  if (!check.minus.empty()) what += concat(" − ", list_of(check.minus));
  if (check.signals.size() > 1) what = concat("|", what, "|");
  const auto how = EnumNames<Take>::names[static_cast<std::size_t>(check.take)];
  return concat(check.task, ": ", what, check.at ? concat(" at ", *check.at) : concat(" ", how));
}

}  // namespace

std::optional<std::string> expand_variables(std::string_view text) {
  std::string whole;
  while (true) {
    const std::size_t begin = text.find("${");
    const std::size_t end = begin == std::string_view::npos ? begin : text.find('}', begin);
    if (end == std::string_view::npos) return whole + std::string(text);
    const char* value = std::getenv(std::string(text.substr(begin + 2, end - begin - 2)).c_str());
    if (value == nullptr || *value == '\0') return std::nullopt;
    whole += concat(text.substr(0, begin), std::string_view(value));
    text.remove_prefix(end + 1);
  }
}

Verdict judge(const Check& check, const CheckedRun& run) {
  Verdict verdict;
  CheckResult& result = verdict.result;
  result.task = check.task;
  result.name = check.name.empty() ? made_up_name(check) : check.name;
  result.reference = check.reference;
  result.signal = check.signals.empty() ? check.count : check.signals.front();
  try {
    const StoredTask& task = run.run.task(check.task);
    Columns columns(run, task);
    if (!check.status.empty()) {
      result.pass = to_text(task.status) == check.status;
      result.message = concat("is ", to_text(task.status), ", expected ", check.status);
    } else if (!check.table.empty()) {
      const auto text = table_text(check, run);
      verdict.skipped = !text;
      if (text) {
        compare_table(check, columns, *text, result);
      } else {
        result.message = concat("skipped: ", check.table, " names a variable of the environment that is not set");
      }
    } else if (!check.count.empty()) {
      double value = count_of(task, check.count);
      if (!check.divided_by.empty())
        value /= count_of(check.of.empty() ? task : run.run.task(check.of), check.divided_by);
      compare(check, value, result);
    } else {
      compare(check, taken(check, columns), result);
    }
  } catch (const Error& error) {
    result.pass = false;
    result.message = concat("cannot be made: ", to_text(error.errors().front()));
  }
  return verdict;
}

}  // namespace articula
