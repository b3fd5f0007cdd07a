#pragma once

#include <articula/base/modules.h>

namespace articula::batch {

/// The integration method of a rollout.
enum class RolloutMethod : unsigned char {
  semi_implicit,  ///< v ← v + h·vdot(q, v), then q ← q ⊕ h·v: first order, keeps energy near its value
  runge_kutta_4,  ///< the classical method of fourth order: four evaluations a step
};

struct RolloutOptions {
  double step = 1e-3;  ///< h, in seconds
  int steps = 1;       ///< number of steps of one `compute`
  RolloutMethod method = RolloutMethod::semi_implicit;
};

}  // namespace articula::batch
