#pragma once

#include <memory>

#include <articula/integrate/integrator.h>

namespace articula::internal {

/// Backward differentiation (orders 1 to 5) or Adams-Moulton (1 to 12) by CVODE, order and step following the tolerance.
/// [Hindmarsh et al.: SUNDIALS. ACM Trans. Math. Software 31 (2005) 363]
///
/// BDF solves each step by Newton's method with a dense Jacobian, and puts the state back onto its surface within the
/// step. Adams iterates on f itself, without a Jacobian: it is for problems that are not stiff. Its surface it cannot
/// handle inside; the state that is given out is projected, and where what the projection moves reaches the tolerance,
/// it begins anew from there.
std::unique_ptr<Integrator> make_cvode_integrator(Ode& ode, const IntegratorOptions& options);

}  // namespace articula::internal
