#pragma once

#include <algorithm>
#include <cstddef>
#include <type_traits>
#include <vector>

#include <articula/base/modules.h>

namespace articula::closure {

/// M = Lᵀ·D·L of a symmetric positive definite matrix, over any scalar: dense, without pivoting, with operations that
/// do not depend on the numbers. From the last row to the first, since bodies come after their parents: L keeps the
/// zeros of M between branches, which recorded code omits.  [Featherstone 2008, 6.5]
///
/// Matrices are stored row by row.
template <class T>
class DenseFactors {
 public:
  explicit DenseFactors(std::size_t n) : n_(n), L_(n * n), d_(n) {}

  /// Reads M on and below the diagonal.
  void factor(const T* M) {
    std::copy_n(M, n_ * n_, L_.begin());
    for (std::size_t k = n_; k-- > 0;) {
      T* const L_k = row(k);
      d_[k] = L_k[k];
      for (std::size_t i = 0; i < k; ++i) {
        if (is_zero(L_k[i])) continue;
        const T a = L_k[i] / d_[k];
        T* const L_i = row(i);
        for (std::size_t j = 0; j <= i; ++j) L_i[j] -= a * L_k[j];
      }
      for (std::size_t i = 0; i < k; ++i) L_k[i] = L_k[i] / d_[k];
    }
  }

  /// X ← M⁻¹·X, n × columns
  void solve(T* X, std::size_t columns) const {
    const auto subtract = [&](std::size_t i, const T& factor, std::size_t k) {
      for (std::size_t c = 0; c < columns; ++c) X[i * columns + c] -= factor * X[k * columns + c];
    };
    for (std::size_t k = n_; k-- > 0;) {
      for (std::size_t i = 0; i < k; ++i) {
        if (!is_zero(row(k)[i])) subtract(i, row(k)[i], k);
      }
    }
    for (std::size_t k = 0; k < n_; ++k) {
      for (std::size_t c = 0; c < columns; ++c) X[k * columns + c] = X[k * columns + c] / d_[k];
      for (std::size_t i = 0; i < k; ++i) {
        if (!is_zero(row(k)[i])) subtract(k, row(k)[i], i);
      }
    }
  }

  /// The first row, from the tips inward, whose pivot is not positive, so that M is not positive definite; n if there
  /// is none.
  std::size_t first_not_positive() const {
    for (std::size_t k = n_; k-- > 0;) {
      if (!(d_[k] > T(0))) return k;
    }
    return n_;
  }

 private:
  /// Whether a number is zero and may be skipped; always false for packs and recorded numbers.
  static bool is_zero(const T& x) {
    if constexpr (std::is_same_v<T, double>) return x == 0;
    return false;
  }
  T* row(std::size_t k) { return L_.data() + k * n_; }
  const T* row(std::size_t k) const { return L_.data() + k * n_; }

  std::size_t n_;
  std::vector<T> L_, d_;
};

}  // namespace articula::closure
