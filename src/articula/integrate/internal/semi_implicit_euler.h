#pragma once

#include <memory>

#include <articula/integrate/integrator.h>

namespace articula::integrate::internal {

/// Velocities first, then positions along the new velocities: one evaluation of f a step, order 1, fixed step.
///
///     v₁ = v₀ + h·v̇(t₀, q₀, v₀)        q₁ = q₀ moved along h·v₁
///
/// Symplectic for a conservative system with constant masses: its energy error stays bounded.
/// Within a step the solution is the straight line. [Hairer, Lubich, Wanner: Geometric Numerical Integration, I.1.2]
std::unique_ptr<Integrator> make_semi_implicit_euler(Problem& problem, const IntegratorOptions& options);

}  // namespace articula::integrate::internal
