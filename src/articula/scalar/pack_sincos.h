#pragma once

#include <iterator>

#include <articula/scalar/pack.h>

namespace articula::scalar {
inline namespace ARTICULA_ISA {

/// The numbers behind sine and cosine: π/2 in pieces whose products with a quadrant below 2¹³ (float) or 2²⁰ (double)
/// are exact, and the coefficients of minimax polynomials on [−π/4, π/4]:
///
///     sin y = y + y·z·s(z),   cos y = 1 − z/2 + z²·c(z),   z = y²
template <class S>
struct SinCosNumbers;

template <>
struct SinCosNumbers<double> {
  static constexpr double round = 0x1.8p52;  ///< adding it leaves the nearest integer in the low bits
  static constexpr double half_pi[] = {0x1.921fb544p+0, 0x1.0b4611a6p-34, 0x1.3198a2e037073p-69};
  static constexpr double s[] = {-1.66666666666666324348e-01, 8.33333333332248946124e-03,  -1.98412698298579493134e-04,
                                 2.75573137070700676789e-06,  -2.50507602534068634195e-08, 1.58969099521155010221e-10};
  static constexpr double c[] = {4.16666666666666019037e-02,  -1.38888888888741095749e-03, 2.48015872894767294178e-05,
                                 -2.75573143513906633035e-07, 2.08757232129817482790e-09,  -1.13596475577881948265e-11};
  static constexpr double largest = 1e5;
};

template <>
struct SinCosNumbers<float> {
  static constexpr float round = 0x1.8p23f;
  static constexpr float half_pi[] = {0x1.92p+0f, 0x1.fb4p-12f, 0x1.444p-24f, 0x1.68cp-39f, 0x1.1a6264p-54f};
  static constexpr float s[] = {-1.6666654611e-1f, 8.3321608736e-3f, -1.9515295891e-4f};
  static constexpr float c[] = {4.166664568298827e-2f, -1.388731625493765e-3f, 2.443315711809948e-5f};
  static constexpr float largest = 1e4f;
};

/// a[0] + z·(a[1] + z·(…)).
template <std::size_t k = 0, class T, class S, std::size_t count>
[[gnu::always_inline]] inline T polynomial(const T& z, const S (&a)[count]) {
  if constexpr (k + 1 == count) {
    return T(a[k]);
  } else {
    return T(a[k]) + z * polynomial<k + 1>(z, a);
  }
}

/// Sine and cosine of angles up to `largest`: x = k·π/2 + y, then the polynomials of y, and the quadrant's swap and signs.
template <class S, int n>
[[gnu::always_inline]] inline void reduced_sincos(const Pack<S, n>& x, Pack<S, n>& sine, Pack<S, n>& cosine) {
  using T = Pack<S, n>;
  using Words = typename T::Words;
  using Word = typename T::Word;
  using Numbers = SinCosNumbers<S>;
  constexpr S two_over_pi = static_cast<S>(0x1.45f306dc9c883p-1);
  constexpr int sign_shift = 8 * static_cast<int>(sizeof(S)) - 2;

  const T shifted = x * T(two_over_pi) + T(Numbers::round), k = shifted - T(Numbers::round);
  const Words quadrant = reinterpret_cast<Words>(shifted.x);
  T y = x - k * T(Numbers::half_pi[0]), rest(S(0));  // exact; then what rounding takes from y
  for (std::size_t i = 1; i < std::size(Numbers::half_pi); ++i) {
    const T before = y, piece(Numbers::half_pi[i]);
    y -= k * piece;
    rest += (before - y) - k * piece;
  }

  const T z = y * y;
  const T half = T(S(0.5)) * z, w = T(S(1)) - half;
  const T s = y + ((z * y) * polynomial(z, Numbers::s) + w * rest);
  const T c = w + (((T(S(1)) - w) - half) + ((z * z) * polynomial(z, Numbers::c) - y * rest));

  const Words swap = -(quadrant & Word(1));
  const Words sine_sign = (quadrant & Word(2)) << sign_shift, cosine_sign = ((quadrant + Word(1)) & Word(2))
                                                                            << sign_shift;
  const Words s_bits = reinterpret_cast<Words>(s.x), c_bits = reinterpret_cast<Words>(c.x),
              both = (s_bits ^ c_bits) & swap;
  sine.x = reinterpret_cast<typename T::Lanes>((s_bits ^ both) ^ sine_sign);
  cosine.x = reinterpret_cast<typename T::Lanes>((c_bits ^ both) ^ cosine_sign);
}

/// Lane by lane by the C library: for angles that are large or not finite.
template <class S, int n>
[[gnu::noinline]] void slow_sincos(const Pack<S, n>& x, Pack<S, n>& sine, Pack<S, n>& cosine) {
  Pack<S, n> s, c;
  for (int k = 0; k < n; ++k) s.set(k, std::sin(x[k])), c.set(k, std::cos(x[k]));
  sine = s, cosine = c;
}

/// Sine and cosine of every lane, to within 2 units in the last place for |x| ≤ 10⁴.
template <class S, int n>
[[gnu::always_inline]] inline void sincos(const Pack<S, n>& x, Pack<S, n>& sine, Pack<S, n>& cosine) {
  if (all(abs(x) <= Pack<S, n>(SinCosNumbers<S>::largest))) [[likely]] {
    reduced_sincos(x, sine, cosine);
  } else {
    slow_sincos(x, sine, cosine);
  }
}

template <class S, int n>
Pack<S, n> sin(const Pack<S, n>& x) {
  Pack<S, n> s, c;
  sincos(x, s, c);
  return s;
}
template <class S, int n>
Pack<S, n> cos(const Pack<S, n>& x) {
  Pack<S, n> s, c;
  sincos(x, s, c);
  return c;
}

}  // namespace ARTICULA_ISA
}  // namespace articula::scalar
