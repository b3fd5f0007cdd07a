#pragma once

#include <memory>

#include <articula/integrate/integrator.h>

namespace articula::integrate::internal {

/// A diagonally implicit Runge-Kutta method of order 4, stiffly accurate and L-stable, by ARKODE.
///
///     k_i = f(t + c_i h, y + h Σ_{j≤i} a_ij k_j)
///
/// It needs no history, so that a restart costs nothing, unlike with BDF. The dense output is the cubic through both
/// ends and their slopes. The state is projected after each step. [Hairer, Wanner II, IV.6; Reynolds et al.: ARKODE.
/// ACM Trans. Math. Software 49 (2023) 19]
std::unique_ptr<Integrator> make_arkode_integrator(Problem& problem, const IntegratorOptions& options);

}  // namespace articula::integrate::internal
