#include <articula/study/internal/read_checks.h>

#include <algorithm>

#include <articula/base/text.h>
#include <articula/formats/internal/yaml_values.h>
#include <articula/study/study_reader.h>

namespace articula::study {

std::vector<std::string> check_keys() {
  return {"name",          "task",       "reference", "signal", "signals",         "minus",  "at",      "take",
          "count",         "divided_by", "of",        "status", "table",           "time",   "columns", "units",
          "interpolation", "where",      "expect",    "within", "within_relative", "between"};
}

namespace {

/// A number with an optional unit. The unit is kept, and checked when the signal is known.
bool read_number(const Spot& spot, std::optional<double>& value, Check& check, std::string_view key,
                 std::string_view of = {}) {
  if (!spot.node.is_scalar()) {
    spot.wrong_type("A number is needed, e.g. 0.5.");
    return false;
  }
  const QuantityOrWhy read = to_quantity(spot.node.text());
  if (!read.quantity) {
    spot.error("number-invalid", with_period(concat(": ", read.why)));
    return false;
  }
  value = read.quantity->value;
  if (read.quantity->dimension)
    check.units.push_back(
        {std::string(key), std::string(of), std::string(spot.node.text()), *read.quantity->dimension});
  return true;
}

/// `at: 14 s`, or `at: {link7.mass: 2 kg}`.
void read_at(const Spot& spot, Check& check) {
  if (!spot.node.is_mapping()) {
    read_number(spot, check.at, check, "at");
    return;
  }
  for (std::size_t k = 0; k < spot.node.size(); ++k) {
    std::optional<double> number;
    const std::string_view column = spot.node.key(k).text();
    if (read_number(Spot(spot, spot.node.value(k), column), number, check, "at", column))
      check.at_columns.emplace_back(column, *number);
  }
}

void read_columns(const Spot& spot, std::vector<TableColumn>& columns) {
  if (!spot.node.is_mapping()) return spot.wrong_type("Columns by signal are needed, e.g. {tau.joint1: T1}.");
  for (std::size_t k = 0; k < spot.node.size(); ++k) {
    TableColumn column{std::string(spot.node.key(k).text()), ""};
    if (read_value(Spot(spot, spot.node.value(k), column.signal), column.column, dimension::none))
      columns.push_back(std::move(column));
  }
}

void read_units(const Spot& spot, std::vector<std::pair<std::string, std::string>>& units) {
  if (!spot.node.is_mapping()) return spot.wrong_type("Units by column are needed, e.g. {t: ms, T1: N*mm}.");
  for (std::size_t k = 0; k < spot.node.size(); ++k) {
    std::pair<std::string, std::string> unit{spot.node.key(k).text(), ""};
    const Spot value(spot, spot.node.value(k), unit.first);
    if (!read_value(value, unit.second, dimension::none)) continue;
    if (const QuantityOrWhy one = to_quantity(concat("1 ", unit.second)); !one.quantity) {
      value.error("unit-unknown", with_period(concat(": ", one.why)));
    } else {
      units.push_back(std::move(unit));
    }
  }
}

void read_where(const Spot& spot, Check& check) {
  if (!spot.node.is_mapping()) return spot.wrong_type("Values by column are needed, e.g. {g: 9.81}.");
  for (std::size_t k = 0; k < spot.node.size(); ++k) {
    std::optional<double> number;
    const std::string_view column = spot.node.key(k).text();
    if (read_number(Spot(spot, spot.node.value(k), column), number, check, "where", column))
      check.where_columns.emplace_back(column, *number);
  }
}

void read_between(const Spot& spot, Check& check) {
  Limits& between = check.between;
  if (!spot.node.is_sequence() || spot.node.size() != 2)
    return spot.wrong_type("Two bounds are needed, e.g. [500, 2200]; write none where there is no bound.");
  for (std::size_t k = 0; k < 2; ++k) {
    const Spot bound(spot, k);
    std::optional<double> number;
    if (bound.node.is_scalar() && bound.node.text() == "none") continue;
    if (read_number(bound, number, check, "between")) (k == 0 ? between.lower : between.upper) = *number;
  }
  if (between.lower > between.upper) {
    spot.error("limits-reversed",
               concat(" is [", between.lower, ", ", between.upper, "]. The lower bound comes first."));
  }
}

/// Checks that there is exactly one subject and one expectation.
void check_form(const Spot& spot, const Check& check) {
  const int subjects = (check.signals.empty() ? 0 : 1) + (check.count.empty() ? 0 : 1) +
                       (check.status.empty() ? 0 : 1) + (check.table.empty() ? 0 : 1);
  if (check.task.empty()) spot.error("value-missing", ": task is missing. Name the task that is checked.");
  if (subjects != 1) {
    spot.error("check-form", concat(" looks at ", subjects, subjects == 0 ? "" : " different",
                                    " things. Give just one of ", "signal, signals, count, table, status."));
    return;
  }
  if (!check.status.empty()) return;
  const bool tolerance = check.within || check.within_relative;
  const bool bounds = check.between.lower != -Limits::none || check.between.upper != Limits::none;
  if (!check.table.empty()) {
    if (check.columns.empty()) spot.error("value-missing", ": columns is missing, e.g. columns: {tau.joint1: T1}.");
    if (!tolerance) spot.error("value-missing", ": within is missing: how far values may be off, e.g. within: 1e-6.");
    return;
  }
  if (bounds == (check.expect.has_value())) {
    spot.error("check-form", concat(bounds ? ": expect and between are both given." : ": nothing is expected.",
                                    " Give expect with within, or between: [lower, upper]."));
  } else if (check.expect && !tolerance) {
    spot.error("value-missing", ": within is missing: how far the value may be off, e.g. within: 1e-6.");
  }
  if (!check.minus.empty() && check.minus.size() != check.signals.size()) {
    spot.error("vector-length", concat(": minus has ", check.minus.size(), " entries, but there are ",
                                       check.signals.size(), " signals."));
  }
  if (!check.divided_by.empty() && check.count.empty())
    spot.error("check-form", ": divided_by goes with count, and this check has none.");
}

void read_check(const Spot& spot, Check& check) {
  Keys keys(spot, "A check is a mapping, e.g. {task: motion, signal: q.elbow, at: 1 s, expect: 0.5, within: 1e-6}.");
  if (!keys.ok()) return;
  check.where = spot.where();
  read_key(keys, "name", check.name, dimension::none);
  read_key(keys, "task", check.task, dimension::none);
  read_key(keys, "reference", check.reference, dimension::none);
  if (keys.has("signal") && keys.has("signals"))
    spot.error("check-form", ": signal and signals are both given. Give one: signals: [...] is the norm of several.");
  read_key(keys, "signal", check.signals, dimension::none);
  read_key(keys, "signals", check.signals, dimension::none);
  read_key(keys, "minus", check.minus, dimension::none);
  if (const auto at = keys.find("at")) read_at(*at, check);
  read_key(keys, "take", check.take, dimension::none);
  read_key(keys, "count", check.count, dimension::none);
  read_key(keys, "divided_by", check.divided_by, dimension::none);
  read_key(keys, "of", check.of, dimension::none);
  if (const auto status = keys.find("status")) {
    constexpr std::array<std::string_view, 2> ends{"done", "failed"};
    int place = 0;
    if (read_choice(*status, ends, place)) check.status = ends[static_cast<std::size_t>(place)];
  }
  read_key(keys, "table", check.table, dimension::none);
  read_key(keys, "time", check.time, dimension::none);
  if (const auto columns = keys.find("columns")) read_columns(*columns, check.columns);
  if (const auto units = keys.find("units")) read_units(*units, check.table_units);
  read_key(keys, "interpolation", check.interpolation, dimension::none);
  if (const auto where = keys.find("where")) read_where(*where, check);
  if (const auto expect = keys.find("expect")) read_number(*expect, check.expect, check, "expect");
  if (const auto within = keys.find("within")) read_number(*within, check.within, check, "within");
  if (const auto within = keys.find("within_relative"))
    read_number(*within, check.within_relative, check, "within_relative");
  if (const auto between = keys.find("between")) read_between(*between, check);
  for (const std::optional<double>& tolerance : {check.within, check.within_relative}) {
    if (tolerance && *tolerance < 0)
      spot.error("value-range", concat(": within is ", *tolerance, ". It is not negative."));
  }
  keys.finish(check_keys);
  if (!spot.subject.log.has_errors()) check_form(spot, check);
}

}  // namespace

void read_checks(const Spot& spot, std::vector<Check>& checks) {
  if (spot.node.is_null()) return;
  if (!spot.node.is_sequence()) return spot.wrong_type("Checks are a list, e.g. [{task: motion, ...}].");
  for (std::size_t k = 0; k < spot.node.size(); ++k) read_check(Spot(spot, k), checks.emplace_back());
}

}  // namespace articula::study
