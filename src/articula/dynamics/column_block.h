#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#include <articula/dynamics/side_by_side.h>
#include <articula/mechanism/mechanism.h>

namespace articula {

/// n neighbours in a row of a matrix of numbers T, held in registers L while other rows are added to them.
template <class L, class T, int n>
struct ColumnBlock {
  static constexpr int packs = n / width<L, T>;
  L x[packs];

  ARTICULA_INLINE static ColumnBlock load(const T* from) {
    ColumnBlock b;
    b.each([&](auto i) __attribute__((always_inline)) { b.x[i] = articula::load<L>(from + i * width<L, T>); });
    return b;
  }
  ARTICULA_INLINE void store(T* to) const {
    each([&](auto i) __attribute__((always_inline)) { articula::store(x[i], to + i * width<L, T>); });
  }
  ARTICULA_INLINE ColumnBlock& operator*=(const T& a) {
    const L factor(a);
    each([&](auto i) __attribute__((always_inline)) { x[i] *= factor; });
    return *this;
  }
  /// x −= a·b
  ARTICULA_INLINE void subtract(const T& a, const T* b) {
    const L factor(a);
    each([&](auto i) __attribute__((always_inline)) { x[i] -= factor * articula::load<L>(b + i * width<L, T>); });
  }
  /// to −= a·b
  ARTICULA_INLINE static void subtract_from(T* to, const T& a, const ColumnBlock& b) {
    const L factor(a);
    each([&](auto i) __attribute__((always_inline)) {
      T* const part = to + i * width<L, T>;
      articula::store(articula::load<L>(part) - factor * b.x[i], part);
    });
  }

 private:
  template <class F>
  ARTICULA_INLINE static void each(F&& f) {
    [&]<std::size_t... i>(std::index_sequence<i...>) __attribute__((always_inline)) {
      (f(std::integral_constant<int, static_cast<int>(i)>{}), ...);
    }
    (std::make_index_sequence<packs>());
  }
};

/// Rows of doubles have whole blocks of eight, rows of anything else are as long as they are.
template <class T>
inline constexpr int block_size = std::is_same_v<T, double> ? 8 : 1;

/// How many columns are taken at once. Three matrices are held in registers: of doubles 3 × 24 with AVX-512, which has 32
/// registers, 3 × 16 with AVX2 and 3 × 8 otherwise, which have 16; of anything larger 3 × 4.
template <class L, class T>
inline constexpr int widest_block = width<L, T> == 8   ? 24
                                    : width<L, T> == 4 ? 16
                                    : width<L, T> == 2 ? 8
                                                       : 4;

/// Calls f(width, column) for blocks of `range`: as wide as `widest` while there is room, then narrower ones. (Blocks that
/// overlap would make the processor wait for its own writes.)
template <int widest, int narrowest, class F>
ARTICULA_INLINE void each_block(const Range& range, F&& f) {
  int column = range.first;
  const int end = range.first + range.count;
  for (; end - column >= widest; column += widest) f(std::integral_constant<int, widest>{}, column);
  if constexpr (widest == 24) {
    if (end - column >= 16) f(std::integral_constant<int, 16>{}, column), column += 16;
  }
  if constexpr (widest > 8 && narrowest <= 8) {
    if (end - column >= 8) f(std::integral_constant<int, 8>{}, column), column += 8;
  }
  if constexpr (narrowest < 8) {
    if (end - column >= 2) f(std::integral_constant<int, 2>{}, column), column += 2;
    if (end - column >= 1) f(std::integral_constant<int, 1>{}, column);
  }
}

}  // namespace articula
