#include <articula/scalar/sincos.h>

#include <cmath>
#include <cstdint>
#include <cstring>

namespace articula::scalar {
namespace {

/// As many as an instruction takes: wider vectors would go through memory.
#if defined(__AVX512F__)
constexpr int lanes = 8;
#elif defined(__AVX__)
constexpr int lanes = 4;
#else
constexpr int lanes = 2;
#endif
using Reals = double __attribute__((vector_size(lanes * sizeof(double))));
using Words = std::int64_t __attribute__((vector_size(lanes * sizeof(double))));

/// π/2 in three pieces; the first two have 33 bits, so that their products with a quadrant below 2²⁰ are exact.
constexpr double half_pi_1 = 0x1.921fb544p+0, half_pi_2 = 0x1.0b4611a6p-34, half_pi_3 = 0x1.3198a2e037073p-69;

/// Angles up to here have quadrants below 2²⁰.
constexpr double largest_angle = 1e5;

struct SinCos {
  Reals s, c;
};

/// x = k·π/2 + y, |y| ≤ π/4; then the polynomials of Taylor's form with the minimax coefficients of fdlibm's
/// __kernel_sin and __kernel_cos on [−π/4, π/4], and the quadrant's swap and signs. Off by 1.3 units in the last place
/// at most for angles below 100, by 2.2 for larger ones (tests/scalar).
inline SinCos reduced(const Reals& x) {
  constexpr double round = 0x1.8p52;  // adding it leaves the nearest integer in the low bits
  const Reals shifted = x * 0x1.45f306dc9c883p-1 + round;
  const Reals k = shifted - round;
  const Words quadrant = reinterpret_cast<Words>(shifted);
  const Reals y = ((x - k * half_pi_1) - k * half_pi_2) - k * half_pi_3;

  const Reals z = y * y;
  const Reals p =
      8.33333333332248946124e-03 +
      z * (-1.98412698298579493134e-04 +
           z * (2.75573137070700676789e-06 + z * (-2.50507602534068634195e-08 + z * 1.58969099521155010221e-10)));
  const Reals sine = y + (z * y) * (-1.66666666666666324348e-01 + z * p);
  const Reals q =
      4.16666666666666019037e-02 +
      z * (-1.38888888888741095749e-03 +
           z * (2.48015872894767294178e-05 + z * (-2.75573143513906633035e-07 +
                                                  z * (2.08757232129817482790e-09 + z * -1.13596475577881948265e-11))));
  const Reals half = 0.5 * z, w = 1.0 - half;
  const Reals cosine = w + (((1.0 - w) - half) + (z * z) * q);

  const Words swap = -(quadrant & 1);
  const Words sine_sign = (quadrant & 2) << 62, cosine_sign = ((quadrant + 1) & 2) << 62;
  const Words S = reinterpret_cast<Words>(sine), C = reinterpret_cast<Words>(cosine), both = (S ^ C) & swap;
  return {reinterpret_cast<Reals>((S ^ both) ^ sine_sign), reinterpret_cast<Reals>((C ^ both) ^ cosine_sign)};
}

/// Whether an angle is too large for `reduced`, or is not a number: by the sum of their squares, which is quick.
bool any_large(const Reals& x) {
  double sum[lanes];
  const Reals squares = x * x;
  std::memcpy(sum, &squares, sizeof sum);
  for (int half = lanes / 2; half > 0; half /= 2) {
    for (int k = 0; k < half; ++k) sum[k] += sum[k + half];
  }
  return !(sum[0] <= largest_angle * largest_angle);
}

/// One angle in each lane; the arrays are written whole.
inline void sincos_block(const Reals& angles, double* s, double* c) {
  if (any_large(angles)) {
    for (int k = 0; k < lanes; ++k) s[k] = std::sin(angles[k]), c[k] = std::cos(angles[k]);
    return;
  }
  const SinCos result = reduced(angles);
  std::memcpy(s, &result.s, sizeof angles);
  std::memcpy(c, &result.c, sizeof angles);
}

Reals read(const double* x) {
  Reals angles;
  std::memcpy(&angles, x, sizeof angles);
  return angles;
}

}  // namespace

void sincos(const double* x, const int* which, double* s, double* c, int n) {
  for (int i = 0; i < n; i += lanes) {
    // Gathered in registers: to read a block whole just after writing it one by one would make the processor wait.
    Reals angles;
    for (int k = 0; k < lanes; ++k) angles[k] = x[which[i + k]];
    sincos_block(angles, s + i, c + i);
  }
}

void sincos(const double* x, double* s, double* c, int n) {
  int i = 0;
  for (; i + lanes <= n; i += lanes) sincos_block(read(x + i), s + i, c + i);
  if (i == n) return;
  double rest[lanes] = {}, rest_s[lanes], rest_c[lanes];
  for (int k = 0; i + k < n; ++k) rest[k] = x[i + k];
  sincos_block(read(rest), rest_s, rest_c);
  for (int k = 0; i + k < n; ++k) s[i + k] = rest_s[k], c[i + k] = rest_c[k];
}

}  // namespace articula::scalar
