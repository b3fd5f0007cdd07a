#pragma once

#include <memory>

#include <articula/integrate/integrator.h>

namespace articula::internal {

/// Dormand-Prince until it finds the problem stiff, then BDF, and back.
///
/// To BDF: when stability has limited 15 steps (StiffnessTest), or no step meets the tolerance. Back: when h·‖J‖ < 1 in 50
/// steps of BDF in a row, ‖J‖ Frobenius' norm of the Jacobian in units of the tolerance, which is an upper bound of |λ|:
/// Dormand-Prince is then stable with steps three times as long. Decided by steps alone, so that runs repeat bit by bit.
/// The method in force lasts over `start`.
std::unique_ptr<Integrator> make_auto_integrator(Problem& problem, const IntegratorOptions& options);

}  // namespace articula::internal
