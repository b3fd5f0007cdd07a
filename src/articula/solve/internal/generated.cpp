#include <articula/solve/internal/generated.h>

#include <articula/base/error.h>
#include <articula/base/text.h>

namespace articula::solve {

Generated::Generated(Solver::Core& core, Algorithm algorithm, const RecordOptions& options) {
  if (core.options.run_as != RunAs::generated) return;
  RecordOptions how = options;
  how.most_operations = 200'000;  // a compiler takes about ten seconds for a humanoid's derivatives as loops
  try {
    code_.emplace(record(algorithm, core.mech(), core.par(), how));
    if (!core.mech().is_coupled()) return;
    coupled_ = &core.mech();
    y_.resize(coupled_->independent.q.size() + 2 * coupled_->independent.v.size());
  } catch (const Error& error) {
    if (error.code() != "compiler-missing" && error.code() != "compile-failed") throw;
    core.options.run_as = RunAs::flat;
    core.findings.push_back({Severity::warning, error.code(), error.where(),
                             concat(core.who, ": ", error.message(), " It runs as \"flat\" now.")});
  }
}

}  // namespace articula::solve
