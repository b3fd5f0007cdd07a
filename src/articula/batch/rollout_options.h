#pragma once

namespace articula {

/// How a rollout goes from one step to the next.
enum class RolloutMethod : unsigned char {
  semi_implicit,  ///< v ← v + h·vdot(q, v), then q ← q ⊕ h·v: first order, keeps energy near its value
  runge_kutta_4,  ///< the classical method of fourth order: four evaluations a step
};

struct RolloutOptions {
  double step = 1e-3;  ///< h, in seconds
  int steps = 1;       ///< how many of them one `compute` takes
  RolloutMethod method = RolloutMethod::semi_implicit;
};

}  // namespace articula
