#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include <articula/dynamics/column_block.h>
#include <articula/dynamics/mass_matrix.h>

namespace articula {

/// Where the factors of a mass matrix M = Lᵀ·D·L have entries: row k of L only for the degrees of freedom that carry k.
/// Factored from the leaves inward, the tree leaves no other trace.  [Featherstone 2008, 6.5]
struct TreePattern {
  /// In whole blocks of `block` numbers.
  ARTICULA_EXPORT TreePattern(const Mechanism& mech, int block);
  ARTICULA_EXPORT TreePattern(const TreePattern&);
  ARTICULA_EXPORT ~TreePattern();

  std::size_t size() const { return depth.size(); }

  int columns = 0;            ///< of a row with an entry for each
  std::vector<int> depth;     ///< how many degrees of freedom carry each
  std::vector<int> beyond;    ///< the first one after k that k does not carry
  std::vector<int> carriers;  ///< row after row: what carries k, from the root outward; then k itself
  std::vector<int> row;       ///< where the row of each begins, in `carriers` and in L; rows have whole blocks, and
                              ///< what stands in the rest is of no use

  /// A matrix with entries only between degrees of freedom of which one carries the other has them, in row k, in the
  /// columns filled[first], filled[first + 1], … of in_row[k].
  std::vector<Range> filled, in_row;
};

/// The factors of a mass matrix, M = Lᵀ·D·L, with ones on the diagonal of L.
template <class T>
struct MassMatrixFactors {
  explicit MassMatrixFactors(const Mechanism& mech)
      : at(mech, block_size<T>), L(at.carriers.size()), d(at.size()), entries(static_cast<std::size_t>(at.columns)) {}

  TreePattern at;
  LineVector<T> L;
  LineVector<T> d;        ///< 1/D
  LineVector<T> entries;  ///< room to work in
};

/// The same as plain arrays.
template <class T>
struct MassMatrixArrays {
  int nv, columns;
  const int *depth, *beyond, *carriers, *row;
  const Range *filled, *in_row;
  T *L, *d, *entries;
  const DofRole* roles;  ///< or null: all are free

  MassMatrixArrays(MassMatrixFactors<T>& M, std::span<const DofRole> r)
      : nv(static_cast<int>(M.at.size())),
        columns(M.at.columns),
        depth(M.at.depth.data()),
        beyond(M.at.beyond.data()),
        carriers(M.at.carriers.data()),
        row(M.at.row.data()),
        filled(M.at.filled.data()),
        in_row(M.at.in_row.data()),
        L(M.L.data()),
        d(M.d.data()),
        entries(M.entries.data()),
        roles(r.empty() ? nullptr : r.data()) {}

  bool is_told(int k) const { return roles != nullptr && roles[k] == DofRole::prescribed; }
};

/// The factors of M(q), where S are the joints' axes and F = M_C·S the forces that move all beyond each joint along
/// them, both in World. Degrees of freedom that `roles` calls prescribed are left out: 1/D is zero there.
template <class Lanes, class T>
ARTICULA_FLAT void factor_mass_matrix(const MassMatrixArrays<T>& M, const SixRows<T>& S, const SixRows<T>& F) {
  using Neighbours = ColumnBlock<Lanes, T, block_size<T>>;
  constexpr int w = width<Lanes, T>;
  T* const L = M.L;

  // Entries S_aᵀ·F_k, axis a against all that it carries; D itself is the last of its row.
  for (int a = 0; a < M.nv; ++a) {
    const auto S_a = over<Lanes>(motions<T>(S, a));
    const int end = M.beyond[a];
    for (int k = a / w * w; k < end; k += w) store(dot(S_a, forces<Lanes>(F, k)), M.entries + k);
    for (int k = a; k < end; ++k) L[M.row[k] + M.depth[a]] = M.entries[k];
  }
  for (int a = 0; M.roles != nullptr && a < M.nv; ++a) {
    if (!M.is_told(a)) continue;
    std::fill(L + M.row[a], L + M.row[a] + M.depth[a], T(0));
    for (int k = a + 1; k < M.beyond[a]; ++k) L[M.row[k] + M.depth[a]] = T(0);
  }

  // Inward: what hangs on k gives way. The carriers of a carrier of k are the first of k's.
  for (int k = M.nv - 1; k >= 0; --k) {
    T* const L_k = L + M.row[k];
    const int* const carriers = M.carriers + M.row[k];
    const int depth = M.depth[k];
    const T d = M.is_told(k) ? T(0) : T(1) / L_k[depth];
    M.d[k] = d;
    for (int j = 0; j < depth; j += block_size<T>) {
      const auto of_k = Neighbours::load(L_k + j);
      for (int i = j; i < depth; ++i) Neighbours::subtract_from(L + M.row[carriers[i]] + j, L_k[i] * d, of_k);
    }
    for (int i = 0; i < depth; ++i) L_k[i] *= d;
  }
}

/// The lower triangle of `to`, nv × nv, from the upper one of Y, whose rows have M.columns.
template <class Lanes, class T>
ARTICULA_INLINE void mirror(const MassMatrixArrays<T>& M, const T* Y, T* to) {
  constexpr int w = width<Lanes, T>;
  const std::ptrdiff_t nv = M.nv, apart = M.columns;
  for (std::ptrdiff_t i = 0; i < nv; i += w) {
    for (std::ptrdiff_t a = i; a < std::min(i + w, nv); ++a) {
      for (std::ptrdiff_t b = a + 1; b < std::min(i + w, nv); ++b) to[b * nv + a] = Y[a * apart + b];
    }
    for (std::ptrdiff_t j = i + w; j < nv; j += w) {
      if constexpr (w == 1) {
        to[j * nv + i] = Y[i * apart + j];
      } else {
        Lanes rows[w];
        for (int l = 0; l < w; ++l) rows[l] = Lanes::load(Y + (i + l) * apart + j);
        transpose(rows);
        for (int l = 0; l < w && j + l < nv; ++l) rows[l].store(to + (j + l) * nv + i);
      }
    }
  }
}

/// −M⁻¹·X0, −M⁻¹·X1 and M⁻¹, nv × nv each: all at once, because much of the time goes into finding one's way through the
/// tree. X0, X1 and Y, where M⁻¹ comes to be, have rows of M.columns numbers; the results go elsewhere, or stay there if
/// rows are as long.
///
/// @pre X0 and X1 have entries only between degrees of freedom of which one carries the other
template <class Lanes, class T>
ARTICULA_FLAT void solve_with_factors(const MassMatrixArrays<T>& M, T* X0, T* X1, T* Y, T* to0, T* to1, T* to_Y) {
  constexpr int widest = widest_block<Lanes, T>, narrowest = block_size<T>;
  const int nv = M.nv;
  const std::ptrdiff_t apart = M.columns;
  std::fill(Y, Y + nv * apart, T(0));
  for (int k = 0; k < nv; ++k) Y[k * (apart + 1)] = T(1);

  // Inward: X ← L⁻ᵀ·X, whose entries stay where they are; and L⁻ᵀ itself, which is upper triangular.
  for (int m = nv - 1; m > 0; --m) {
    const T* const L_m = M.L + M.row[m];
    const int* const carriers = M.carriers + M.row[m];
    const int depth = M.depth[m];
    for (int r = 0; r < M.in_row[m].count; ++r) {
      each_block<widest, narrowest>(M.filled[M.in_row[m].first + r], [&](auto n, int column) {
        using Neighbours = ColumnBlock<Lanes, T, n>;
        const std::ptrdiff_t place = m * apart + column;
        const auto x0 = Neighbours::load(X0 + place), x1 = Neighbours::load(X1 + place);
        if (column + n <= m) {
          for (int i = 0; i < depth; ++i) {
            const std::ptrdiff_t carrier = carriers[i] * apart + column;
            Neighbours::subtract_from(X0 + carrier, L_m[i], x0);
            Neighbours::subtract_from(X1 + carrier, L_m[i], x1);
          }
        } else {
          const auto y = Neighbours::load(Y + place);
          for (int i = 0; i < depth; ++i) {
            const std::ptrdiff_t carrier = carriers[i] * apart + column;
            Neighbours::subtract_from(X0 + carrier, L_m[i], x0);
            Neighbours::subtract_from(X1 + carrier, L_m[i], x1);
            Neighbours::subtract_from(Y + carrier, L_m[i], y);
          }
        }
      });
    }
  }

  // Outward: X ← L⁻¹·D⁻¹·X. Rows may run into the next, which are yet to be written, but not beyond the last.
  const int whole = nv > 0 ? std::max(0, nv - (M.columns + nv - 1) / nv) : 0;
  for (int k = 0; k < nv; ++k) {
    const T* const L_k = M.L + M.row[k];
    const int* const carriers = M.carriers + M.row[k];
    const int depth = M.depth[k];
    const T d = M.d[k];
    each_block<widest, narrowest>({0, M.columns}, [&](auto n, int column) {
      using Neighbours = ColumnBlock<Lanes, T, n>;
      const std::ptrdiff_t place = k * apart + column, to = static_cast<std::ptrdiff_t>(k) * nv + column;
      auto x0 = Neighbours::load(X0 + place), x1 = Neighbours::load(X1 + place);
      x0 *= -d, x1 *= -d;
      if (column + n <= k) {
        for (int i = 0; i < depth; ++i) {
          const std::ptrdiff_t carrier = carriers[i] * apart + column;
          x0.subtract(L_k[i], X0 + carrier), x1.subtract(L_k[i], X1 + carrier);
        }
      } else {
        auto y = Neighbours::load(Y + place);
        y *= d;
        for (int i = 0; i < depth; ++i) {
          const std::ptrdiff_t carrier = carriers[i] * apart + column;
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
    std::copy_n(X0 + k * apart, nv, to0 + k * nv);
    std::copy_n(X1 + k * apart, nv, to1 + k * nv);
    std::copy_n(Y + k * apart, nv, to_Y + k * nv);
  }
  mirror<Lanes>(M, Y, to_Y);
}

}  // namespace articula
