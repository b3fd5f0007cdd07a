#pragma once

#include <cstddef>
#include <vector>

namespace articula {

/// M = L·D·Lᵀ of a symmetric positive definite matrix, over any scalar: dense, without pivots, the same operations
/// whatever the numbers. Matrices are stored row by row.  [Golub, Van Loan 2013, 4.1.2]
template <class T>
class DenseFactors {
 public:
  explicit DenseFactors(std::size_t n) : n_(n), L_(n * n), d_(n) {}

  /// Reads M on and below the diagonal.
  void factor(const T* M) {
    for (std::size_t j = 0; j < n_; ++j) {
      T* const L_j = L_.data() + j * n_;
      for (std::size_t i = j; i < n_; ++i) {
        T* const L_i = L_.data() + i * n_;
        T x = M[i * n_ + j];
        for (std::size_t k = 0; k < j; ++k) x -= L_i[k] * (L_j[k] * d_[k]);
        if (i == j) {
          d_[j] = x;
        } else {
          L_i[j] = x / d_[j];
        }
      }
    }
  }

  /// X ← M⁻¹·X, n × columns
  void solve(T* X, std::size_t columns) const {
    const auto subtract = [&](std::size_t i, const T& factor, std::size_t k) {
      for (std::size_t c = 0; c < columns; ++c) X[i * columns + c] -= factor * X[k * columns + c];
    };
    for (std::size_t i = 0; i < n_; ++i) {
      for (std::size_t k = 0; k < i; ++k) subtract(i, L_[i * n_ + k], k);
    }
    for (std::size_t i = n_; i-- > 0;) {
      for (std::size_t c = 0; c < columns; ++c) X[i * columns + c] = X[i * columns + c] / d_[i];
      for (std::size_t k = i + 1; k < n_; ++k) subtract(i, L_[k * n_ + i], k);
    }
  }

  /// The first row whose pivot is not positive: with those before it M is not positive definite. n: there is none.
  std::size_t first_not_positive() const {
    std::size_t k = 0;
    while (k < n_ && d_[k] > T(0)) ++k;
    return k;
  }

 private:
  std::size_t n_;
  std::vector<T> L_, d_;
};

}  // namespace articula
