#pragma once

#include <algorithm>

#include <articula/batch/batch.h>
#include <articula/generate/device.h>

namespace articula {

/// Which arrays a batch reads beside q.
struct BatchInputs {
  std::string_view name;  ///< of the batch, for messages
  bool v = true, vdot = false, tau = false;
};

/// What `update` does first. Throws `batch-size`, `batch-not-finite`, `batch-input`, `batch-quaternion`.
template <class S>
void check_states(const BatchInputs& inputs, const Mechanism& mech, int states, const BatchState<S>& state,
                  StatesAs as = StatesAs::rows);

/// Whether all numbers are finite: x·0 is zero unless x is no number.
template <class S>
bool all_finite(const S* x, std::size_t count) {
  constexpr std::size_t at_once = 16;
  S sum[at_once] = {};
  std::size_t i = 0;
  for (; i + at_once <= count; i += at_once) {
    for (std::size_t k = 0; k < at_once; ++k) sum[k] += x[i + k] * S(0);
  }
  for (; i < count; ++i) sum[0] += x[i] * S(0);
  return std::all_of(sum, sum + at_once, [](S each) { return each == S(0); });
}

/// Throws `rollout-step`.
void check_rollout(std::string_view batch, const RolloutOptions& rollout);

}  // namespace articula
