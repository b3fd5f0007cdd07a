#pragma once

#include <span>

#include <Eigen/Core>

#include <articula/solve/internal/exposed_mechanism.h>

namespace articula::study {

/// Row-major, as written by Problem::jacobian.
using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// From the derivative J = ∂ẏ/∂y of a system, y = [q, v, z], to the matrix A of its small deviations
///
///     δ̇ = A·δ,   δ = [δq, δv, δz],   y = y₀ + T·δ,   T = diag(N(q₀), 1, 1),   q̇ = N(q)·v
///
/// where δq is along the degrees of freedom: for a spherical joint, the rotation vector in the axes of its outboard
/// body, p = p₀ ⊗ exp(δ/2), not the four components of its quaternion p. The reference y₀ moves, and T with it:
///
///     Ṫ·δ + T·δ̇ = J·T·δ    ⇒    A = T⁺·(J·T − Ṫ),   Ṫ = diag(dN(q₀)·q̇₀, 0, 0)
///
/// For a spherical joint, this is δ̇ = δω − ω×δ [Solà 2017, sec. 5.3.3].
RowMatrix tangent_matrix(const ExposedMechanism& mechanism, std::span<const double> y, std::span<const double> J);

}  // namespace articula::study
