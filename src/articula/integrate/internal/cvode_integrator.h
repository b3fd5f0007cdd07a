#pragma once

#include <memory>

#include <articula/integrate/integrator.h>

namespace articula::internal {

/// Backward differentiation (orders 1 to 5) or Adams-Moulton (1 to 12) by CVODE, order and step following the tolerance.
/// [Hindmarsh et al.: SUNDIALS. ACM Trans. Math. Software 31 (2005) 363]
///
/// Both solve each step by Newton's method with a dense Jacobian. (Adams could iterate on f itself instead; that took a
/// third more evaluations on orbits, and a hundred times as many on an arm under stiff control.)
///
/// BDF puts the state back onto its surface within the step. Adams has no place for that: the state that is given out is
/// projected, and where what the projection moves reaches the tolerance, it begins anew from there.
std::unique_ptr<Integrator> make_cvode_integrator(Problem& problem, const IntegratorOptions& options);

}  // namespace articula::internal
