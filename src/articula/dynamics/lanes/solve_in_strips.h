#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

#include <articula/dynamics/lanes/solve_with_factors.h>

/// The inverse of a mass matrix, M⁻¹ = Z·D⁻¹·Zᵀ with Z = L⁻¹, applied to a few columns at a time. Z has the sparsity of
/// L; a column with entries on one branch affects another branch only through their common ancestors.
///
/// This is for packs and other numbers that do not use lanes for neighbouring columns: a matrix of packs is larger than
/// the first-level cache, a strip of it is not.
namespace articula::dynamics::lanes {

/// Replaces L by Z = L⁻¹, and D by ones.
///
///     Z_kj = −L_kj − Σ L_ki·Z_ij       over all i that are ancestors of k and descendants of j
template <class T>
ARTICULA_INLINE void invert_factors(const MassMatrixArrays<T>& M) {
  for (int k = 0; k < M.nv; ++k) {
    T* const row = M.L + M.row[k];
    const int* const carriers = M.carriers + M.row[k];
    const int depth = M.depth[k];
    each_block<8, 1>({0, depth}, [&](auto n, int j) ARTICULA_INLINED {
      auto z = ColumnBlock<T, T, n>::load(row + j);
      for (int i = j + n; i < depth; ++i) z.add(row[i], M.L + M.row[carriers[i]] + j);
      each_constant<n>([&](auto i) ARTICULA_INLINED {
        const T* const Z_i = M.L + M.row[carriers[j + i]] + j;
        each_constant<i>([&](auto b) ARTICULA_INLINED { z.x[b] += row[j + i] * Z_i[b]; });
      });
      z *= T(-1);
      z.store(row + j);
    });
    row[depth] = T(1);
  }
}

/// n neighbouring columns from c on, each the parent of the next in the tree. They have entries in the rows of c, its
/// ancestors and its descendants; the last step fills the others.
template <int n, class T>
struct Strip {
  using Row = ColumnBlock<T, T, n>;

  const MassMatrixArrays<T>& M;
  int c;
  T* X;  ///< entries, n for each degree of freedom; most are unused

  /// The number of rows that are processed together, in registers, so that common operands are read once.
  static constexpr int together = widest_strip<T> == 1 ? 1 : n > 4 ? 3 : 4;

  /// X ← ±D⁻¹·Zᵀ·X
  template <bool minus>
  ARTICULA_INLINE void inward() const {
    const int* const carriers = M.carriers + M.row[c];
    const int above = M.depth[c], count = above + M.beyond[c] - c;
    const auto row = [&](int r) ARTICULA_INLINED { return r < above ? carriers[r] : c + r - above; };
    for (int r = 0; r < count;) {
      // Rows that are each the parent of the next and have the same descendants.
      const int end = r < above ? count : above + M.beyond[row(r)] - c;
      int length = 1;
      while (length < together && r + length < end &&
             (r + length < above || above + M.beyond[row(r + length)] - c == end)) {
        ++length;
      }
      with_constant<together>(length, [&](auto rows) ARTICULA_INLINED {
        const int depth = M.depth[row(r)];
        std::array<Row, rows> x;
        std::array<T, rows> factors;
        each_constant<rows>([&](auto a) ARTICULA_INLINED { x[a] = Row::load(X + row(r + a) * n); });
        each_constant<rows>([&](auto a) ARTICULA_INLINED {
          each_constant<rows - 1 - a>([&](auto b) ARTICULA_INLINED {
            constexpr int m = a + 1 + b;
            x[a].add(M.L[M.row[row(r + m)] + depth + a], x[m]);
          });
        });
        for (int i = r + rows; i < end; ++i) {
          const int m = row(i);
          const T* const Z_m = M.L + M.row[m] + depth;
          each_constant<rows>([&](auto a) ARTICULA_INLINED { factors[a] = Z_m[a]; });
          Row::add(x, factors, X + m * n);
        }
        each_constant<rows>([&](auto a) ARTICULA_INLINED {
          const int m = row(r + a);
          x[a] *= minus ? -M.d[m] : M.d[m];
          x[a].store(X + m * n);
        });
      });
      r += length;
    }
  }

  /// Calls f(k, x) for all rows x of Z·X before `end`.
  template <class F>
  ARTICULA_INLINE void outward(int end, F&& f) const {
    const int* const carriers = M.carriers + M.row[c];
    const int above = M.depth[c];
    const auto row = [&](int r) { return std::min(end, r == above ? c : carriers[r]); };
    rows_of(0, row(0), 0, f);
    for (int r = 0; r < above; ++r) rows_of(row(r), row(r + 1), r + 1, f);
    own_rows(std::min(end, M.beyond[c]), f);
    int k = std::min(end, M.beyond[c]);
    for (int r = above - 1; r >= 0; --r) {
      const int next = std::min(end, M.beyond[carriers[r]]);
      rows_of(k, next, r + 1, f);
      k = next;
    }
    rows_of(k, end, 0, f);
  }

 private:
  /// Rows whose common ancestors with c are the first `terms` ancestors of c.
  template <class F>
  ARTICULA_INLINE void rows_of(int first, int end, int terms, F&& f) const {
    const int* const carriers = M.carriers + M.row[c];
    for (int k = first; k < end; k += together) {
      with_constant<together>(std::min(end - k, together), [&](auto rows) ARTICULA_INLINED {
        some_rows<rows>(k, carriers, terms, f, [](auto&) ARTICULA_INLINED {});
      });
    }
  }

  /// The rows of c and its descendants.
  template <class F>
  ARTICULA_INLINE void own_rows(int end, F&& f) const {
    for (int k = c; k < end;) {
      const int depth = M.depth[k];
      int length = 1;
      while (length < together && k + length < end && M.depth[k + length] == depth + length) ++length;
      with_constant<together>(length, [&](auto rows) ARTICULA_INLINED {
        some_rows<rows>(k, M.carriers + M.row[k], depth, f, [&](auto& x) ARTICULA_INLINED {
          each_constant<rows>([&](auto b) ARTICULA_INLINED {
            const Row y = Row::load(X + (k + b) * n);
            each_constant<rows - b>([&](auto a) ARTICULA_INLINED {
              constexpr int m = a + b;
              x[m].add(M.L[M.row[k + m] + depth + b], y);
            });
          });
        });
      });
      k += length;
    }
  }

  template <int rows, class F, class More>
  ARTICULA_INLINE void some_rows(int k, const int* carriers, int terms, F&& f, More&& more) const {
    std::array<Row, rows> x;
    std::array<T, rows> factors;
    each_constant<rows>([&](auto a) ARTICULA_INLINED { x[a] = Row::zero(); });
    for (int i = 0; i < terms; ++i) {
      each_constant<rows>([&](auto a) ARTICULA_INLINED { factors[a] = M.L[M.row[k + a] + i]; });
      Row::add(x, factors, X + carriers[i] * n);
    }
    more(x);
    each_constant<rows>([&](auto a) ARTICULA_INLINED { f(k + a, x[a]); });
  }
};

/// The columns c, c + 1, … of −M⁻¹·X0 and −M⁻¹·X1, n of each, from their entries in M.workspace.
template <int n, class T>
[[gnu::noinline]] ARTICULA_FLAT void solve_strip(const MassMatrixArrays<T>& M, int c, T* to0, T* to1) {
  const std::ptrdiff_t nv = M.nv;
  const Strip<2 * n, T> strip{M, c, M.workspace};
  strip.template inward<true>();
  strip.outward(M.nv, [&](int k, const auto& x) ARTICULA_INLINED {
    each_constant<n>([&](auto j) ARTICULA_INLINED {
      to0[k * nv + c + j] = x.x[j];
      to1[k * nv + c + j] = x.x[n + j];
    });
  });
}

/// The n columns c, c + 1, … of M⁻¹ down to the last diagonal entry, and the same as rows.
template <int n, class T>
[[gnu::noinline]] ARTICULA_FLAT void inverse_strip(const MassMatrixArrays<T>& M, int c, T* to) {
  const std::ptrdiff_t nv = M.nv;
  const Strip<n, T> strip{M, c, M.workspace};
  const int* const carriers = M.carriers + M.row[c + n - 1];
  for (int r = 0; r < M.depth[c] + n; ++r) {
    for (int j = 0; j < n; ++j) {
      M.workspace[carriers[r] * n + j] = r > M.depth[c] + j ? T(0) : M.d[carriers[r]] * M.L[M.row[c + j] + r];
    }
  }
  strip.outward(c + n, [&](int k, const auto& y) ARTICULA_INLINED {
    each_constant<n>([&](auto j) ARTICULA_INLINED {
      to[k * nv + c + j] = y.x[j];
      if (k < c) to[(c + j) * nv + k] = y.x[j];
    });
  });
}

/// Calls f(n, c) for strips of n columns from c on, at most `widest`, each of which is the parent of the next.
template <class T, class F>
void each_strip(const MassMatrixArrays<T>& M, int widest, F&& f) {
  for (int c = 0; c < M.nv;) {
    int n = 1;
    while (n < widest && c + n < M.nv && M.depth[c + n] == M.depth[c] + n) ++n;
    f(n, c);
    c += n;
  }
}

/// M⁻¹, nv × nv, strip by strip, from inverted factors.
template <class T>
void inverse_in_strips(const MassMatrixArrays<T>& M, T* to) {
  constexpr int widest = widest_strip<T> == 1 ? 1 : 2 * widest_strip<T>;
  each_strip(M, widest,
             [&](int n, int c) { with_constant<widest>(n, [&](auto width) { inverse_strip<width>(M, c, to); }); });
}

/// −M⁻¹·X0 and −M⁻¹·X1, nv × nv each, strip by strip, from inverted factors. `column` writes column k of X0 and X1 to
/// x0 and x1 with the given stride: an entry for k and for each of its ancestors and descendants; all others are zero.
template <class T, class Column>
ARTICULA_FLAT void solve_in_strips(const MassMatrixArrays<T>& M, Column&& column, T* to0, T* to1) {
  constexpr int widest = widest_strip<T>;
  each_strip(M, widest, [&](int n, int c) {
    const std::ptrdiff_t stride = 2 * n;
    for (int j = 0; j < n; ++j) {
      T *const x0 = M.workspace + j, *const x1 = x0 + n;
      column(c + j, x0, x1, stride);
      for (int k = M.beyond[c + j]; k < M.beyond[c]; ++k) x0[k * stride] = x1[k * stride] = T(0);
    }
    with_constant<widest>(n, [&](auto width) { solve_strip<width>(M, c, to0, to1); });
  });
}

/// −M⁻¹·x for a single column, from inverted factors.
template <class T>
ARTICULA_FLAT void solve_one(const MassMatrixArrays<T>& M, const T* x, T* to) {
  for (int k = 0; k < M.nv; ++k) {
    T y = x[k];
    for (int m = k + 1; m < M.beyond[k]; ++m) y += M.L[M.row[m] + M.depth[k]] * x[m];
    M.workspace[k] = -M.d[k] * y;
  }
  for (int k = 0; k < M.nv; ++k) {
    T z = M.workspace[k];
    for (int i = 0; i < M.depth[k]; ++i) z += M.L[M.row[k] + i] * M.workspace[M.carriers[M.row[k] + i]];
    to[k] = z;
  }
}

}  // namespace articula::dynamics::lanes
