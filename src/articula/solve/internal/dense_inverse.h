#pragma once

#include <Eigen/Cholesky>

#include <articula/solve/internal/exterior_map.h>

namespace articula {

/// The inverse of a symmetric positive definite matrix of fixed size, without allocating.
class DenseInverse {
 public:
  explicit DenseInverse(std::size_t n)
      : factors_(static_cast<Eigen::Index>(n)),
        M_(static_cast<Eigen::Index>(n), static_cast<Eigen::Index>(n)),
        inverse_(M_.rows(), M_.cols()) {}

  /// Of the free rows and columns, zero elsewhere. False, and nothing written, where it is not positive definite.
  bool invert(const MatrixView& M, const ExteriorMap& exterior, std::span<const DofRole> roles,
              std::span<double> inverse) {
    const Eigen::Index n = M_.rows();
    for (Eigen::Index i = 0; i < n; ++i) {
      for (Eigen::Index j = 0; j < n; ++j) M_(i, j) = M(static_cast<int>(i), static_cast<int>(j));
    }
    const auto told = [&](Eigen::Index k) { return exterior.is_prescribed(roles, static_cast<std::size_t>(k)); };
    for (Eigen::Index k = 0; k < n; ++k) {
      if (!told(k)) continue;
      M_.row(k).setZero(), M_.col(k).setZero();
      M_(k, k) = 1;
    }
    factors_.compute(M_);
    if (factors_.info() != Eigen::Success || !(factors_.vectorD().minCoeff() > 0)) return false;
    inverse_.setIdentity();
    factors_.solveInPlace(inverse_);
    for (Eigen::Index i = 0; i < n; ++i) {
      for (Eigen::Index j = 0; j < n; ++j) {
        inverse[static_cast<std::size_t>(i * n + j)] = told(i) || told(j) ? 0.0 : inverse_(i, j);
      }
    }
    return true;
  }

 private:
  Eigen::LDLT<Eigen::MatrixXd> factors_;
  Eigen::MatrixXd M_, inverse_;
};

}  // namespace articula
