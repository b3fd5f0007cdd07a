#include <articula/scalar/sincos.h>

#include <cmath>
#include <cstdint>
#include <cstring>

namespace articula {
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

/// Angles up to here have quadrants below 2²⁰, with room to spare.
constexpr double largest_angle = 1e5;

struct SinCos {
  Reals s, c;
};

/// x = k·π/2 + y, |y| ≤ π/4, y = y0 + y1 in double-double; then the polynomials of Taylor's form with the minimax
/// coefficients of fdlibm's __kernel_sin and __kernel_cos on [−π/4, π/4], and the quadrant's swap and signs.
inline SinCos reduced(const Reals& x) {
  constexpr double round = 0x1.8p52;  // adding it leaves the nearest integer in the low bits
  const Reals shifted = x * 0x1.45f306dc9c883p-1 + round;
  const Reals k = shifted - round;
  const Words quadrant = reinterpret_cast<Words>(shifted);
  const Reals r = x - k * half_pi_1;
  const Reals r2 = r - k * half_pi_2;
  const Reals rest = k * half_pi_3 - ((r - r2) - k * half_pi_2);
  const Reals y0 = r2 - rest, y1 = (r2 - y0) - rest;

  const Reals z = y0 * y0;
  const Reals p = 8.33333333332248946124e-03 +
                  z * (-1.98412698298579493134e-04 +
                       z * (2.75573137070700676789e-06 + z * (-2.50507602534068634195e-08 + z * 1.58969099521155010221e-10)));
  const Reals zy = z * y0;
  const Reals sine = y0 - ((z * (0.5 * y1 - zy * p) - y1) - zy * -1.66666666666666324348e-01);
  const Reals q = z * (4.16666666666666019037e-02 +
                       z * (-1.38888888888741095749e-03 +
                            z * (2.48015872894767294178e-05 +
                                 z * (-2.75573143513906633035e-07 + z * (2.08757232129817482790e-09 + z * -1.13596475577881948265e-11)))));
  const Reals half = 0.5 * z, w = 1.0 - half;
  const Reals cosine = w + (((1.0 - w) - half) + (z * q - y0 * y1));

  const Words swap = -(quadrant & 1);
  const Words sine_sign = (quadrant & 2) << 62, cosine_sign = ((quadrant + 1) & 2) << 62;
  const Words a = (reinterpret_cast<Words>(cosine) & swap) | (reinterpret_cast<Words>(sine) & ~swap), b = (reinterpret_cast<Words>(sine) & swap) | (reinterpret_cast<Words>(cosine) & ~swap);
  return {reinterpret_cast<Reals>(a ^ sine_sign), reinterpret_cast<Reals>(b ^ cosine_sign)};
}

bool any_large(const Reals& x) {
  const Words good = reinterpret_cast<Words>(x <= largest_angle) & reinterpret_cast<Words>(x >= -largest_angle);
  std::int64_t all = -1;
  for (int k = 0; k < lanes; ++k) all &= good[k];
  return all == 0;
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

}  // namespace articula
