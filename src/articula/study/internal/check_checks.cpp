#include <articula/study/internal/check_checks.h>

#include <algorithm>

#include <articula/base/findings.h>
#include <articula/base/text.h>
#include <articula/study/internal/sources.h>
#include <articula/text/csv.h>

namespace articula::study {
namespace {

/// The dimension of a unit; nothing if there is none or it is not known.
std::optional<Dimension> dimension_of_unit(std::string_view unit) {
  const auto one = to_quantity(concat("1 ", unit)).quantity;
  return one ? one->dimension : std::nullopt;
}

/// `no unit`, or the unit.
std::string text_of(const Dimension& dimension) { return unit_text(dimension); }

/// One check against the plan of its task.
class Inspection {
 public:
  Inspection(const Check& check, const Study& study, const FileReach& reach,
             const std::vector<std::optional<TaskPlan>>& plans, Findings& findings)
      : check_(check), study_(study), reach_(reach), plans_(plans), findings_(findings) {}

  void inspect() {
    const TaskPlan* const plan = plan_of(check_.task);
    if (plan == nullptr) return;
    if (!check_.table.empty()) return inspect_table(*plan);
    if (!check_.count.empty()) return inspect_counts(*plan);
    inspect_signals(*plan);
  }

 private:
  void error(std::string code, const std::string& what) {
    add_finding(findings_, {Severity::error, std::move(code), check_.where, concat("check: ", what)});
  }

  const TaskPlan* plan_of(const std::string& task) const {
    for (std::size_t k = 0; k < study_.tasks.size(); ++k) {
      if (study_.tasks[k].name == task && plans_[k]) return &*plans_[k];
    }
    return nullptr;
  }

  const Signal* find(const TaskPlan& plan, const std::string& name) {
    std::vector<std::string> names;
    for (const Signal& signal : plan.columns) {
      if (signal.name == name) return &signal;
      names.push_back(signal.name);
    }
    error("no-such-signal",
          concat("task ", quoted(check_.task), " has no signal ", quoted(name), ".", choices(name, "Signals", names)));
    return nullptr;
  }

  void need_count(const TaskPlan& plan, const std::string& task, const std::string& name) {
    std::vector<std::string> names = plan.counts;
    if (plan.has_real_time_factor) names.emplace_back("real_time_factor");
    if (std::find(names.begin(), names.end(), name) != names.end()) return;
    error("no-such-count",
          concat("task ", quoted(task), " has no count ", quoted(name), ".", choices(name, "Counts", names)));
  }

  void inspect_counts(const TaskPlan& plan) {
    need_count(plan, check_.task, check_.count);
    if (!check_.divided_by.empty()) {
      const std::string& task = check_.of.empty() ? check_.task : check_.of;
      if (const TaskPlan* const other = plan_of(task)) need_count(*other, task, check_.divided_by);
    }
    for (const WrittenUnit& unit : check_.units) need_fit(unit, dimension::none, "a count");
  }

  /// The unit of a number must fit the signal.
  void need_fit(const WrittenUnit& unit, const std::optional<Dimension>& wanted, std::string_view what) {
    if (!wanted || fits(unit.dimension, *wanted)) return;
    error("unit-dimension", concat(unit.key, " is ", quoted(unit.text), ", but ", what, " is in ", text_of(*wanted),
                                   ". Write it in that unit or another of its kind."));
  }

  void need_signal_units(const std::vector<const Signal*>& signals, const TaskPlan& plan) {
    for (const WrittenUnit& unit : check_.units) {
      if (unit.key == "within_relative") {
        need_fit(unit, dimension::none, "a ratio");
      } else if (unit.key == "at") {
        const Signal* const column = unit.of.empty() ? &plan.columns.front() : find(plan, unit.of);
        if (column != nullptr) need_fit(unit, dimension_of_unit(column->unit), column->name);
      } else if (unit.key != "where") {
        for (const Signal* const signal : signals) {
          if (signal == nullptr) continue;
          need_fit(unit, dimension_of_unit(signal->unit), signal->name);
          break;  // the norm of several has the same unit
        }
      }
    }
  }

  void inspect_signals(const TaskPlan& plan) {
    std::vector<const Signal*> signals;
    for (const std::string& name : check_.signals) signals.push_back(find(plan, name));
    for (std::size_t k = 0; k < check_.minus.size() && k < signals.size(); ++k) inspect_minus(k, signals[k], plan);
    for (const auto& [name, value] : check_.at_columns) {
      const bool written = std::any_of(check_.units.begin(), check_.units.end(),
                                       [&, &name = name](const WrittenUnit& unit) { return unit.of == name; });
      if (!written) find(plan, name);
    }
    need_signal_units(signals, plan);
  }

  void inspect_minus(std::size_t k, const Signal* signal, const TaskPlan& plan) {
    const std::string& minus = check_.minus[k];
    const auto wanted = signal == nullptr ? std::nullopt : dimension_of_unit(signal->unit);
    if (const auto number = to_quantity(minus).quantity) {
      if (number->dimension && signal != nullptr)
        need_fit({"minus", "", minus, *number->dimension}, wanted, signal->name);
      return;
    }
    const Signal* const other = find(plan, minus);
    const auto given = other == nullptr ? std::nullopt : dimension_of_unit(other->unit);
    if (!given || !wanted || *given == *wanted) return;
    error("unit-dimension", concat("minus is ", quoted(minus), " in ", text_of(*given), ", but ", signal->name,
                                   " is in ", text_of(*wanted), ". Take away a signal of the same kind."));
  }

  void inspect_table(const TaskPlan& plan) {
    std::vector<const Signal*> signals;
    for (const TableColumn& column : check_.columns) signals.push_back(find(plan, column.signal));
    need_signal_units(signals, plan);
    const auto path = path_of_table(check_.table, study_.folder(), reach_);
    if (!path) return;  // third-party data that are not available: the check will be skipped
    try {
      const CsvTable table(read_table(check_.table, *path, reach_), check_.table, shown_of(*path, reach_));
      inspect_column(table, check_.time, &plan.columns.front());
      for (std::size_t k = 0; k < signals.size(); ++k) inspect_column(table, check_.columns[k].column, signals[k]);
      for (const auto& [name, value] : check_.where_columns) inspect_column(table, name, nullptr);
      if (table.rows() == 0)
        error("table-empty",
              concat("table ", check_.table, " has no rows. It is a line of names, then rows of numbers."));
    } catch (const Error& trouble) {
      add(trouble);
    }
  }

  /// Checks that a column exists, has numbers, and that its unit fits the signal.
  void inspect_column(const CsvTable& table, const std::string& name, const Signal* signal) {
    try {
      const std::string unit = check_.table_unit(name);
      table.column(name, unit);
      const auto given = table.dimension(name, unit);
      const auto wanted = signal == nullptr ? std::nullopt : dimension_of_unit(signal->unit);
      if (!given || !wanted || fits(*given, *wanted)) return;
      error("unit-dimension",
            concat("column ", quoted(name), " of ", check_.table, " is in ", text_of(*given), ", but ", signal->name,
                   " is in ", text_of(*wanted), ". Compare with another column."));
    } catch (const Error& trouble) {
      add(trouble);
    }
  }

  void add(const Error& trouble) {
    for (const Finding& each : trouble.errors()) {
      const std::string where = to_text(each.where);
      error(each.code, concat("table ", where, where.empty() ? "" : ": ", each.message));
    }
  }

  const Check& check_;
  const Study& study_;
  const FileReach& reach_;
  const std::vector<std::optional<TaskPlan>>& plans_;
  Findings& findings_;
};

}  // namespace

void check_checks(const Study& study, const FileReach& reach, const std::vector<std::optional<TaskPlan>>& plans,
                  Findings& findings) {
  for (const Check& check : study.checks) Inspection(check, study, reach, plans, findings).inspect();
}

}  // namespace articula::study
