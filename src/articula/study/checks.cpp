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
#include <articula/study/internal/sources.h>
#include <articula/text/csv.h>

namespace articula::study {
namespace {

/// Times in a table and in rows are equal if they differ by less than this, relative to the last time.
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
  std::size_t row_at(double t) { return row_at({{task_.signals.empty() ? "" : task_.signals.front().name, t}}); }

  /// The row in which columns have these values. A sweep must have exactly one.
  std::size_t row_at(const std::vector<std::pair<std::string, double>>& wanted) {
    first();  // there are rows
    std::vector<std::size_t> rows;
    double nearest = 0;
    for (std::size_t i = 0; i < first().size(); ++i) {
      double off = 0;
      for (const auto& [name, value] : wanted) off = std::max(off, distance(name, i, value));
      if (!(off <= 1) || (!rows.empty() && off > nearest)) continue;
      if (off < nearest) rows.clear();
      nearest = off;
      rows.push_back(i);
    }
    std::string text;
    for (const auto& [name, value] : wanted) text += concat(text.empty() ? "" : ", ", name, " = ", value);
    if (rows.empty()) {
      const std::vector<double>& x = at(wanted.front().first);
      const auto [least, greatest] = std::minmax_element(x.begin(), x.end());
      throw Error("check-no-rows", {},
                  concat("task ", quoted(task_.name), " has no row at ", text,
                         x.empty() ? "" : concat("; its rows go from ", *least, " to ", *greatest),
                         task_.kind == "sweep" ? ". Name a point of the sweep."
                                               : ". Let it make rows there, by output_every or every."));
    }
    if (rows.size() > 1 && task_.kind == "sweep") {
      throw Error("check-ambiguous", {},
                  concat("task ", quoted(task_.name), " has ", rows.size(), " rows at ", text,
                         ". Say which by more columns, e.g. at: {link7.mass: 2 kg, servo.damping: 3}."));
    }
    return rows.front();
  }

  /// A signal at a value of the first column, which is ascending: from its row, or interpolated between rows.
  double value_at(const std::string& name, double t, Interpolation interpolation, bool& between);

 private:
  /// The difference of a value in a row, in units of the tolerance for equality.
  double distance(const std::string& name, std::size_t row, double value) {
    const std::vector<double>& x = at(name);
    const double size = std::max({std::abs(value), std::abs(x.front()), std::abs(x.back())});
    const double off = std::abs(x[row] - value);
    return off == 0 ? 0 : off / (same_time * size);
  }

  const CheckedRun& run_;
  const StoredTask& task_;
  std::map<std::string, std::vector<double>> read_;
};

double Columns::value_at(const std::string& name, double t, Interpolation interpolation, bool& between) {
  const std::vector<double>&x = first(), &y = at(name);
  const auto after = static_cast<std::size_t>(std::lower_bound(x.begin(), x.end(), t) - x.begin());
  for (const std::size_t k : {after, after - 1}) {
    if (k < x.size() && distance(task_.signals.front().name, k, t) <= 1) return y[k];
  }
  // Only times are interpolated, and only between the first and the last row.
  if (task_.signals.front().name != "t" || after == 0 || after >= x.size()) return y[row_at(t)];
  between = true;
  const std::size_t begin = x.size() < 4 ? 0 : std::min(after < 2 ? 0 : after - 2, x.size() - 4);
  const auto same_as_next = [&](std::size_t k) { return x[k] == x[k + 1]; };
  const bool jumps = x.size() < 4 || same_as_next(begin) || same_as_next(begin + 1) || same_as_next(begin + 2);
  if (interpolation == Interpolation::linear || jumps)
    return std::lerp(y[after - 1], y[after], (t - x[after - 1]) / (x[after] - x[after - 1]));
  // The cubic through the two rows on either side.
  double value = 0;
  for (std::size_t i = begin; i < begin + 4; ++i) {
    double weight = 1;
    for (std::size_t k = begin; k < begin + 4; ++k) weight *= k == i ? 1 : (t - x[k]) / (x[i] - x[k]);
    value += weight * y[i];
  }
  return value;
}

/// Enough to see how much it is.
std::string brief(double value) { return fmt::format("{:.3g}", value); }

/// ` rad`, or nothing for plain numbers.
std::string shown_unit(std::string_view unit) { return unit.empty() || unit == "1" ? "" : concat(" ", unit); }

/// The unit of a column; empty if it is not known.
template <class Signals>
std::string unit_of(const Signals& signals, std::string_view name) {
  for (const auto& signal : signals) {
    if (signal.name == name) return signal.unit;
  }
  return {};
}

double allowed(const Check& check, double expected) {
  return std::max(check.within.value_or(0), check.within_relative.value_or(0) * std::abs(expected));
}

/// The values to check, row by row: a signal, a difference, or the norm of several.
std::vector<double> values_of(const Check& check, Columns& columns) {
  std::vector<double> values(columns.first().size(), 0.0);
  const bool norm = check.signals.size() > 1;
  for (std::size_t k = 0; k < check.signals.size(); ++k) {
    const std::vector<double>& signal = columns.at(check.signals[k]);
    const auto number = check.minus.empty() ? std::optional(0.0) : Check::number_in(check.minus[k]);
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
  if (!check.at_columns.empty()) return values[columns.row_at(check.at_columns)];
  if (values.empty()) throw Error("check-no-rows", {}, concat("task ", quoted(columns.task().name), " has no rows."));
  double sum = 0, largest = 0;
  for (const double value : values) {
    if (std::isnan(value)) return value;  // it satisfies no bound
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

/// Compares a number with its expected value.
void compare(const Check& check, double got, CheckResult& result) {
  const std::string unit = shown_unit(result.unit);
  result.got = got;
  if (check.expect) {
    result.expected = *check.expect;
    result.tolerance = allowed(check, *check.expect);
    result.pass = std::abs(got - *check.expect) <= result.tolerance;
    result.message = concat("is ", got, unit, ", expected ", *check.expect, " ± ", result.tolerance, unit);
    if (!result.pass) result.message += concat("; off by ", brief(std::abs(got - *check.expect)), unit);
    return;
  }
  const auto [lower, upper] = check.between;
  result.pass = got >= lower && got <= upper;
  if (std::isfinite(lower)) result.lower = lower;
  if (std::isfinite(upper)) result.upper = upper;
  const bool both = result.lower && result.upper;
  result.expected = both ? std::midpoint(lower, upper) : result.lower ? lower : upper;
  result.tolerance = both ? (upper - lower) / 2 : 0;
  result.message =
      both ? concat("is ", got, unit, ", expected between ", lower, " and ", upper, unit)
           : concat("is ", got, unit, ", expected ", result.lower ? "at least " : "at most ", result.expected, unit);
}

/// A table, from the store or from its file. Nothing if its path is not known on this machine.
std::optional<CsvTable> table_of(const Check& check, const CheckedRun& run) {
  for (const SourceText& text : run.texts) {
    if (text.role == "table" && text.path == check.table) return CsvTable(text.text, check.table);
  }
  const auto path = path_of_table(check.table, run.folder, run.reach);
  if (!path) return std::nullopt;
  return CsvTable(read_table(check.table, *path, run.reach), check.table, shown_of(*path, run.reach));
}

/// A column of a check's table, in SI.
std::vector<double> column_of(const Check& check, const CsvTable& table, std::string_view name) {
  return table.column(name, check.table_unit(name));
}

std::vector<std::size_t> rows_meant(const Check& check, const CsvTable& table) {
  std::vector<bool> meant(table.rows(), true);
  for (const auto& [name, value] : check.where_columns) {
    const std::vector<double> column = column_of(check, table, name);
    for (std::size_t i = 0; i < meant.size(); ++i) meant[i] = meant[i] && column[i] == value;
  }
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < meant.size(); ++i) {
    if (meant[i]) rows.push_back(i);
  }
  if (rows.empty()) {
    throw Error("table-empty", {check.table, 0},
                table.rows() == 0 ? "the table has no rows. It is a line of names, then rows of numbers."
                                  : "no row of the table has the values that `where` asks for.");
  }
  return rows;
}

/// The result is that of the worst value of a table.
void compare_table(const Check& check, Columns& columns, const CsvTable& table, CheckResult& result) {
  const std::vector<double> times = column_of(check, table, check.time);
  const std::vector<std::size_t> rows = rows_meant(check, table);
  double worst = -1;
  std::size_t count = 0, between_rows = 0;
  std::string what;
  for (const TableColumn& column : check.columns) {
    const std::vector<double> all = column_of(check, table, column.column);
    const std::string unit = shown_unit(unit_of(columns.task().signals, column.signal));
    for (const std::size_t i : rows) {
      bool between = false;
      const double expected = all[i], got = columns.value_at(column.signal, times[i], check.interpolation, between);
      const double tolerance = allowed(check, expected), off = std::abs(got - expected);
      const double measure = off <= tolerance
                                 ? (tolerance > 0 ? off / tolerance : 0)
                                 : (tolerance > 0 ? off / tolerance : std::numeric_limits<double>::infinity());
      ++count;
      between_rows += between ? 1 : 0;
      if (measure <= worst) continue;  // NaN is kept
      worst = std::isnan(measure) ? std::numeric_limits<double>::infinity() : measure;
      result.expected = expected, result.got = got, result.tolerance = tolerance;
      result.unit = unit_of(columns.task().signals, column.signal);
      result.signal = concat(column.signal, " at ", times[i]);
      what = concat(result.signal, ": is ", got, unit, ", expected ", expected, " ± ", tolerance, unit, ", off by ",
                    brief(off), unit);
    }
  }
  result.pass = worst <= 1;
  result.message = concat(count, " values", between_rows == 0 ? "" : concat(", ", between_rows, " between rows"),
                          ", the worst ", what);
}

std::string made_up_name(const Check& check) {
  if (!check.status.empty()) return concat(check.task, " ends ", check.status);
  if (!check.table.empty()) return concat(check.task, ": ", check.table);
  if (!check.count.empty())
    return concat(check.task, ": ", check.count, check.divided_by.empty() ? "" : " / ", check.divided_by);
  std::string what = list_of(check.signals);
  if (!check.minus.empty()) what += concat(" − ", list_of(check.minus));
  if (check.signals.size() > 1) what = concat("|", what, "|");
  const auto how = enum_names(Take{})[static_cast<std::size_t>(check.take)];
  if (!check.at_columns.empty()) {
    std::string at;
    for (const auto& [name, value] : check.at_columns) at += concat(at.empty() ? "" : ", ", name, " = ", value);
    return concat(check.task, ": ", what, " at ", at);
  }
  return concat(check.task, ": ", what, check.at ? concat(" at ", *check.at) : concat(" ", how));
}

}  // namespace

std::string Check::table_unit(std::string_view column) const {
  for (const auto& each : table_units) {
    if (each.first == column) return each.second;
  }
  return {};
}

std::optional<double> Check::number_in(const std::string& minus) {
  const auto quantity = to_quantity(minus).quantity;
  return quantity ? std::optional(quantity->value) : std::nullopt;
}

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
      const auto table = table_of(check, run);
      verdict.skipped = !table;
      if (table) {
        compare_table(check, columns, *table, result);
      } else {
        result.message = concat("skipped: ", check.table, " names a variable of the environment ",
                                run.reach.is_bounded() ? "which an untrusted study does not see" : "that is not set");
      }
    } else if (!check.count.empty()) {
      double value = count_of(task, check.count);
      if (!check.divided_by.empty())
        value /= count_of(check.of.empty() ? task : run.run.task(check.of), check.divided_by);
      compare(check, value, result);
    } else {
      result.unit = unit_of(task.signals, check.signals.front());
      compare(check, taken(check, columns), result);
    }
  } catch (const Error& error) {
    result.pass = false;
    result.message = concat("cannot be made: ", to_text(error.errors().front()));
  }
  return verdict;
}

}  // namespace articula::study
