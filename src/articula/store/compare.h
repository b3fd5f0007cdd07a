#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <articula/store/store.h>

namespace articula::store {

/// How one signal of two tasks differs at the times that both have.
struct SignalDifference {
  std::string name, unit;
  double largest = 0;    ///< |a − b|; infinite where only one is a number
  double at = 0;         ///< the time of the largest difference
  double a = 0, b = 0;   ///< the values there
  bool differs = false;  ///< by more than the tolerance
};

struct TaskDifference {
  std::string name;
  std::int64_t rows_a = 0, rows_b = 0, common = 0;  ///< how many times, and how many of them in both
  bool identical = false;                           ///< all bits of all rows and the names of all signals
  bool differs = false;
  std::vector<SignalDifference> signals;          ///< those that both have
  std::vector<std::string> only_in_a, only_in_b;  ///< signals
  std::vector<std::string> remarks;               ///< why it differs other than by a value
};

struct RunDifference {
  std::vector<TaskDifference> tasks;  ///< those that both have
  std::vector<std::string> only_in_a, only_in_b;
  Findings damage;
  bool identical() const;
  bool differs() const;
};

/// Compares task by task and signal by signal at common times: those whose first columns are equal to 12 digits.
/// Without a tolerance every difference counts, also of the times. With one, tables that begin and end at the same times
/// may have other times between; then values may differ by up to `tolerance`.
ARTICULA_EXPORT RunDifference compare_runs(const Store& store_a, const StoredRun& a, const Store& store_b,
                                           const StoredRun& b, std::optional<double> tolerance = {});

}  // namespace articula::store
