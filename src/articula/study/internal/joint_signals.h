#pragma once

#include <span>
#include <vector>

#include <articula/control/signals.h>
#include <articula/study/internal/variables.h>

namespace articula::study {

/// Adds the signals of all coordinates, `q.elbow`.
void add_q_signals(const Variables& variables, std::vector<Signal>& columns);
/// Adds one signal of each degree of freedom: v, a or tau.
void add_dof_signals(JointSignal what, const Variables& variables, std::vector<Signal>& columns);

/// Appends numbers to a row.
inline void add_all(std::span<const double> numbers, std::vector<double>& row) {
  row.insert(row.end(), numbers.begin(), numbers.end());
}

}  // namespace articula::study
