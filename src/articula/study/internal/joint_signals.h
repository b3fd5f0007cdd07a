#pragma once

#include <span>
#include <vector>

#include <articula/control/block.h>
#include <articula/study/internal/variables.h>

namespace articula {

/// Adds the signals q., v., a. and tau. of all variables, with their units.
void add_q_signals(const Variables& variables, std::vector<Signal>& columns);
void add_v_signals(const Variables& variables, std::vector<Signal>& columns);
void add_a_signals(const Variables& variables, std::vector<Signal>& columns);
void add_tau_signals(const Variables& variables, std::vector<Signal>& columns);

/// Appends numbers to a row.
inline void add_all(std::span<const double> numbers, std::vector<double>& row) {
  row.insert(row.end(), numbers.begin(), numbers.end());
}

}  // namespace articula
