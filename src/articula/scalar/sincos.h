#pragma once

#include <articula/base/export.h>
#include <articula/base/modules.h>

namespace articula::scalar {

/// Sine and cosine of n angles at once, several per instruction: within 1.5 ulp for |x| ≤ 100, 2.5 for |x| ≤ 1e5; larger angles, and
/// what is not finite, are left to the C library. `x`, `s` and `c` may be the same arrays.
ARTICULA_EXPORT void sincos(const double* x, double* s, double* c, int n);

/// The same of the angles x[which[k]], k < n, each at place k. @pre n is a multiple of eight
ARTICULA_EXPORT void sincos(const double* x, const int* which, double* s, double* c, int n);

}  // namespace articula::scalar
