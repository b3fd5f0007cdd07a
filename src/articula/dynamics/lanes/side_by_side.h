#pragma once

#include <algorithm>
#include <cstring>
#include <type_traits>
#include <utility>

#include <articula/dynamics/lanes/columns.h>
#include <articula/scalar/pack.h>
#include <articula/scalar/select.h>

/// Several bodies, degrees of freedom or matrix columns of one state in SIMD lanes. An algorithm over numbers T
/// processes an L at a time: a pack of doubles (column_kernels.h), or T itself for any other T.
namespace articula::dynamics::lanes {

/// The number of T in an L.
template <class L, class T>
inline constexpr int width = static_cast<int>(sizeof(L) / sizeof(T));

/// Stores the first `count` numbers.
template <class L, class T>
ARTICULA_INLINE void store_first(const L& value, int count, T* to) {
  if (count == width<L, T>) return store(value, to);
  if constexpr (!std::is_same_v<L, T>) {
    for (int l = 0; l < count; ++l) to[l] = value[l];
  }
}

/// Comparisons of indices in the mechanism, one for each lane.
template <class L, class T>
ARTICULA_INLINE auto less(const double* x, double y) {
  if constexpr (std::is_same_v<L, T>) {
    return *x < y;
  } else {
    return L::load(x) < L(y);
  }
}
template <class L, class T>
ARTICULA_INLINE auto greater(const double* x, double y) {
  if constexpr (std::is_same_v<L, T>) {
    return *x > y;
  } else {
    return L::load(x) > L(y);
  }
}
template <class Mask>
ARTICULA_INLINE Mask both(const Mask& a, const Mask& b) {
  return a & b;
}
ARTICULA_INLINE bool any(bool a) { return a; }

/// Exchanges blocks of `half` numbers between two registers: a|b, c|d becomes a|c, b|d.
template <int half, class L, std::size_t... j>
ARTICULA_INLINE void exchange(L& upper, L& lower, std::index_sequence<j...>) {
  constexpr int n = L::lanes;
  const auto a = upper.x, b = lower.x;
  upper.x = __builtin_shufflevector(a, b, (j & half ? n + static_cast<int>(j) - half : static_cast<int>(j))...);
  lower.x = __builtin_shufflevector(a, b, (j & half ? n + static_cast<int>(j) : static_cast<int>(j) + half)...);
}

/// Transposes a square block.
template <class L, int half = L::lanes / 2>
ARTICULA_INLINE void transpose(L* x) {
  if constexpr (half > 0) {
#pragma GCC unroll 8
    for (int i = 0; i < L::lanes; ++i) {
      if ((i & half) == 0) exchange<half>(x[i], x[i + half], std::make_index_sequence<L::lanes>());
    }
    transpose<L, half / 2>(x);
  }
}

/// Fills the lower triangle of `to`, n × n, from the upper triangle of Y, whose rows have the stride `stride`.
template <class L, class T>
ARTICULA_INLINE void mirror(std::ptrdiff_t n, const T* Y, std::ptrdiff_t stride, T* to) {
  constexpr int w = width<L, T>;
  for (std::ptrdiff_t i = 0; i < n; i += w) {
    for (std::ptrdiff_t a = i; a < std::min(i + w, n); ++a) {
      for (std::ptrdiff_t b = a + 1; b < std::min(i + w, n); ++b) to[b * n + a] = Y[a * stride + b];
    }
    for (std::ptrdiff_t j = i + w; j < n; j += w) {
      if constexpr (w == 1) {
        to[j * n + i] = Y[i * stride + j];
      } else {
        L rows[w];
        for (int l = 0; l < w; ++l) rows[l] = L::load(Y + (i + l) * stride + j);
        transpose(rows);
        for (int l = 0; l < w && j + l < n; ++l) rows[l].store(to + (j + l) * n + i);
      }
    }
  }
}

/// The numbers of a structure from index `first` on.
///
/// @pre the structure has that many, or another structure follows in the array
template <class L, class S>
ARTICULA_INLINE L part_of(const S& structure, int first) {
  L part;
  std::memcpy(&part.x, reinterpret_cast<const std::byte*>(&structure) + first * static_cast<int>(sizeof part.x[0]),
              sizeof part.x);
  return part;
}
template <class L, class S>
ARTICULA_INLINE void set_part(S& structure, int first, const L& part) {
  std::memcpy(reinterpret_cast<std::byte*>(&structure) + first * static_cast<int>(sizeof part.x[0]), &part.x,
              sizeof part.x);
}

/// Gathers the structures from[at(0)], from[at(1)], … into one structure of packs. With L = T it returns a reference.
///
/// @pre a structure has at least as many numbers as L, or the array has another structure after its last one
template <class L, class T, template <class> class S, class P, class At>
ARTICULA_INLINE decltype(auto) side_by_side(const S<P>* from, At&& at) {
  if constexpr (std::is_same_v<L, T>) {
    return (from[at(0)]);
  } else {
    constexpr int n = sizeof(S<P>) / sizeof(P), w = L::lanes;
    constexpr int length = n < w ? w : n;
    L numbers[length];
#pragma GCC unroll 8
    for (int part = 0; part < n; part += w) {
      const int first = part + w <= length ? part : length - w;  // the last part may overlap the one before
      L rows[w];
#pragma GCC unroll 8
      for (int l = 0; l < w; ++l) rows[l] = part_of<L>(from[at(l)], first);
      transpose(rows);
#pragma GCC unroll 8
      for (int l = 0; l < w; ++l) numbers[first + l] = rows[l];
    }
    S<L> result;
    std::memcpy(&result, numbers, sizeof result);
    return result;
  }
}

/// The same for short vectors: number by number.
template <class L, class T, class P, class At>
ARTICULA_INLINE decltype(auto) vectors_side_by_side(const Vec3<P>* from, At&& at) {
  if constexpr (std::is_same_v<L, T>) {
    return (from[at(0)]);
  } else {
    Vec3<L> result;
#pragma GCC unroll 8
    for (int l = 0; l < L::lanes; ++l) {
      const Vec3<P>& a = from[at(l)];
      result.x.set(l, a.x), result.y.set(l, a.y), result.z.set(l, a.z);
    }
    return result;
  }
}

/// The inverse of `side_by_side`: scatters to to[at(0)], to[at(1)], …
template <template <class> class S, class L, class T, class At>
ARTICULA_INLINE void scatter(const S<L>& packs, S<T>* to, At&& at) {
  if constexpr (std::is_same_v<L, T>) {
    to[at(0)] = packs;
  } else {
    constexpr int n = sizeof(S<T>) / sizeof(T), w = L::lanes;
    static_assert(n >= w);
    L numbers[n];
    std::memcpy(numbers, &packs, sizeof packs);
#pragma GCC unroll 8
    for (int part = 0; part < n; part += w) {
      const int first = part + w <= n ? part : n - w;
      L rows[w];
#pragma GCC unroll 8
      for (int l = 0; l < w; ++l) rows[l] = numbers[first + l];
      transpose(rows);
#pragma GCC unroll 8
      for (int l = 0; l < w; ++l) set_part(to[at(l)], first, rows[l]);
    }
  }
}

}  // namespace articula::dynamics::lanes
