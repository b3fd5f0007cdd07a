#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include <articula/dynamics/column_block.h>
#include <articula/dynamics/columns.h>
#include <articula/dynamics/mass_matrix.h>

namespace articula {

/// Where the factors of a mass matrix M = Lᵀ·D·L have entries: row k of L only for the degrees of freedom that carry k.
/// Factored from the leaves inward, the tree leaves no other trace.  [Featherstone 2008, 6.5]
struct TreePattern {
  /// For blocks of `widest` columns, 4 or 8.
  ARTICULA_EXPORT TreePattern(const Mechanism& mech, int widest);
  ARTICULA_EXPORT TreePattern(const TreePattern&);
  ARTICULA_EXPORT ~TreePattern();

  std::size_t size() const { return depth.size(); }

  std::vector<int> depth;     ///< how many degrees of freedom carry each
  std::vector<int> beyond;    ///< the first one after k that k does not carry
  std::vector<int> carriers;  ///< row after row: what carries k, from the root outward
  std::vector<int> row;     ///< where the row of each begins, in `carriers` and in L; rows have whole blocks of eight,
                            ///< and what stands in the rest is of no use
  std::vector<int> column;  ///< where the column of each begins in Lᵀ: what k carries, k + 1, …, beyond − 1
  std::size_t row_entries = 0, column_entries = 0;

  /// In matrices with entries only between degrees of freedom of which one carries the other, block b of columns has
  /// entries in the rows `rows[k·blocks + b]`, of all that k carries.
  std::vector<Range> rows;
  std::size_t blocks = 0;
};

/// The factors of a mass matrix, M = Lᵀ·D·L, with ones on the diagonal of L.
template <class T>
struct MassMatrixFactors {
  explicit MassMatrixFactors(const Mechanism& mech)
      : at(mech, widest_block<T>),
        L(at.row_entries),
        L_transposed(at.column_entries),
        d(at.size()),
        entries(at.size()) {}

  TreePattern at;
  std::vector<T> L, L_transposed;  ///< without the ones
  std::vector<T> d;                ///< 1/D
  std::vector<T> entries;          ///< room to work in
};

/// The factors of M(q), where S are the joints' axes and F = M_C·S the forces that move all beyond each joint along
/// them, both in World. Degrees of freedom that `roles` calls prescribed are left out: 1/D is zero there.
template <class T>
void factor_mass_matrix(std::span<const Motion<T>> S, const ForceColumns<T>& F, std::span<const DofRole> roles,
                        MassMatrixFactors<T>& M) {
  const auto told = [&](int k) { return !roles.empty() && roles[static_cast<std::size_t>(k)] == DofRole::prescribed; };
  const int nv = static_cast<int>(M.at.size());
  const int *const depth = M.at.depth.data(), *const row = M.at.row.data();
  T *const L = M.L.data(), *const d = M.d.data(), *const entries = M.entries.data();

  // Entries S_aᵀ·F_k, axis a against all that it carries.
  for (int a = 0; a < nv; ++a) {
    const Motion<T> S_a = S[static_cast<std::size_t>(a)];
    const int end = M.at.beyond[static_cast<std::size_t>(a)];
    ARTICULA_INDEPENDENT
    for (int k = a; k < end; ++k) entries[k] = dot(S_a, F.at(k));
    d[a] = entries[a];
    for (int k = a + 1; k < end; ++k) L[row[k] + depth[a]] = entries[k];
  }
  for (int a = 0; !roles.empty() && a < nv; ++a) {
    if (told(a)) std::fill(L + row[a], L + row[a] + depth[a], T(0));
    for (int k = a + 1; told(a) && k < M.at.beyond[static_cast<std::size_t>(a)]; ++k) L[row[k] + depth[a]] = T(0);
  }

  // Inward: what hangs on k gives way. The carriers of a carrier of k are the first of k's.
  for (int k = nv - 1; k >= 0; --k) {
    T* const L_k = L + row[k];
    const T d_k = told(k) ? T(0) : T(1) / d[k];
    d[k] = d_k;
    for (int i = depth[k] - 1; i >= 0; --i) {
      const int carrier = M.at.carriers[static_cast<std::size_t>(row[k] + i)];
      const T entry = L_k[i], factor = entry * d_k;
      T* const L_i = L + row[carrier];
      for (int j = 0; j < i; j += widest_block<T>) {
        auto block = ColumnBlock<T, widest_block<T>>::load(L_i + j);
        block.subtract(factor, L_k + j);
        block.store(L_i + j);
      }
      d[carrier] -= factor * entry;
      M.L_transposed[static_cast<std::size_t>(M.at.column[static_cast<std::size_t>(carrier)] + k - carrier - 1)] =
          factor;
    }
    for (int i = 0; i < depth[k]; ++i) L_k[i] *= d_k;
  }
}

/// X0 ← −M⁻¹·X0 and X1 ← −M⁻¹·X1, nv × nv each, and the upper triangle of M_inverse: all at once, because much of the
/// time goes into finding one's way through the tree.
///
/// @pre X have entries only between degrees of freedom of which one carries the other
template <class T>
ARTICULA_FLAT void solve_with_factors(const MassMatrixFactors<T>& M, T* X0, T* X1, T* M_inverse) {
  const TreePattern& at = M.at;
  const int nv = static_cast<int>(at.size());

  // Inward: X ← L⁻ᵀ·X, whose entries stay where they are; and L⁻ᵀ itself, which is upper triangular.
  for (std::ptrdiff_t k = nv - 1; k >= 0; --k) {
    const auto L_k = [&L = M.L_transposed, first = at.column[static_cast<std::size_t>(k)] - k - 1](std::ptrdiff_t m) {
      return L[static_cast<std::size_t>(first + m)];
    };
    const Range* const rows = at.rows.data() + static_cast<std::size_t>(k) * at.blocks;
    each_block<widest_block<T>>(nv, [&](auto width, int b, int column) {
      const std::ptrdiff_t place = k * nv + column;
      const std::ptrdiff_t end = rows[b].first + rows[b].count;
      if (column + width <= k) {
        auto x0 = ColumnBlock<T, width>::load(X0 + place), x1 = ColumnBlock<T, width>::load(X1 + place);
        for (std::ptrdiff_t m = rows[b].first; m < end; ++m) {
          x0.subtract(L_k(m), X0 + m * nv + column);
          x1.subtract(L_k(m), X1 + m * nv + column);
        }
        x0.store(X0 + place), x1.store(X1 + place);
      } else {
        auto x0 = ColumnBlock<T, width>::load(X0 + place), x1 = ColumnBlock<T, width>::load(X1 + place);
        auto y = ColumnBlock<T, width>::load(M_inverse + place);
        for (std::ptrdiff_t m = rows[b].first; m < end; ++m) {
          x0.subtract(L_k(m), X0 + m * nv + column);
          x1.subtract(L_k(m), X1 + m * nv + column);
          y.subtract(L_k(m), M_inverse + m * nv + column);
        }
        x0.store(X0 + place), x1.store(X1 + place), y.store(M_inverse + place);
      }
    });
  }

  // Outward: X ← L⁻¹·D⁻¹·X.
  for (std::ptrdiff_t k = 0; k < nv; ++k) {
    const auto dof = static_cast<std::size_t>(k);
    const T* const L_k = M.L.data() + at.row[dof];
    const int* const carriers = at.carriers.data() + at.row[dof];
    const int depth = at.depth[dof];
    const T d = M.d[dof];
    each_block<widest_block<T>>(nv, [&](auto width, int, int column) {
      const std::ptrdiff_t place = k * nv + column;
      if (column + width <= k) {
        auto x0 = ColumnBlock<T, width>::load(X0 + place), x1 = ColumnBlock<T, width>::load(X1 + place);
        x0 *= -d, x1 *= -d;
        for (int i = 0; i < depth; ++i) {
          const std::ptrdiff_t other = static_cast<std::ptrdiff_t>(carriers[i]) * nv + column;
          x0.subtract(L_k[i], X0 + other);
          x1.subtract(L_k[i], X1 + other);
        }
        x0.store(X0 + place), x1.store(X1 + place);
      } else {
        auto x0 = ColumnBlock<T, width>::load(X0 + place), x1 = ColumnBlock<T, width>::load(X1 + place);
        auto y = ColumnBlock<T, width>::load(M_inverse + place);
        x0 *= -d, x1 *= -d, y *= d;
        for (int i = 0; i < depth; ++i) {
          const std::ptrdiff_t other = static_cast<std::ptrdiff_t>(carriers[i]) * nv + column;
          x0.subtract(L_k[i], X0 + other);
          x1.subtract(L_k[i], X1 + other);
          y.subtract(L_k[i], M_inverse + other);
        }
        x0.store(X0 + place), x1.store(X1 + place), y.store(M_inverse + place);
      }
    });
  }
}

}  // namespace articula
