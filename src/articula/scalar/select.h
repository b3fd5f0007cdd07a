#pragma once

#include <articula/base/modules.h>

namespace articula::scalar {

/// a if `condition` is true, otherwise b. Algorithms use it instead of a branch, so that they also run with packs,
/// whose lanes may differ (scalar/pack.h has its own).
template <class T>
inline T select(bool condition, const T& a, const T& b) {
  return condition ? a : b;
}

}  // namespace articula::scalar
