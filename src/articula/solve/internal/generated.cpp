#include <articula/solve/internal/generated.h>

#include <articula/base/error.h>
#include <articula/base/text.h>

namespace articula {

Generated::Generated(Solver::Core& core, Algorithm algorithm, const RecordOptions& options) {
  if (core.options.run_as != RunAs::generated) return;
  const bool accelerates = algorithm == Algorithm::forward_dynamics || algorithm == Algorithm::inverse_mass_matrix ||
                           algorithm == Algorithm::forward_dynamics_derivatives;
  if (accelerates && !core.exposed.all_free()) {
    throw Error("generate-not-available", {},
                concat(core.needs.solver, " of ", quoted(core.mech().name),
                       ": joints are held or prescribed, for which no code is generated. Expose all joints, or run as "
                       "\"flat\"."));
  }
  RecordOptions how = options;
  how.most_operations = 200'000;  // as loops, a humanoid's derivatives take a compiler some ten seconds
  try {
    code_.emplace(record(algorithm, core.mech(), core.par(), how));
    if (!core.mech().is_coupled()) return;
    coupled_ = &core.mech();
    y_.resize(coupled_->independent.q.size() + 2 * coupled_->independent.v.size());
  } catch (const Error& error) {
    if (error.code() != "compiler-missing" && error.code() != "compile-failed") throw;
    core.options.run_as = RunAs::flat;
    core.findings.push_back({Severity::warning, error.code(), error.where(),
                             concat(core.needs.solver, ": ", error.message(), " It runs as \"flat\" now.")});
  }
}

}  // namespace articula
