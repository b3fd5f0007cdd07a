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

namespace articula {

/// Which value of a signal is looked at.
enum class Take {
  final,    ///< that of the last row
  first,    ///< that of the first row
  maximum,  ///< the greatest of all rows
  minimum,  ///< the least
  largest,  ///< the greatest of the magnitudes
  rms,      ///< the root of the mean square
};
template <>
struct EnumNames<Take> {
  static constexpr std::array<std::string_view, 6> names{"final", "first", "maximum", "minimum", "largest", "rms"};
};

/// A column of a table of expected values, and the signal that is to have them.
struct TableColumn {
  std::string signal, column;
};

/// The unit that a number of a check was written with.
struct WrittenUnit {
  std::string key;   ///< of the check: `within`, `between`, `at`, `minus`
  std::string of;    ///< the column that `at` names, or the signal that `minus` is taken from
  std::string text;  ///< `10 deg`
  Dimension dimension;
};

/// What a study expects of a task, in one of these forms:
///
///     {task: motion, signal: q.joint1, at: 14 s, expect: 1.53, within: 1e-7}              a value of a signal
///     {task: motion, signals: [x, y], minus: [x_t, y_t], take: largest, between: [0, 1e-3]}   a distance
///     {task: motion, count: rates, between: [500, 2200]}                                  a figure
///     {task: motion, count: rates, of: other, divided_by: rates, ...}                     the ratio of two
///     {task: loads, signal: q.joint1.final, at: {link7.mass: 2 kg}, between: [0, 1]}      a point of a sweep
///     {task: torques, table: ref.csv, columns: {tau.joint1: tau1}, within: 1e-10}         many values
///     {task: motion, status: done}
struct Check {
  std::string name;  ///< for people; made up if there is none
  std::string task;
  std::string reference;  ///< where the expected value comes from

  std::vector<std::string> signals;  ///< one, or several whose norm is meant
  std::vector<std::string> minus;    ///< signals or numbers that are taken away from these first
  std::optional<double> at;          ///< the value of the first column at which they are looked at
  std::vector<std::pair<std::string, double>> at_columns;  ///< or those of several columns
  Take take = Take::final;                                 ///< or this
  std::string count;                                       ///< a figure about the task, in place of signals
  std::string divided_by;                                  ///< another one
  std::string of;                                          ///< the task that the divisor belongs to; the same if empty
  std::string status;                                      ///< in place of both: how the task is to have ended

  std::string table;       ///< a file of expected values, from the study's folder
  std::string time = "t";  ///< its column of times
  std::vector<TableColumn> columns;
  std::vector<std::pair<std::string, std::string>> table_units;  ///< of its columns, where its header has none
  Interpolation interpolation = Interpolation::linear;           ///< of the run, at times of the table without a row
  std::vector<std::pair<std::string, double>> where_columns;     ///< only rows in which these columns have these values

  std::optional<double> expect;
  std::optional<double> within;           ///< how far the value may be off
  std::optional<double> within_relative;  ///< the same, in proportion to the expected one; the wider of both counts
  Limits between;                         ///< or simply bounds

  std::vector<WrittenUnit> units;
  Where where;

  /// The unit that `units` says for a column of the table; empty if it says none.
  ARTICULA_EXPORT std::string table_unit(std::string_view column) const;
  /// The number that an entry of `minus` is; nothing if it names a signal.
  ARTICULA_EXPORT static std::optional<double> number_in(const std::string& minus);
};

/// What a check looks at: a finished run in its store.
struct CheckedRun {
  const Store& store;
  const StoredRun& run;
  std::filesystem::path folder;        ///< that tables are named from
  std::vector<SourceText> texts = {};  ///< tables that were stored with the run; others are read from their files
  FileReach reach = {};                ///< through which these are read
};

/// Whether a check holds. One that cannot be made because its table is third-party data that is not here
/// (`${ARTICULA_REFERENCE}` is not set) is skipped: `skipped` is then true and the message says why.
struct Verdict {
  CheckResult result;
  bool skipped = false;
};
ARTICULA_EXPORT Verdict judge(const Check& check, const CheckedRun& run);

/// What a name in `text` of the form ${NAME} stands for; nothing if the environment does not say.
ARTICULA_EXPORT std::optional<std::string> expand_variables(std::string_view text);

}  // namespace articula
