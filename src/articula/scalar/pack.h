#pragma once

#include <cmath>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

/// Each instruction set's packs are types of their own, so that no function that was compiled for one is ever merged
/// with the same function compiled for another. Which one a file gets, its compiler flags say.
#if defined(__AVX512F__) && defined(__AVX512DQ__)
#define ARTICULA_ISA avx512
#define ARTICULA_ISA_BYTES 64
#elif defined(__AVX2__) && defined(__FMA__)
#define ARTICULA_ISA avx2
#define ARTICULA_ISA_BYTES 32
#else
#define ARTICULA_ISA baseline
#define ARTICULA_ISA_BYTES 16
#endif

namespace articula::scalar {
inline namespace ARTICULA_ISA {

/// As many numbers of type S as one instruction takes.
template <class S>
inline constexpr int native_lanes = ARTICULA_ISA_BYTES / static_cast<int>(sizeof(S));

/// Several numbers that behave like one: each lane is a state, or a set of parameters. An algorithm that runs with
/// packs computes all lanes together, by the same operations in the same order as for one.
///
/// A comparison returns a mask, and `select` replaces a branch.
template <class S, int n = native_lanes<S>>
struct Pack {
  static_assert(std::is_floating_point_v<S> && n > 0 && (n & (n - 1)) == 0);

  using Scalar = S;
  using Word = std::conditional_t<sizeof(S) == 8, std::int64_t, std::int32_t>;
  typedef S Lanes __attribute__((vector_size(n * sizeof(S))));
  typedef Word Words __attribute__((vector_size(n * sizeof(S))));
  static constexpr int lanes = n;

  /// Which lanes: all bits or none.
  struct Mask {
    Words w;

    [[gnu::always_inline]] friend Mask operator&(const Mask& a, const Mask& b) { return {a.w & b.w}; }
    [[gnu::always_inline]] friend Mask operator|(const Mask& a, const Mask& b) { return {a.w | b.w}; }
    [[gnu::always_inline]] friend Mask operator!(const Mask& a) { return {~a.w}; }
    bool operator[](int k) const { return w[k] != 0; }
  };

  Lanes x;

  Pack() = default;
  [[gnu::always_inline]] Pack(const Lanes& value) : x(value) {}  // NOLINT
  [[gnu::always_inline]] Pack(S value) : x(value - Lanes{}) {}   // NOLINT: a constant, in every lane
  template <class A>
    requires(std::is_arithmetic_v<A> && !std::is_same_v<A, S>)
  [[gnu::always_inline]] explicit Pack(A value) : Pack(static_cast<S>(value)) {}

  /// Loads n contiguous numbers.
  [[gnu::always_inline]] static Pack load(const S* from) {
    Pack a;
    std::memcpy(&a.x, from, sizeof a.x);
    return a;
  }
  [[gnu::always_inline]] void store(S* to) const { std::memcpy(to, &x, sizeof x); }

  S operator[](int k) const { return x[k]; }
  void set(int k, S value) { x[k] = value; }

  [[gnu::always_inline]] Pack& operator+=(const Pack& b) { return x += b.x, *this; }
  [[gnu::always_inline]] Pack& operator-=(const Pack& b) { return x -= b.x, *this; }
  [[gnu::always_inline]] Pack& operator*=(const Pack& b) { return x *= b.x, *this; }
  [[gnu::always_inline]] Pack& operator/=(const Pack& b) { return x /= b.x, *this; }

  [[gnu::always_inline]] friend Pack operator+(const Pack& a) { return a; }
  [[gnu::always_inline]] friend Pack operator-(const Pack& a) { return Pack(-a.x); }
  [[gnu::always_inline]] friend Pack operator+(const Pack& a, const Pack& b) { return Pack(a.x + b.x); }
  [[gnu::always_inline]] friend Pack operator-(const Pack& a, const Pack& b) { return Pack(a.x - b.x); }
  [[gnu::always_inline]] friend Pack operator*(const Pack& a, const Pack& b) { return Pack(a.x * b.x); }
  [[gnu::always_inline]] friend Pack operator/(const Pack& a, const Pack& b) { return Pack(a.x / b.x); }

  [[gnu::always_inline]] friend Mask operator==(const Pack& a, const Pack& b) { return {a.x == b.x}; }
  [[gnu::always_inline]] friend Mask operator!=(const Pack& a, const Pack& b) { return {a.x != b.x}; }
  [[gnu::always_inline]] friend Mask operator<(const Pack& a, const Pack& b) { return {a.x < b.x}; }
  [[gnu::always_inline]] friend Mask operator>(const Pack& a, const Pack& b) { return {a.x > b.x}; }
  [[gnu::always_inline]] friend Mask operator<=(const Pack& a, const Pack& b) { return {a.x <= b.x}; }
  [[gnu::always_inline]] friend Mask operator>=(const Pack& a, const Pack& b) { return {a.x >= b.x}; }

  /// Lane by lane, a where the mask is set and b elsewhere.
  [[gnu::always_inline]] friend Pack select(const Mask& mask, const Pack& a, const Pack& b) {
    return Pack(mask.w ? a.x : b.x);
  }
  [[gnu::always_inline]] friend bool any(const Mask& mask) {
#if defined(__x86_64__)
    if constexpr (sizeof(Words) == 16) return _mm_movemask_epi8(reinterpret_cast<__m128i>(mask.w)) != 0;
#if defined(__AVX2__)
    if constexpr (sizeof(Words) == 32) return _mm256_movemask_epi8(reinterpret_cast<__m256i>(mask.w)) != 0;
#endif
#if defined(__AVX512F__) && defined(__AVX512DQ__)
    if constexpr (sizeof(Words) == 64) return _mm512_movepi32_mask(reinterpret_cast<__m512i>(mask.w)) != 0;
#endif
#endif
    Word found = 0;
    for (int k = 0; k < n; ++k) found |= mask.w[k];
    return found != 0;
  }
  friend bool all(const Mask& mask) { return !any(!mask); }

  [[gnu::always_inline]] friend Pack abs(const Pack& a) {
    constexpr Word magnitude = std::numeric_limits<Word>::max();
    return Pack(reinterpret_cast<Lanes>(reinterpret_cast<Words>(a.x) & magnitude));
  }
  [[gnu::always_inline]] friend Pack min(const Pack& a, const Pack& b) { return select(b < a, b, a); }
  [[gnu::always_inline]] friend Pack max(const Pack& a, const Pack& b) { return select(a < b, b, a); }

  friend Pack sqrt(const Pack& a) {
    return a.each([](S v) { return std::sqrt(v); });
  }
  // Operations that are rarely needed are computed lane by lane.
  friend Pack tan(const Pack& a) {
    return a.each([](S v) { return std::tan(v); });
  }
  friend Pack asin(const Pack& a) {
    return a.each([](S v) { return std::asin(v); });
  }
  friend Pack acos(const Pack& a) {
    return a.each([](S v) { return std::acos(v); });
  }
  friend Pack atan(const Pack& a) {
    return a.each([](S v) { return std::atan(v); });
  }
  friend Pack exp(const Pack& a) {
    return a.each([](S v) { return std::exp(v); });
  }
  friend Pack log(const Pack& a) {
    return a.each([](S v) { return std::log(v); });
  }
  friend Pack atan2(const Pack& y, const Pack& x) {
    Pack r;
    for (int k = 0; k < n; ++k) r.x[k] = std::atan2(y.x[k], x.x[k]);
    return r;
  }

 private:
  template <class F>
  [[gnu::always_inline]] Pack each(F&& f) const {
    S v[n];
    store(v);
    for (int k = 0; k < n; ++k) v[k] = f(v[k]);
    return load(v);
  }
};

}  // namespace ARTICULA_ISA
}  // namespace articula::scalar

#include <articula/scalar/pack_sincos.h>
