#pragma once

#include <optional>

#include <articula/generate/compile.h>
#include <articula/generate/record.h>
#include <articula/solve/internal/core.h>

namespace articula::solve {

/// An algorithm of a solver as generated code, if it runs so.
class Generated {
 public:
  /// Records, compiles and loads when the solver runs as generated. Without a compiler, or with one that fails, the solver
  /// becomes flat, and a finding says so; what cannot be generated, and a cache that is not safe, are an Error.
  Generated(Solver::Core& core, Algorithm algorithm, const RecordOptions& options = {});
  Generated() = default;  ///< no code

  explicit operator bool() const { return code_.has_value(); }
  /// Whether it computes at the solver's present state: not when loads act, which are no part of what was recorded.
  bool applies(const Solver::Core& core) const { return code_.has_value() && core.loads.empty(); }

  /// From q and rates of all joints to results in independent coordinates.
  void operator()(std::initializer_list<const double*> inputs, std::initializer_list<double*> outputs) noexcept {
    if (coupled_ == nullptr) return (*code_)(inputs.begin(), outputs.begin());
    const double* chosen[3] = {};
    std::size_t count = 0;
    double* y = y_.data();
    for (const double* const x : inputs) {
      chosen[count] = y;
      for (const int k : count == 0 ? coupled_->independent.q : coupled_->independent.v) *y++ = x[k];
      ++count;
    }
    (*code_)(chosen, outputs.begin());
  }

 private:
  std::optional<CompiledFunction> code_;
  const Mechanism* coupled_ = nullptr;  ///< whose joints are coupled; null: none are
  std::vector<double> y_;               ///< the inputs, one after another
};

}  // namespace articula::solve
