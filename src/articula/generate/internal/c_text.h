#pragma once

#include <articula/generate/internal/loops_text.h>

namespace articula::generate {

/// A function as C99, with the workspace of its loops.
std::string c_source(const RecordedFunction& function, const std::string& name, Workspace workspace);

}  // namespace articula::generate
