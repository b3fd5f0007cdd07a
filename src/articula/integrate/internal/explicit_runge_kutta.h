#pragma once

#include <memory>

#include <articula/integrate/integrator.h>
#include <articula/integrate/internal/tableau.h>

namespace articula::integrate::internal {

/// The method of a tableau. With an error estimate the step is controlled by the tolerance, otherwise it is
/// `options.step`.
std::unique_ptr<Integrator> make_explicit_runge_kutta(Problem& problem, const IntegratorOptions& options,
                                                      const Tableau& tableau);

}  // namespace articula::integrate::internal
