#pragma once

#include <articula/generate/internal/c_text.h>
#include <articula/generate/internal/rolled.h>

namespace articula {

/// How the loops of a rolled function look for one state or for a pack of states.
struct LoopsDialect {
  std::string scalar;  ///< of a value: `double`, `pack`
  std::string real;    ///< of a constant: `double`, `real`
  bool has_packs() const { return scalar != real; }
  FunctionNames names;
  Workspace workspace = Workspace::as_compiled;
  std::string sines;  ///< a statement that sets the arrays `sines` and `cosines` from `angles`

  /// Results that are not written, as in `Dialect`.
  std::function<bool(const FunctionArray& array, int k, bool zero)> leaves_out = {};
};

/// What stands before a function, and the statements inside it.
struct FunctionText {
  std::string before, body;
};

/// A long function as loops: each routine once, tables of what it is called with, and a loop over its calls.
FunctionText loops_text(const RecordedFunction& function, const Schedule& schedule, const LoopsDialect& dialect);

}  // namespace articula
