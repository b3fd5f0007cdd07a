#pragma once

#include <memory>

#include <articula/integrate/integrator.h>

namespace articula::integrate::internal {

/// Backward differentiation (orders 1 to 5) or Adams-Moulton (1 to 12) by CVODE, with order and step controlled by the
/// tolerance. [Hindmarsh et al.: SUNDIALS. ACM Trans. Math. Software 31 (2005) 363]
///
/// Both solve each step by Newton's method with a dense Jacobian. (Adams could iterate on f itself instead; that took a
/// third more evaluations on orbits, and a hundred times as many on an arm under stiff control.)
///
/// BDF projects the state within the step. Adams cannot: its output is projected, and if the projection changes the
/// state by more than the tolerance, it restarts there.
std::unique_ptr<Integrator> make_cvode_integrator(Problem& problem, const IntegratorOptions& options);

}  // namespace articula::integrate::internal
