#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <articula/store/store.h>

namespace articula::store {

/// The differences of one signal of two tasks at their common times.
struct SignalDifference {
  std::string name, unit;
  double largest = 0;    ///< |a − b|; infinite if only one is a number
  double at = 0;         ///< the time of the largest difference
  double a = 0, b = 0;   ///< the values there
  bool differs = false;  ///< by more than the tolerance
};

struct TaskDifference {
  std::string name;
  std::int64_t rows_a = 0, rows_b = 0, common = 0;  ///< numbers of times, and of common times
  bool identical = false;                           ///< the same bits in all rows, and the same signal names
  bool differs = false;
  std::vector<SignalDifference> signals;          ///< common signals
  std::vector<std::string> only_in_a, only_in_b;  ///< signals
  std::vector<std::string> remarks;               ///< reasons for a difference other than values
};

struct RunDifference {
  std::vector<TaskDifference> tasks;  ///< common tasks
  std::vector<std::string> only_in_a, only_in_b;
  Findings damage;
  bool identical() const;
  bool differs() const;
};

/// Compares common tasks and signals at common times: rows whose first columns are equal to 12 digits. Without a
/// tolerance every difference counts, also of times. With a tolerance, values may differ by up to `tolerance`, and
/// tables that begin and end at the same times may have different times in between.
ARTICULA_EXPORT RunDifference compare_runs(const Store& store_a, const StoredRun& a, const Store& store_b,
                                           const StoredRun& b, std::optional<double> tolerance = {});

}  // namespace articula::store
