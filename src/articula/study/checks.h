#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <articula/base/export.h>
#include <articula/base/units.h>
#include <articula/control/block.h>
#include <articula/control/trajectories/table.h>
#include <articula/model/entities/joint.h>
#include <articula/model/field.h>
#include <articula/store/store.h>
#include <articula/study/passage.h>
#include <articula/text/file_reach.h>

namespace articula::study {

/// The value of a signal that a check uses.
enum class Take {
  final,    ///< of the last row
  first,    ///< of the first row
  maximum,  ///< the largest of all rows
  minimum,  ///< the smallest of all rows
  largest,  ///< the largest magnitude
  rms,      ///< root mean square
};
constexpr std::array<std::string_view, 6> enum_names(Take) {
  return {"final", "first", "maximum", "minimum", "largest", "rms"};
}

/// A signal, and the column of a table with its expected values.
struct TableColumn {
  std::string signal, column;
};

/// The unit with which a number of a check was written.
struct WrittenUnit {
  std::string key;   ///< of the check: `within`, `between`, `at`, `minus`
  std::string of;    ///< the column of `at`, or the signal from which `minus` is subtracted
  std::string text;  ///< `10 deg`
  Dimension dimension;
};

/// An expected result of a task, in one of these forms:
///
///     {task: motion, signal: q.joint1, at: 14 s, expect: 1.53, within: 1e-7}              a value of a signal
///     {task: motion, signals: [x, y], minus: [x_t, y_t], take: largest, between: [0, 1e-3]}   a distance
///     {task: motion, count: rates, between: [500, 2200]}                                  a statistic
///     {task: motion, count: rates, of: other, divided_by: rates, ...}                     the ratio of two
///     {task: loads, signal: q.joint1.final, at: {link7.mass: 2 kg}, between: [0, 1]}      a point of a sweep
///     {task: torques, table: ref.csv, columns: {tau.joint1: tau1}, within: 1e-10}         many values
///     {task: motion, status: done}
struct Check {
  std::string name;  ///< for information; generated if there is none
  std::string task;
  std::string reference;  ///< source of the expected value

  std::vector<std::string> signals;                        ///< one signal, or several for their norm
  std::vector<std::string> minus;                          ///< signals or numbers to subtract first
  std::optional<double> at;                                ///< the value of the first column in the row to use
  std::vector<std::pair<std::string, double>> at_columns;  ///< or the values of several columns
  Take take = Take::final;                                 ///< or the value to use
  std::string count;                                       ///< a statistic of the task, instead of signals
  std::string divided_by;                                  ///< a statistic to divide by
  std::string of;                                          ///< the task of the divisor; the same task if empty
  std::string status;                                      ///< instead of both: the expected status of the task

  std::string table;       ///< a file of expected values, relative to the study's folder
  std::string time = "t";  ///< its column of times
  std::vector<TableColumn> columns;
  std::vector<std::pair<std::string, std::string>> table_units;  ///< of columns whose header has none
  Interpolation interpolation = Interpolation::linear;           ///< of the run, at times of the table without a row
  std::vector<std::pair<std::string, double>> where_columns;     ///< filter: only rows with these values

  std::optional<double> expect;
  std::optional<double> within;           ///< absolute tolerance
  std::optional<double> within_relative;  ///< relative tolerance; the larger of both applies
  Limits between;                         ///< or bounds

  std::vector<WrittenUnit> units;
  Where where;

  /// The unit in `units` of a column of the table; empty if there is none.
  ARTICULA_EXPORT std::string table_unit(std::string_view column) const;
  /// The value of an entry of `minus` if it is a number; nothing if it is a signal.
  ARTICULA_EXPORT static std::optional<double> number_in(const std::string& minus);
};

/// The data for checks: a finished run in its store.
struct CheckedRun {
  const Store& store;
  const StoredRun& run;
  std::filesystem::path folder;        ///< to which the paths of tables are relative
  std::vector<SourceText> texts = {};  ///< tables that were stored with the run; others are read from their files
  FileReach reach = {};                ///< for reading these
};

/// The result of a check. A check that cannot be made because its table is third-party data that is not available
/// (`${ARTICULA_REFERENCE}` is not set) is skipped: `skipped` is then true and the message says why.
struct Verdict {
  CheckResult result;
  bool skipped = false;
};
ARTICULA_EXPORT Verdict judge(const Check& check, const CheckedRun& run);

/// Expands names of the form ${NAME} in `text` by environment variables; nothing if one is not set.
ARTICULA_EXPORT std::optional<std::string> expand_variables(std::string_view text);

}  // namespace articula::study
