#pragma once

#include <cstddef>
#include <cstring>
#include <type_traits>
#include <utility>

#include <articula/spatial/vec3.h>

namespace articula {

/// Calls f(0), …, f(n − 1), each number known to the compiler.
template <std::size_t n, class F>
ARTICULA_INLINE void unrolled(F&& f) {
  [&]<std::size_t... i>(std::index_sequence<i...>) {
    (f(std::integral_constant<std::size_t, i>{}), ...);
  }(std::make_index_sequence<n>());
}

/// A few neighbours in a row of a matrix, held in registers while other rows are added to them.
template <class T, int n>
struct ColumnBlock {
  T x[n];

  ARTICULA_INLINE static ColumnBlock load(const T* from) {
    ColumnBlock b;
    unrolled<n>([&](auto k) __attribute__((always_inline)) { b.x[k] = from[k]; });
    return b;
  }
  ARTICULA_INLINE void store(T* to) const {
    unrolled<n>([&](auto k) __attribute__((always_inline)) { to[k] = x[k]; });
  }
  ARTICULA_INLINE ColumnBlock& operator*=(const T& a) {
    unrolled<n>([&](auto k) __attribute__((always_inline)) { x[k] *= a; });
    return *this;
  }
  /// x −= a·b
  ARTICULA_INLINE void subtract(const T& a, const T* b) {
    unrolled<n>([&](auto k) __attribute__((always_inline)) { x[k] -= a * b[k]; });
  }
};

/// Of doubles, as many to an instruction as it takes: compilers do not see this in the loops above.
#if defined(__AVX512F__)
inline constexpr int native_doubles = 8;
#elif defined(__AVX__)
inline constexpr int native_doubles = 4;
#else
inline constexpr int native_doubles = 2;
#endif

template <int n>
  requires(n > 1)
struct ColumnBlock<double, n> {
  static constexpr int lanes = n < native_doubles ? n : native_doubles;
  using Lanes [[gnu::vector_size(lanes * sizeof(double))]] = double;

  Lanes part[n / lanes];

  ARTICULA_INLINE static ColumnBlock load(const double* from) {
    ColumnBlock b;
    b.each([&]<std::size_t i>() { b.part[i] = read(from + i * lanes); });
    return b;
  }
  ARTICULA_INLINE void store(double* to) const {
    each([&]<std::size_t i>() { std::memcpy(to + i * lanes, &part[i], sizeof(Lanes)); });
  }
  ARTICULA_INLINE ColumnBlock& operator*=(double a) {
    each([&]<std::size_t i>() { part[i] *= a; });
    return *this;
  }
  ARTICULA_INLINE void subtract(double a, const double* b) {
    each([&]<std::size_t i>() { part[i] -= a * read(b + i * lanes); });
  }

 private:
  ARTICULA_INLINE static Lanes read(const double* from) {
    Lanes x;
    std::memcpy(&x, from, sizeof x);
    return x;
  }
  template <class F>
  ARTICULA_INLINE static void each(F&& f) {
    [&]<std::size_t... i>(std::index_sequence<i...>) {
      (f.template operator()<i>(), ...);
    }(std::make_index_sequence<n / lanes>());
  }
};

/// How many columns are taken at once: of doubles eight, which are few instructions; of anything larger four.
template <class T>
inline constexpr int widest_block = std::is_same_v<T, double> ? 8 : 4;

/// Calls f(width, b, column) for each block b of a row of n columns: as wide as `widest` while there is room, then what
/// is left in four, two and one. (Blocks that overlap would make the processor wait for its own writes.)
template <int widest, class F>
ARTICULA_INLINE void each_block(int n, F&& f) {
  int b = 0, column = 0;
  const auto one = [&](auto width) {
    f(width, b, column);
    ++b, column += width;
  };
  while (n - column >= widest) one(std::integral_constant<int, widest>{});
  if constexpr (widest > 4) {
    if (n - column >= 4) one(std::integral_constant<int, 4>{});
  }
  if (n - column >= 2) one(std::integral_constant<int, 2>{});
  if (n - column >= 1) one(std::integral_constant<int, 1>{});
}

}  // namespace articula
