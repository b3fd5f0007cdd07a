#pragma once

#include <articula/base/export.h>
#include <articula/build/build.h>
#include <articula/build/lower.h>

namespace articula {

/// Builds as `build` does, and leaves what the mechanism was made from in `prepared`, which may refer to `model`.
ARTICULA_EXPORT Built build(const Model& model, const BuildOptions& options, Prepared& prepared);

}  // namespace articula
