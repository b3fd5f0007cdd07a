#pragma once

#include <array>
#include <cstddef>
#include <type_traits>
#include <utility>

#include <articula/dynamics/lanes/side_by_side.h>
#include <articula/mechanism/mechanism.h>

/// Blocks of neighbouring matrix columns that fit into registers.
namespace articula::dynamics::lanes {

/// Calls f(0), f(1), … f(n − 1) with integral constants, so that what f indexes can stay in registers.
template <int n, class F>
ARTICULA_INLINE void each_constant(F&& f) {
  [&]<int... i>(std::integer_sequence<int, i...>)
      ARTICULA_INLINED { (f(std::integral_constant<int, i>{}), ...); }(std::make_integer_sequence<int, n>());
}

/// n neighbouring numbers T in a row of a matrix, in registers L while other rows are added to them.
template <class L, class T, int n>
struct ColumnBlock {
  static constexpr int packs = n / width<L, T>;
  L x[packs];

  ARTICULA_INLINE static ColumnBlock load(const T* from) {
    ColumnBlock b;
    each_constant<packs>([&](auto i) ARTICULA_INLINED { b.x[i] = lanes::load<L>(from + i * width<L, T>); });
    return b;
  }
  ARTICULA_INLINE static ColumnBlock zero() {
    ColumnBlock b;
    each_constant<packs>([&](auto i) ARTICULA_INLINED { b.x[i] = L(0.0); });
    return b;
  }
  ARTICULA_INLINE void store(T* to) const {
    each_constant<packs>([&](auto i) ARTICULA_INLINED { lanes::store(x[i], to + i * width<L, T>); });
  }
  ARTICULA_INLINE ColumnBlock& operator*=(const T& a) {
    const L factor(a);
    each_constant<packs>([&](auto i) ARTICULA_INLINED { x[i] *= factor; });
    return *this;
  }
  /// x −= a·b
  ARTICULA_INLINE void subtract(const T& a, const T* b) {
    const L factor(a);
    each_constant<packs>([&](auto i) ARTICULA_INLINED { x[i] -= factor * lanes::load<L>(b + i * width<L, T>); });
  }
  /// x += a·b
  ARTICULA_INLINE void add(const T& a, const T* b) { add(a, load(b)); }
  /// x[0] += a[0]·b, x[1] += a[1]·b, …
  template <std::size_t rows>
  ARTICULA_INLINE static void add(std::array<ColumnBlock, rows>& x, const std::array<L, rows>& a, const T* b) {
    each_constant<packs>([&](auto i) ARTICULA_INLINED {
      const L b_i = lanes::load<L>(b + i * width<L, T>);
      each_constant<static_cast<int>(rows)>([&](auto r) ARTICULA_INLINED { x[r].x[i] += a[r] * b_i; });
    });
  }
  /// x += a·b
  ARTICULA_INLINE void add(const T& a, const ColumnBlock& b) {
    const L factor(a);
    each_constant<packs>([&](auto i) ARTICULA_INLINED { x[i] += factor * b.x[i]; });
  }
  /// to −= a·b
  ARTICULA_INLINE static void subtract_from(T* to, const T& a, const ColumnBlock& b) {
    const L factor(a);
    each_constant<packs>([&](auto i) ARTICULA_INLINED {
      T* const part = to + i * width<L, T>;
      lanes::store(lanes::load<L>(part) - factor * b.x[i], part);
    });
  }
};

/// Rows of doubles are padded to whole blocks of eight; rows of other numbers are not padded.
template <class T>
inline constexpr int block_size = std::is_same_v<T, double> ? 8 : 1;

/// Number of columns that are processed at once. Three matrices are in registers: 3 × 24 doubles with AVX-512, which
/// has 32 registers; 3 × 16 with AVX2 and 3 × 8 otherwise, which have 16.
template <class L, class T>
inline constexpr int widest_block = width<L, T> == 8   ? 24
                                    : width<L, T> == 4 ? 16
                                                       : 8;

/// Calls f(n) with n as a constant. @pre 1 ≤ n ≤ most
template <int most, class F>
ARTICULA_INLINE void with_constant(int n, F&& f) {
  if constexpr (most > 1) {
    if (n < most) return with_constant<most - 1>(n, f);
  }
  f(std::integral_constant<int, most>{});
}

/// Calls f(width, column) for blocks of `range`, whose length is a multiple of `narrowest`: blocks of width `widest` as
/// long as they fit, then one for the rest. (Overlapping blocks would make the processor wait for its own stores.)
template <int widest, int narrowest, class F>
ARTICULA_INLINE void each_block(const Range& range, F&& f) {
  int column = range.first;
  const int end = range.first + range.count;
  for (; end - column >= widest; column += widest) f(std::integral_constant<int, widest>{}, column);
  if constexpr (widest > narrowest) {
    if (column == end) return;
    with_constant<widest / narrowest - 1>((end - column) / narrowest, [&](auto n) ARTICULA_INLINED {
      f(std::integral_constant<int, n * narrowest>{}, column);
    });
  }
}

}  // namespace articula::dynamics::lanes
