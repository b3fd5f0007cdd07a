#pragma once

#include <articula/generate/internal/dialect.h>
#include <articula/generate/internal/rolled.h>

namespace articula::generate {

/// The storage of the workspace of loops.
enum class Workspace {
  as_compiled,  ///< defined by the macro ARTICULA_WORKSPACE; the default is static, shared by all threads
  of_caller,    ///< on the stack; if it is too large for that, thread-local
};

/// A long function as loops in C, over packs if `scalar` is not `real`: each routine once, tables of its arguments, and
/// a loop over all calls.
///
/// @param sines a statement that sets the arrays `sines` and `cosines` from `angles`
FunctionText loops_text(const RolledFunction& rolled, const Dialect& dialect, Workspace workspace,
                        const std::string& sines);

}  // namespace articula::generate
