#pragma once

#include <algorithm>
#include <cstddef>

#include <articula/dynamics/lanes/mass_matrix_factors.h>

/// Applies the factors of a mass matrix, M = Lᵀ·D·L: M⁻¹ = L⁻¹·D⁻¹·L⁻ᵀ, and its product with other matrices. Row by
/// row, with neighbouring columns in SIMD lanes; solve_in_strips.h is for packs.
namespace articula::dynamics::lanes {

/// M⁻¹, nv × nv, from the factors. Y is its workspace, with rows of M.columns numbers. The result is written to to_Y,
/// which may be Y if M.columns is nv.
template <class Lanes, class T>
ARTICULA_FLAT void inverse_with_factors(const MassMatrixArrays<T>& M, T* Y, T* to_Y) {
  constexpr int widest = widest_block<Lanes, T>, block = block_size<T>;
  const int nv = M.nv;
  const std::ptrdiff_t stride = M.columns;
  std::fill(Y, Y + nv * stride, T(0));
  for (int k = 0; k < nv; ++k) Y[k * (stride + 1)] = T(1);

  // Inward: L⁻ᵀ, with entries in row m for the descendants of m.
  for (int m = nv - 1; m > 0; --m) {
    const T* const L_m = M.L + M.row[m];
    const int* const carriers = M.carriers + M.row[m];
    const int first = m / block * block, end = (M.beyond[m] + block - 1) / block * block;
    each_block<widest, block>({first, end - first}, [&](auto n, int column) {
      using Neighbours = ColumnBlock<Lanes, T, n>;
      const auto y = Neighbours::load(Y + m * stride + column);
      for (int i = 0; i < M.depth[m]; ++i) Neighbours::subtract_from(Y + carriers[i] * stride + column, L_m[i], y);
    });
  }

  // Outward: L⁻¹·D⁻¹·L⁻ᵀ, on and above the diagonal.
  for (int k = 0; k < nv; ++k) {
    const T* const L_k = M.L + M.row[k];
    const int* const carriers = M.carriers + M.row[k];
    const int first = k / block * block;
    each_block<widest, block>({first, M.columns - first}, [&](auto n, int column) {
      using Neighbours = ColumnBlock<Lanes, T, n>;
      auto y = Neighbours::load(Y + k * stride + column);
      y *= M.d[k];
      for (int i = 0; i < M.depth[k]; ++i) y.subtract(L_k[i], Y + carriers[i] * stride + column);
      y.store(Y + k * stride + column);
    });
  }
  if (to_Y != Y) {
    for (std::ptrdiff_t k = 0; k < nv; ++k) std::copy(Y + k * stride + k, Y + k * stride + nv, to_Y + k * nv + k);
  }
  mirror<Lanes>(nv, Y, stride, to_Y);
}

/// M⁻¹ from entries of M in the layout of `eliminate`.
template <class Lanes, class T>
void invert_entries(const MassMatrixArrays<T>& M, T* Y, T* to_Y) {
  eliminate<Lanes>(M);
  inverse_with_factors<Lanes>(M, Y, to_Y);
}

/// −M⁻¹·X0, −M⁻¹·X1 and M⁻¹, nv × nv each, together, because much of the time is spent on indexing the tree. X0, X1 and
/// Y, the workspace for M⁻¹, have rows of M.columns numbers. The results are written to to0, to1 and to_Y, which may be
/// the same arrays if M.columns is nv.
///
/// @pre X0 and X1 have entries only between ancestors and descendants
template <class Lanes, class T>
ARTICULA_FLAT void solve_with_factors(const MassMatrixArrays<T>& M, T* X0, T* X1, T* Y, T* to0, T* to1, T* to_Y) {
  constexpr int widest = widest_block<Lanes, T>, narrowest = block_size<T>;
  const int nv = M.nv;
  const std::ptrdiff_t stride = M.columns;
  std::fill(Y, Y + nv * stride, T(0));
  for (int k = 0; k < nv; ++k) Y[k * (stride + 1)] = T(1);

  // Inward: X ← L⁻ᵀ·X, which keeps its sparsity; and L⁻ᵀ, which is upper triangular.
  for (int m = nv - 1; m > 0; --m) {
    const T* const L_m = M.L + M.row[m];
    const int* const carriers = M.carriers + M.row[m];
    const int depth = M.depth[m];
    for (int r = 0; r < M.in_row[m].count; ++r) {
      each_block<widest, narrowest>(M.filled[M.in_row[m].first + r], [&](auto n, int column) {
        using Neighbours = ColumnBlock<Lanes, T, n>;
        const std::ptrdiff_t place = m * stride + column;
        const auto x0 = Neighbours::load(X0 + place), x1 = Neighbours::load(X1 + place);
        if (column + n <= m) {
          for (int i = 0; i < depth; ++i) {
            const std::ptrdiff_t carrier = carriers[i] * stride + column;
            Neighbours::subtract_from(X0 + carrier, L_m[i], x0);
            Neighbours::subtract_from(X1 + carrier, L_m[i], x1);
          }
        } else {
          const auto y = Neighbours::load(Y + place);
          for (int i = 0; i < depth; ++i) {
            const std::ptrdiff_t carrier = carriers[i] * stride + column;
            Neighbours::subtract_from(X0 + carrier, L_m[i], x0);
            Neighbours::subtract_from(X1 + carrier, L_m[i], x1);
            Neighbours::subtract_from(Y + carrier, L_m[i], y);
          }
        }
      });
    }
  }

  // Outward: X ← L⁻¹·D⁻¹·X. Stores may extend into the next rows, which are written later, but not beyond the last row.
  const int whole = nv > 0 ? std::max(0, nv - (M.columns + nv - 1) / nv) : 0;
  for (int k = 0; k < nv; ++k) {
    const T* const L_k = M.L + M.row[k];
    const int* const carriers = M.carriers + M.row[k];
    const int depth = M.depth[k];
    const T d = M.d[k];
    each_block<widest, narrowest>({0, M.columns}, [&](auto n, int column) {
      using Neighbours = ColumnBlock<Lanes, T, n>;
      const std::ptrdiff_t place = k * stride + column, to = static_cast<std::ptrdiff_t>(k) * nv + column;
      auto x0 = Neighbours::load(X0 + place), x1 = Neighbours::load(X1 + place);
      x0 *= -d, x1 *= -d;
      if (column + n <= k) {
        for (int i = 0; i < depth; ++i) {
          const std::ptrdiff_t carrier = carriers[i] * stride + column;
          x0.subtract(L_k[i], X0 + carrier), x1.subtract(L_k[i], X1 + carrier);
        }
      } else {
        auto y = Neighbours::load(Y + place);
        y *= d;
        for (int i = 0; i < depth; ++i) {
          const std::ptrdiff_t carrier = carriers[i] * stride + column;
          x0.subtract(L_k[i], X0 + carrier), x1.subtract(L_k[i], X1 + carrier), y.subtract(L_k[i], Y + carrier);
        }
        y.store(Y + place);
        if (to_Y != Y && k < whole) y.store(to_Y + to);
      }
      x0.store(X0 + place), x1.store(X1 + place);
      if (to0 != X0 && k < whole) x0.store(to0 + to), x1.store(to1 + to);
    });
  }
  for (std::ptrdiff_t k = whole; to0 != X0 && k < nv; ++k) {
    std::copy_n(X0 + k * stride, nv, to0 + k * nv);
    std::copy_n(X1 + k * stride, nv, to1 + k * nv);
    std::copy_n(Y + k * stride, nv, to_Y + k * nv);
  }
  mirror<Lanes>(nv, Y, stride, to_Y);
}

}  // namespace articula::dynamics::lanes
