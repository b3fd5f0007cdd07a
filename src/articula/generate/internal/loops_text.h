#pragma once

#include <articula/generate/internal/dialect.h>
#include <articula/generate/internal/rolled.h>

namespace articula::generate {

/// Whose the workspace of loops is.
enum class Workspace {
  as_compiled,  ///< what the macro ARTICULA_WORKSPACE says: static, one for all threads, unless it is defined
  of_caller,    ///< on the stack; where it would take too much of it, one for each thread
};

/// A long function as loops in C, over packs where `scalar` is not `real`: each routine once, tables of what it is called
/// with, and a loop over its calls.
///
/// @param sines a statement that sets the arrays `sines` and `cosines` from `angles`
FunctionText loops_text(const RolledFunction& rolled, const Dialect& dialect, Workspace workspace,
                        const std::string& sines);

}  // namespace articula::generate
