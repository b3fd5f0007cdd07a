#pragma once

#include <articula/generate/function.h>

namespace articula::generate {

/// A function of packs as C with vector extensions, as it is compiled for many states.
std::string lanes_source(const RecordedFunction& function, const std::string& name, bool single);

}  // namespace articula::generate
