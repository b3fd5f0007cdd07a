#pragma once

#include <articula/generate/function.h>

namespace articula::generate {

/// A function on packs as C with vector extensions, compiled for batches.
std::string lanes_source(const RecordedFunction& function, const std::string& name, bool single);

}  // namespace articula::generate
