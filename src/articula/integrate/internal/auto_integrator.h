#pragma once

#include <memory>

#include <articula/integrate/integrator.h>

namespace articula::integrate::internal {

/// Dormand-Prince until the problem is stiff, then BDF, and back.
///
/// To BDF: when stability has limited 15 steps (StiffnessTest), or no step meets the tolerance. Back: when h·‖J‖ < 1 in 50
/// steps of BDF in a row, ‖J‖ Frobenius' norm of the Jacobian in units of the tolerance, which is an upper bound of |λ|:
/// Dormand-Prince is then stable with steps three times as long. The decision depends on steps only, so that runs are
/// reproducible bit by bit. The current method is kept over `start`.
std::unique_ptr<Integrator> make_auto_integrator(Problem& problem, const IntegratorOptions& options);

}  // namespace articula::integrate::internal
