#pragma once

#include <optional>

#include <articula/generate/compile.h>
#include <articula/generate/record.h>
#include <articula/solve/internal/core.h>

namespace articula {

/// An algorithm of a solver as generated code, if it runs so.
class Generated {
 public:
  /// Records, compiles and loads when the solver runs as generated. Without a compiler the solver becomes flat, and a
  /// finding says so; what cannot be generated is an Error.
  Generated(Solver::Core& core, Algorithm algorithm, const RecordOptions& options = {});

  explicit operator bool() const { return code_.has_value(); }
  /// Whether it computes at the solver's present state: not when loads act, which are no part of what was recorded.
  bool applies(const Solver::Core& core) const { return code_.has_value() && core.loads.empty(); }

  void operator()(std::initializer_list<const double*> inputs, std::initializer_list<double*> outputs) const noexcept {
    (*code_)(inputs.begin(), outputs.begin());
  }

 private:
  std::optional<CompiledFunction> code_;
};

}  // namespace articula
