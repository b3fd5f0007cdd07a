#include <articula/store/compare.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include <articula/base/text.h>

namespace articula::store {
namespace {

bool same_time(double a, double b) {
  constexpr double digits = 1e-12;
  return a == b || std::abs(a - b) <= digits * std::max(std::abs(a), std::abs(b));
}

double distance(double a, double b) {
  if (a == b || (std::isnan(a) && std::isnan(b))) return 0;
  const double d = std::abs(a - b);
  return std::isfinite(d) ? d : std::numeric_limits<double>::infinity();
}

/// Pairs of rows with equal times; both tables are sorted by time.
std::vector<std::pair<std::size_t, std::size_t>> common_rows(const StoredRows& a, const StoredRows& b) {
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  for (std::size_t i = 0, k = 0; i < a.size() && k < b.size();) {
    const double t_a = a.row(i)[0], t_b = b.row(k)[0];
    if (same_time(t_a, t_b)) {
      pairs.emplace_back(i++, k++);
    } else if (t_a < t_b) {
      ++i;
    } else {
      ++k;
    }
  }
  return pairs;
}

bool same_bits(const StoredRows& a, const StoredRows& b) {
  return a.columns == b.columns && a.values.size() == b.values.size() &&
         (a.values.empty() || std::memcmp(a.values.data(), b.values.data(), a.values.size() * sizeof(double)) == 0);
}

std::vector<std::string> missing_in(const std::vector<StoredSignal>& others, const std::vector<StoredSignal>& signals) {
  std::vector<std::string> names;
  for (const StoredSignal& s : signals) {
    const auto same = [&](const StoredSignal& o) { return o.name == s.name; };
    if (std::none_of(others.begin(), others.end(), same)) names.push_back(s.name);
  }
  return names;
}

void compare_times(const StoredRows& a, const StoredRows& b, bool exactly, TaskDifference& found) {
  if (a.size() == 0 || b.size() == 0) {
    if (a.size() != b.size()) found.remarks.push_back("only one of them has rows");
    return;
  }
  if (!same_time(a.row(0)[0], b.row(0)[0])) {
    found.remarks.push_back(concat("they begin at ", a.row(0)[0], " and ", b.row(0)[0]));
  }
  if (const double ends_a = a.row(a.size() - 1)[0], ends_b = b.row(b.size() - 1)[0]; !same_time(ends_a, ends_b)) {
    found.remarks.push_back(concat("they end at ", ends_a, " and ", ends_b));
  }
  const std::int64_t most = std::max(found.rows_a, found.rows_b);
  if (exactly && found.common != most) {
    found.remarks.push_back(concat("only ", found.common, " of ", most, " times are common"));
  }
}

void compare_signals(const StoredTask& task_a, const StoredTask& task_b, const StoredRows& a, const StoredRows& b,
                     double tolerance, TaskDifference& found) {
  const auto pairs = common_rows(a, b);
  found.common = static_cast<std::int64_t>(pairs.size());
  for (std::size_t i = 0; i < task_a.signals.size(); ++i) {
    const StoredSignal& signal = task_a.signals[i];
    const auto other = std::find_if(task_b.signals.begin(), task_b.signals.end(),
                                    [&](const StoredSignal& s) { return s.name == signal.name; });
    if (other == task_b.signals.end()) continue;
    if (other->unit != signal.unit) {
      found.remarks.push_back(
          concat("the unit of ", signal.name, " is ", quoted(signal.unit), " and ", quoted(other->unit)));
    }
    const std::size_t k = static_cast<std::size_t>(other - task_b.signals.begin());
    SignalDifference difference{signal.name, signal.unit};
    for (const auto& [row_a, row_b] : pairs) {
      if (i >= a.columns || k >= b.columns) break;
      const double value_a = a.row(row_a)[i], value_b = b.row(row_b)[k];
      const double d = distance(value_a, value_b);
      if (d > difference.largest) {
        difference.largest = d, difference.at = a.row(row_a)[0], difference.a = value_a, difference.b = value_b;
      }
    }
    difference.differs = difference.largest > tolerance;
    found.differs = found.differs || difference.differs;
    found.signals.push_back(difference);
  }
}

}  // namespace

bool RunDifference::identical() const {
  return only_in_a.empty() && only_in_b.empty() && damage.empty() &&
         std::all_of(tasks.begin(), tasks.end(), [](const TaskDifference& t) { return t.identical; });
}

bool RunDifference::differs() const {
  return !only_in_a.empty() || !only_in_b.empty() || !damage.empty() ||
         std::any_of(tasks.begin(), tasks.end(), [](const TaskDifference& t) { return t.differs; });
}

RunDifference compare_runs(const Store& store_a, const StoredRun& a, const Store& store_b, const StoredRun& b,
                           std::optional<double> tolerance) {
  RunDifference result;
  for (const StoredRun* run : {&a, &b}) {
    if (run->damage) result.damage.push_back(*run->damage);
  }
  const auto named = [](const std::vector<StoredTask>& tasks, const std::string& name) {
    return std::find_if(tasks.begin(), tasks.end(), [&](const StoredTask& t) { return t.name == name; });
  };
  for (const StoredTask& task : b.tasks) {
    if (named(a.tasks, task.name) == a.tasks.end()) result.only_in_b.push_back(task.name);
  }
  for (const StoredTask& task_a : a.tasks) {
    const auto task_b = named(b.tasks, task_a.name);
    if (task_b == b.tasks.end()) {
      result.only_in_a.push_back(task_a.name);
      continue;
    }
    const StoredRows rows_a = store_a.rows(task_a.id), rows_b = store_b.rows(task_b->id);
    for (const StoredRows* rows : {&rows_a, &rows_b}) {
      if (rows->damage) result.damage.push_back(*rows->damage);
    }
    TaskDifference found;
    found.name = task_a.name;
    found.rows_a = static_cast<std::int64_t>(rows_a.size()), found.rows_b = static_cast<std::int64_t>(rows_b.size());
    found.only_in_a = missing_in(task_b->signals, task_a.signals);
    found.only_in_b = missing_in(task_a.signals, task_b->signals);
    compare_signals(task_a, *task_b, rows_a, rows_b, tolerance.value_or(0), found);
    compare_times(rows_a, rows_b, !tolerance.has_value(), found);
    found.identical = task_a.signals == task_b->signals && same_bits(rows_a, rows_b);
    found.differs = found.differs || !found.remarks.empty() || !found.only_in_a.empty() || !found.only_in_b.empty();
    result.tasks.push_back(std::move(found));
  }
  return result;
}

}  // namespace articula::store
