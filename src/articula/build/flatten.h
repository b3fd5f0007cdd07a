#pragma once

#include <articula/base/export.h>
#include <articula/build/explanation.h>

namespace articula {

/// Parts become entities and connections of the model itself, named by their path: "arm/hand".
///
/// Rule: part p with entities e and connections c  →  entities p/e and connections p/c. Nothing else changes.
ARTICULA_EXPORT Rewritten flatten(const Model& model);

}  // namespace articula
