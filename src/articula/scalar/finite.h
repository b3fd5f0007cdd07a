#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>

#include <articula/base/modules.h>

namespace articula::scalar {

/// Whether all numbers are finite. Their sum tells: it is finite, unless one of them is not, or the sum overflows; then each
/// number is examined. Partial sums of neighbours are added in SIMD lanes.
template <class S>
bool all_finite(const S* x, std::size_t count) {
  constexpr std::size_t at_once = 16;
  S total(0);
  std::size_t i = 0;
  if (count >= 4 * at_once) {
    S sum[at_once] = {};
    for (; i + at_once <= count; i += at_once) {
      for (std::size_t k = 0; k < at_once; ++k) sum[k] += x[i + k];
    }
    for (const S& each : sum) total += each;
  }
  for (; i < count; ++i) total += x[i];
  return std::isfinite(total) || std::all_of(x, x + count, [](S each) { return std::isfinite(each); });
}
inline bool all_finite(std::span<const double> x) { return all_finite(x.data(), x.size()); }

}  // namespace articula::scalar
