#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include <articula/dynamics/lanes/column_block.h>
#include <articula/dynamics/mass_matrix.h>

/// The factors of the mass matrix, with the sparsity of the tree, for solve_with_factors.h and solve_in_strips.h.
namespace articula::dynamics::lanes {

/// The sparsity of the factors of a mass matrix M = Lᵀ·D·L: row k of L has entries only for the ancestors of k
/// ("carriers"). Elimination from the leaves inward causes no other fill-in.  [Featherstone 2008, 6.5]
struct TreePattern {
  /// Rows are padded to whole blocks of `block` numbers.
  ARTICULA_EXPORT TreePattern(const Mechanism& mech, int block);
  ARTICULA_EXPORT TreePattern(const TreePattern&);
  ARTICULA_EXPORT ~TreePattern();

  std::size_t size() const { return depth.size(); }

  int columns = 0;            ///< length of a full row
  std::vector<int> depth;     ///< number of ancestors
  std::vector<int> beyond;    ///< the first degree of freedom after the subtree of k
  std::vector<int> carriers;  ///< by row: the ancestors of k, from the root outward; then k itself
  std::vector<int> row;       ///< the first index of each row in `carriers` and L; padding of rows is unused

  /// A matrix with entries only between ancestors and descendants has them in row k in the columns filled[first],
  /// filled[first + 1], … of in_row[k].
  std::vector<Range> filled, in_row;
};

/// Number of columns of a matrix that are solved for at once (solve_in_strips.h): as many packs as fit into registers;
/// one for other numbers.
template <class T>
inline constexpr int widest_strip = requires { T::lanes; } ? 4 : 1;

/// Length of the workspace: a row of doubles, or two strips of other numbers.
template <class T>
std::size_t workspace_size(const TreePattern& at) {
  return std::is_same_v<T, double> ? static_cast<std::size_t>(at.columns) : 2 * widest_strip<T> * at.size();
}

/// The factors of a mass matrix, M = Lᵀ·D·L, with ones on the diagonal of L.
template <class T>
struct MassMatrixFactors {
  explicit MassMatrixFactors(const Mechanism& mech)
      : at(mech, block_size<T>), L(at.carriers.size()), d(at.size()), workspace(workspace_size<T>(at)) {}

  TreePattern at;
  LineVector<T> L;
  LineVector<T> d;  ///< 1/D
  LineVector<T> workspace;
};

/// The same as plain arrays.
template <class T>
struct MassMatrixArrays {
  int nv, columns;
  const int *depth, *beyond, *carriers, *row;
  const Range *filled, *in_row;
  T *L, *d, *workspace;
  const DofRole* roles;              ///< null: all are free
  const double* armature = nullptr;  ///< null: none; `factor_mass_matrix` adds it

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
        workspace(M.workspace.data()),
        roles(r.empty() ? nullptr : r.data()) {}

  bool is_prescribed(int k) const { return roles != nullptr && roles[k] == DofRole::prescribed; }
};

/// Entries of M(q) in the layout of `eliminate` (see UpperTriangle). For the first axes of a joint, stores extend into
/// the rows of its last axes, which are written later.
template <class T>
struct CarrierRows {
  const MassMatrixArrays<T>& M;

  ARTICULA_INLINE T* at(const Body& body, int k) const { return M.L + M.row[k] + M.depth[body.v.first]; }
  static constexpr std::ptrdiff_t stride() { return 1; }
};

/// Replaces the entries of M(q) by the factors. Row k has the entries for the ancestors of k, then that for k. Degrees
/// of freedom with the role `prescribed` are excluded: their 1/D is zero.
template <class Lanes, class T>
ARTICULA_INLINE void eliminate(const MassMatrixArrays<T>& M) {
  T* const L = M.L;
  for (int a = 0; M.roles != nullptr && a < M.nv; ++a) {
    if (!M.is_prescribed(a)) continue;
    std::fill(L + M.row[a], L + M.row[a] + M.depth[a], T(0));
    for (int k = a + 1; k < M.beyond[a]; ++k) L[M.row[k] + M.depth[a]] = T(0);
  }

  // Inward elimination. The ancestors of an ancestor of k are the first ancestors of k. With lanes, step k updates the
  // rows of all ancestors of k. With packs, the row of a stays in registers while the updates of all descendants of a
  // are added.
  if constexpr (width<Lanes, T> > 1) {
    using Neighbours = ColumnBlock<Lanes, T, block_size<T>>;
    for (int k = M.nv - 1; k >= 0; --k) {
      T* const L_k = L + M.row[k];
      const int* const carriers = M.carriers + M.row[k];
      const int depth = M.depth[k];
      const T d = M.is_prescribed(k) ? T(0) : T(1) / L_k[depth];
      M.d[k] = d;
      for (int j = 0; j < depth; j += block_size<T>) {
        const auto of_k = Neighbours::load(L_k + j);
        for (int i = j; i < depth; ++i) Neighbours::subtract_from(L + M.row[carriers[i]] + j, L_k[i] * d, of_k);
      }
      for (int i = 0; i < depth; ++i) L_k[i] *= d;
    }
  } else {
    for (int a = M.nv - 1; a >= 0; --a) {
      T* const L_a = L + M.row[a];
      const int depth = M.depth[a];
      each_block<8, 1>({0, depth + 1}, [&](auto n, int j) ARTICULA_INLINED {
        auto x = ColumnBlock<T, T, n>::load(L_a + j);
        for (int k = a + 1; k < M.beyond[a]; ++k) {
          const T* const D_L_k = L + M.row[k];
          x.subtract(D_L_k[depth] * M.d[k], D_L_k + j);
        }
        x.store(L_a + j);
      });
      M.d[a] = M.is_prescribed(a) ? T(0) : T(1) / L_a[depth];
    }
    for (int k = 0; k < M.nv; ++k) {
      for (int i = M.row[k]; i < M.row[k] + M.depth[k]; ++i) L[i] *= M.d[k];
    }
  }
}

/// The factors of M(q), from the axes S of joints and F = M_C·S, the forces that accelerate the subtree of each joint
/// along its axis, both in World.
template <class Lanes, class T>
ARTICULA_FLAT void factor_mass_matrix(const MassMatrixArrays<T>& M, const SixRows<T>& S, const SixRows<T>& F) {
  constexpr int w = width<Lanes, T>;
  T* const L = M.L;

  // Entries S_aᵀ·F_k of axis a and its descendants k; D is the last entry of its row.
  for (int a = 0; a < M.nv; ++a) {
    const auto S_a = over<Lanes>(motions<T>(S, a));
    const int end = M.beyond[a];
    for (int k = a / w * w; k < end; k += w) store(dot(S_a, forces<Lanes>(F, k)), M.workspace + k);
    for (int k = a; k < end; ++k) L[M.row[k] + M.depth[a]] = M.workspace[k];
  }
  for (int k = 0; M.armature != nullptr && k < M.nv; ++k) L[M.row[k] + M.depth[k]] += M.armature[k];
  eliminate<Lanes>(M);
}

}  // namespace articula::dynamics::lanes
