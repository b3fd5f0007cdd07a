#pragma once

#include <string>
#include <vector>

#include <articula/simulate/system.h>

namespace articula::simulate {

/// An equilibrium of a system.
struct Equilibrium {
  bool found = false;
  std::vector<double> y;  ///< the state of rest, or the last one that was tried
  int steps = 0;
  double residual = 0;  ///< the largest acceleration or rate of a block's state left, in SI
  std::string what;     ///< if there is none, a message: what still moves, and what to do
};

struct EquilibriumOptions {
  double tolerance = 1e-10;  ///< of accelerations and rates of blocks' states, in SI
  int most_steps = 1000;
};

/// Throws `jacobian-too-large` if a system has more states than an equilibrium is looked for with.
ARTICULA_EXPORT void check_equilibrium_size(const System& system);

/// The position near the start at which nothing accelerates, with all speeds zero: springs, gravity, blocks and external
/// forces in balance. Prescribed joints are where their trajectory is at the start's time, at rest. Coulomb friction is left
/// out: with it every position near this one is at rest as well.
///
/// It is the end of the flow
///
///     q̇ = N(q)·a(q),   ż = f(q, z),     a: the accelerations at rest, −M⁻¹·∂U/∂q
///
/// down the potential energy, so that it is stable where the forces are those of a potential. Implicit steps whose length
/// grows as the residual falls turn into Newton's at the end.  [Kelley & Keyes 1998, pseudo-transient continuation]
/// Each factors a dense matrix: throws `jacobian-too-large` for too many states.
ARTICULA_EXPORT Equilibrium find_equilibrium(System& system, const StartState& start = {},
                                             const EquilibriumOptions& options = {});

}  // namespace articula::simulate
