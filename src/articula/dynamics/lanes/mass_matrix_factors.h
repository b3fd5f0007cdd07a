#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include <articula/dynamics/lanes/column_block.h>
#include <articula/dynamics/mass_matrix.h>

/// The factors of the mass matrix, with the sparsity of the tree; solve_with_factors.h and solve_in_strips.h use them.
namespace articula::dynamics::lanes {

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

/// How many columns of a matrix are solved for at once (solve_in_strips.h): as many packs as fit into registers, of
/// recorded numbers one. And in how much room: a row of doubles, or two strips of anything else.
template <class T>
inline constexpr int widest_strip = requires { T::lanes; } ? 4 : 1;
template <class T>
std::size_t room_for(const TreePattern& at) {
  return std::is_same_v<T, double> ? static_cast<std::size_t>(at.columns) : 2 * widest_strip<T> * at.size();
}

/// The factors of a mass matrix, M = Lᵀ·D·L, with ones on the diagonal of L.
template <class T>
struct MassMatrixFactors {
  explicit MassMatrixFactors(const Mechanism& mech)
      : at(mech, block_size<T>), L(at.carriers.size()), d(at.size()), room(room_for<T>(at)) {}

  TreePattern at;
  LineVector<T> L;
  LineVector<T> d;     ///< 1/D
  LineVector<T> room;  ///< to work in
};

/// The same as plain arrays.
template <class T>
struct MassMatrixArrays {
  int nv, columns;
  const int *depth, *beyond, *carriers, *row;
  const Range *filled, *in_row;
  T *L, *d, *room;
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
        room(M.room.data()),
        roles(r.empty() ? nullptr : r.data()) {}

  bool is_told(int k) const { return roles != nullptr && roles[k] == DofRole::prescribed; }
};

/// Entries of M(q) where `eliminate` takes them (UpperTriangle, mass_matrix.h). Those of a joint's first axes run on into
/// the rows of its last, which are written later.
template <class T>
struct CarrierRows {
  const MassMatrixArrays<T>& M;

  ARTICULA_INLINE T* at(const Body& body, int k) const { return M.L + M.row[k] + M.depth[body.v.first]; }
  static constexpr std::ptrdiff_t apart() { return 1; }
};

/// From the entries of M(q), row k those with what carries k and then its own, to the factors. Degrees of freedom that
/// `roles` calls prescribed are left out: 1/D is zero there.
template <class Lanes, class T>
ARTICULA_INLINE void eliminate(const MassMatrixArrays<T>& M) {
  T* const L = M.L;
  for (int a = 0; M.roles != nullptr && a < M.nv; ++a) {
    if (!M.is_told(a)) continue;
    std::fill(L + M.row[a], L + M.row[a] + M.depth[a], T(0));
    for (int k = a + 1; k < M.beyond[a]; ++k) L[M.row[k] + M.depth[a]] = T(0);
  }

  // Inward: what hangs on k gives way. The carriers of a carrier of k are the first of k's. In lanes, k changes the rows of
  // all that carry it; packs stay in registers while the row of a takes what comes from those that it carries.
  if constexpr (width<Lanes, T> > 1) {
    using Neighbours = ColumnBlock<Lanes, T, block_size<T>>;
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
      M.d[a] = M.is_told(a) ? T(0) : T(1) / L_a[depth];
    }
    for (int k = 0; k < M.nv; ++k) {
      for (int i = M.row[k]; i < M.row[k] + M.depth[k]; ++i) L[i] *= M.d[k];
    }
  }
}

/// The factors of M(q), where S are the joints' axes and F = M_C·S the forces that move all beyond each joint along
/// them, both in World.
template <class Lanes, class T>
ARTICULA_FLAT void factor_mass_matrix(const MassMatrixArrays<T>& M, const SixRows<T>& S, const SixRows<T>& F) {
  constexpr int w = width<Lanes, T>;
  T* const L = M.L;

  // Entries S_aᵀ·F_k, axis a against all that it carries; D itself is the last of its row.
  for (int a = 0; a < M.nv; ++a) {
    const auto S_a = over<Lanes>(motions<T>(S, a));
    const int end = M.beyond[a];
    for (int k = a / w * w; k < end; k += w) store(dot(S_a, forces<Lanes>(F, k)), M.room + k);
    for (int k = a; k < end; ++k) L[M.row[k] + M.depth[a]] = M.room[k];
  }
  eliminate<Lanes>(M);
}

}  // namespace articula::dynamics::lanes
