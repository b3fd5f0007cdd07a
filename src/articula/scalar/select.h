#pragma once

namespace articula {

/// a where `condition` holds, b elsewhere: what algorithms write instead of a branch, so that they run with packs, whose
/// lanes may disagree (scalar/pack.h has its own).
template <class T>
inline T select(bool condition, const T& a, const T& b) {
  return condition ? a : b;
}

}  // namespace articula
