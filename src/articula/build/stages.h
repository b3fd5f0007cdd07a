#pragma once

#include <articula/base/export.h>
#include <articula/build/build.h>
#include <articula/build/lower.h>

namespace articula::build {

/// Same as `build`, and stores the input of lowering in `prepared`, which may refer to `model`.
ARTICULA_EXPORT Built build_mechanism(const Model& model, const BuildOptions& options, Prepared& prepared);

}  // namespace articula::build
