#pragma once

#include <articula/base/modules.h>

namespace articula::model {

/// The largest magnitude of a number in a model, in SI: products of a few such numbers are still finite.
inline constexpr double largest_number = 1e50;

}  // namespace articula::model
