#pragma once

#include <span>

#include <articula/base/modules.h>

namespace articula::integrate::internal {

/// The numbers of an explicit Runge-Kutta method, with or without an estimate of its error.
///
///     k_i = f(t + c_i h, y + h Σ_{j<i} a_ij k_j)        y₁ = y + h Σ b_i k_i        error ≈ h Σ e_i k_i
///
/// Within the step, θ = (t − t₀)/h, it gives the cubic through y₀, y₁ and the slopes there, and a term that lifts the
/// middle where the method has one:
///
///     y(θ) = Hermite(θ) + θ²(1 − θ)² h Σ d_i k_i
///
/// After the stages comes f at the end, (t + h, y₁). The next step begins with it. It is k_s, the last of `e` and `d`.
/// [Hairer, Nørsett, Wanner: Solving Ordinary Differential Equations I, 2nd ed., II.1, II.4 to II.6]
struct Tableau {
  std::span<const double> c;  ///< one for each of the s stages
  std::span<const double> a;  ///< row by row, of row i the i entries left of the diagonal
  std::span<const double> b;  ///< s
  std::span<const double> e;  ///< s + 1, or none: a fixed step
  std::span<const double> d;  ///< s + 1, or none: the cubic alone
  int error_order = 0;        ///< p where the estimate is proportional to hᵖ
  double stability = 0;       ///< stable for real h·λ ≥ −stability
};

}  // namespace articula::integrate::internal
