#pragma once

#include <cstddef>
#include <type_traits>

#include <articula/dynamics/solve_with_factors.h>

/// The factors of a mass matrix applied to a few columns after the others: of packs a whole matrix is larger than the first
/// cache, a strip of it is not.
namespace articula {

/// n neighbouring columns of a matrix with nv columns, from c on, each of whose degrees of freedom carries the next: where
/// they may have entries before the last step, in order.
template <class T>
struct StripRows {
  StripRows(const MassMatrixArrays<T>& M, int c)
      : first(c), above(M.depth[c]), count(above + M.beyond[c] - c), carriers(M.carriers + M.row[c]) {}

  /// Which row of the matrix that is: what carries c, c itself, and what c carries.
  ARTICULA_INLINE int operator[](int r) const { return r < above ? carriers[r] : first + r - above; }
  /// After r, the first that it does not carry.
  ARTICULA_INLINE int beyond(const MassMatrixArrays<T>& M, int r) const {
    return r < above ? count : above + M.beyond[(*this)[r]] - first;
  }

  int first, above, count;
  const int* carriers;
};

/// Columns of −M⁻¹·X0 and −M⁻¹·X1 in place.
template <int n, class T>
ARTICULA_INLINE void solve_strip(const MassMatrixArrays<T>& M, int c, T* X0, T* X1) {
  using Strip = ColumnBlock<T, T, n>;
  const std::ptrdiff_t nv = M.nv;
  const StripRows<T> rows(M, c);
  X0 += c, X1 += c;

  // Inward: X ← L⁻ᵀ·X.
  for (int r = rows.count - 1; r >= 0; --r) {
    const int a = rows[r], depth = M.depth[a], end = rows.beyond(M, r);
    Strip x0 = Strip::load(X0 + a * nv), x1 = Strip::load(X1 + a * nv);
    for (int i = r + 1; i < end; ++i) {
      const int m = rows[i];
      x0.subtract(M.L[M.row[m] + depth], X0 + m * nv), x1.subtract(M.L[M.row[m] + depth], X1 + m * nv);
    }
    x0.store(X0 + a * nv), x1.store(X1 + a * nv);
  }

  // Outward: X ← L⁻¹·D⁻¹·X.
  for (int k = 0; k < M.nv; ++k) {
    const T* const L_k = M.L + M.row[k];
    const int* const carriers = M.carriers + M.row[k];
    Strip x0 = Strip::load(X0 + k * nv), x1 = Strip::load(X1 + k * nv);
    x0 *= -M.d[k], x1 *= -M.d[k];
    for (int i = 0; i < M.depth[k]; ++i) {
      x0.subtract(L_k[i], X0 + carriers[i] * nv), x1.subtract(L_k[i], X1 + carriers[i] * nv);
    }
    x0.store(X0 + k * nv), x1.store(X1 + k * nv);
  }
}

/// Columns of M⁻¹, down to the last of their rows.
template <int n, class T>
ARTICULA_INLINE void inverse_strip(const MassMatrixArrays<T>& M, int c, T* Y) {
  using Strip = ColumnBlock<T, T, n>;
  const std::ptrdiff_t nv = M.nv;
  const StripRows<T> rows(M, c);
  Y += c;
  for (std::ptrdiff_t k = 0; k < c + n; ++k) {
    for (int j = 0; j < n; ++j) Y[k * nv + j] = T(k == c + j ? 1 : 0);
  }
  for (int r = rows.above + n - 2; r >= 0; --r) {
    const int a = rows[r], depth = M.depth[a];
    Strip y = Strip::load(Y + a * nv);
    for (int i = r + 1; i < rows.above + n; ++i) {
      const int m = rows[i];
      y.subtract(M.L[M.row[m] + depth], Y + m * nv);
    }
    y.store(Y + a * nv);
  }
  for (int k = 0; k < c + n; ++k) {
    const T* const L_k = M.L + M.row[k];
    const int* const carriers = M.carriers + M.row[k];
    Strip y = Strip::load(Y + k * nv);
    y *= M.d[k];
    for (int i = 0; i < M.depth[k]; ++i) y.subtract(L_k[i], Y + carriers[i] * nv);
    y.store(Y + k * nv);
  }
}

/// Calls f(n, c) for strips of n columns from c on, each of which carries the next.
template <class T, class F>
ARTICULA_INLINE void each_strip(const MassMatrixArrays<T>& M, F&& f) {
  for (int c = 0; c < M.nv;) {
    int n = 1;
    while (n < 4 && c + n < M.nv && M.depth[c + n] == M.depth[c] + n) ++n;
    switch (n) {
      case 4: f(std::integral_constant<int, 4>{}, c); break;
      case 3: f(std::integral_constant<int, 3>{}, c); break;
      case 2: f(std::integral_constant<int, 2>{}, c); break;
      default: f(std::integral_constant<int, 1>{}, c);
    }
    c += n;
  }
}

/// M⁻¹, nv × nv, strip by strip.
template <class T>
ARTICULA_FLAT void inverse_in_strips(const MassMatrixArrays<T>& M, T* Y) {
  each_strip(M, [&](auto n, int c) { inverse_strip<n>(M, c, Y); });
  mirror<T>(M, Y, Y);
}

/// −M⁻¹·X0, −M⁻¹·X1 in place, and M⁻¹, nv × nv each, strip by strip.
///
/// @pre X0 and X1 have entries only between degrees of freedom of which one carries the other
template <class T>
ARTICULA_FLAT void solve_in_strips(const MassMatrixArrays<T>& M, T* X0, T* X1, T* Y) {
  each_strip(M, [&](auto n, int c) { solve_strip<n>(M, c, X0, X1); });
  inverse_in_strips(M, Y);
}

}  // namespace articula
