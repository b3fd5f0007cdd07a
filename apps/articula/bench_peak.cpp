/// The peak performance of one core: fused multiply-adds in its widest packs, in independent chains.

#include <algorithm>
#include <array>
#include <chrono>

#include <articula/scalar/instruction_set.h>

#include "bench.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace articula::program {
namespace {

/// Two instructions start in every cycle and take four or five cycles: ten chains keep both units busy. All fit into
/// registers.
constexpr int chains = 12;

/// Different for each chain, so that the compiler cannot merge chains; all stay near 1.
struct Numbers {
  double factor = 0.999, more = 0.001;
  std::array<double, chains> start;
};

#if defined(__x86_64__)

// Upper halves of registers that are in use slow what comes after them down; at -O1 the compiler does not clear them.

[[gnu::noinline, gnu::target("avx512f")]] double run_avx512(const Numbers& x, long rounds) {
  const __m512d f = _mm512_set1_pd(x.factor), m = _mm512_set1_pd(x.more);
  const auto* s = x.start.data();
  __m512d a = _mm512_set1_pd(s[0]), b = _mm512_set1_pd(s[1]), c = _mm512_set1_pd(s[2]), d = _mm512_set1_pd(s[3]),
          e = _mm512_set1_pd(s[4]), g = _mm512_set1_pd(s[5]), h = _mm512_set1_pd(s[6]), i = _mm512_set1_pd(s[7]),
          j = _mm512_set1_pd(s[8]), k = _mm512_set1_pd(s[9]), l = _mm512_set1_pd(s[10]), n = _mm512_set1_pd(s[11]);
  for (long r = 0; r < rounds; ++r) {
    a = _mm512_fmadd_pd(a, f, m), b = _mm512_fmadd_pd(b, f, m), c = _mm512_fmadd_pd(c, f, m);
    d = _mm512_fmadd_pd(d, f, m), e = _mm512_fmadd_pd(e, f, m), g = _mm512_fmadd_pd(g, f, m);
    h = _mm512_fmadd_pd(h, f, m), i = _mm512_fmadd_pd(i, f, m), j = _mm512_fmadd_pd(j, f, m);
    k = _mm512_fmadd_pd(k, f, m), l = _mm512_fmadd_pd(l, f, m), n = _mm512_fmadd_pd(n, f, m);
  }
  const double sum = (((a + b) + (c + d)) + ((e + g) + (h + i)) + ((j + k) + (l + n)))[0];
  _mm256_zeroupper();
  return sum;
}

[[gnu::noinline, gnu::target("avx2,fma")]] double run_avx2(const Numbers& x, long rounds) {
  const __m256d f = _mm256_set1_pd(x.factor), m = _mm256_set1_pd(x.more);
  const auto* s = x.start.data();
  __m256d a = _mm256_set1_pd(s[0]), b = _mm256_set1_pd(s[1]), c = _mm256_set1_pd(s[2]), d = _mm256_set1_pd(s[3]),
          e = _mm256_set1_pd(s[4]), g = _mm256_set1_pd(s[5]), h = _mm256_set1_pd(s[6]), i = _mm256_set1_pd(s[7]),
          j = _mm256_set1_pd(s[8]), k = _mm256_set1_pd(s[9]), l = _mm256_set1_pd(s[10]), n = _mm256_set1_pd(s[11]);
  for (long r = 0; r < rounds; ++r) {
    a = _mm256_fmadd_pd(a, f, m), b = _mm256_fmadd_pd(b, f, m), c = _mm256_fmadd_pd(c, f, m);
    d = _mm256_fmadd_pd(d, f, m), e = _mm256_fmadd_pd(e, f, m), g = _mm256_fmadd_pd(g, f, m);
    h = _mm256_fmadd_pd(h, f, m), i = _mm256_fmadd_pd(i, f, m), j = _mm256_fmadd_pd(j, f, m);
    k = _mm256_fmadd_pd(k, f, m), l = _mm256_fmadd_pd(l, f, m), n = _mm256_fmadd_pd(n, f, m);
  }
  const double sum = (((a + b) + (c + d)) + ((e + g) + (h + i)) + ((j + k) + (l + n)))[0];
  _mm256_zeroupper();
  return sum;
}

#endif

/// Separate multiplications and additions, which every processor of the family has.
[[gnu::noinline]] double run_baseline(const Numbers& x, long rounds) {
  using Pair [[gnu::vector_size(16)]] = double;
  const Pair f = {x.factor, x.factor}, m = {x.more, x.more};
  const auto pair = [&](std::size_t k) { return Pair{x.start[k], x.start[k]}; };
  Pair a = pair(0), b = pair(1), c = pair(2), d = pair(3), e = pair(4), g = pair(5), h = pair(6), i = pair(7),
       j = pair(8), k = pair(9), l = pair(10), n = pair(11);
  for (long r = 0; r < rounds; ++r) {
    a = a * f + m, b = b * f + m, c = c * f + m, d = d * f + m, e = e * f + m, g = g * f + m;
    h = h * f + m, i = i * f + m, j = j * f + m, k = k * f + m, l = l * f + m, n = n * f + m;
  }
  const Pair sum = ((a + b) + (c + d)) + ((e + g) + (h + i)) + ((j + k) + (l + n));
  return sum[0];
}

double run(InstructionSet set, const Numbers& x, long rounds) {
#if defined(__x86_64__)
  if (set == InstructionSet::avx512) return run_avx512(x, rounds);
  if (set == InstructionSet::avx2) return run_avx2(x, rounds);
#endif
  static_cast<void>(set);
  return run_baseline(x, rounds);
}

}  // namespace

double measured_peak(double seconds) {
  using Clock = std::chrono::steady_clock;
  constexpr long rounds = 20'000;
  const InstructionSet set = best_instruction_set();
  Numbers x;
  for (std::size_t k = 0; k < chains; ++k) x.start[k] = 1 + 0.01 * static_cast<double>(k);
  const double operations = 2.0 * chains * lanes_of<double>(set) * static_cast<double>(rounds);
  double best = 0;
  volatile double result = 0;
  const Clock::time_point end =
      Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  do {
    const Clock::time_point begin = Clock::now();
    result = run(set, x, rounds);
    const double ns = std::chrono::duration<double, std::nano>(Clock::now() - begin).count();
    best = std::max(best, operations / std::max(ns, 1.0));
  } while (Clock::now() < end);
  static_cast<void>(result);
  return best;
}

}  // namespace articula::program
