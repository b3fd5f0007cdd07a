#pragma once

#include <articula/batch/batch.h>
#include <articula/generate/device.h>
#include <articula/scalar/finite.h>

namespace articula::batch {

/// Which arrays a batch reads beside q.
struct BatchInputs {
  std::string_view name;  ///< of the batch, for messages
  bool v = true, vdot = false, tau = false;
};

/// What `update` does first. Throws `batch-size`, `batch-not-finite`, `batch-input`, `batch-quaternion`.
template <class S>
void check_states(const BatchInputs& inputs, const Mechanism& mech, int states, const BatchState<S>& state,
                  StatesAs as = StatesAs::rows);

/// Throws `rollout-step`.
void check_rollout(std::string_view batch, const RolloutOptions& rollout);

}  // namespace articula::batch
