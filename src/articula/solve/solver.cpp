#include <articula/solve/solver.h>

#include <articula/base/text.h>
#include <articula/build/singular_joints.h>
#include <articula/solve/internal/core.h>

namespace articula {

std::string to_text(const Report& report) {
  switch (report.status) {
    case Report::Status::ready: return "ready";
    case Report::Status::done: return "done";
    case Report::Status::singular: break;
  }
  return singular_joint_message(std::string(report.joint));
}

Solver::Solver(const Model& model, const SolverOptions& options, const Needs& needs)
    : core_(std::make_unique<Core>(model, options, needs)) {}
Solver::~Solver() = default;
Solver::Solver(Solver&&) noexcept = default;
Solver& Solver::operator=(Solver&&) noexcept = default;

const Mechanism& Solver::mechanism() const { return core_->mech(); }
const Parameters<double>& Solver::parameters() const { return core_->par; }
const Built& Solver::built() const { return core_->refresher.built(); }
std::span<const std::string> Solver::q_names() const { return core_->exterior.q_names(); }
std::span<const std::string> Solver::v_names() const { return core_->exterior.v_names(); }
const Report& Solver::report() const { return core_->report; }
RunAs Solver::run_as() const { return core_->options.run_as; }
const Findings& Solver::findings() const { return core_->findings; }

void Solver::update(const State& state) { core_->set(state); }
void Solver::refresh(const Model& model) {
  core_->refresh(model);
  if (run_as() == RunAs::generated) resize();  // the old numbers are part of the code
}

void Solver::reconfigure(const Model& model) {
  auto next = std::make_unique<Core>(model, core_->options, core_->needs);
  // What both structures have keeps its state.
  const StateMap map = map_state(mechanism().layout, next->mech().layout);
  for (std::size_t k = 0; k < map.q.size(); ++k) {
    if (map.q[k] >= 0) next->q[static_cast<std::size_t>(map.q[k])] = core_->q[k];
  }
  for (std::size_t k = 0; k < map.v.size(); ++k) {
    if (map.v[k] >= 0) next->v[static_cast<std::size_t>(map.v[k])] = core_->v[k];
  }
  core_ = std::move(next);
  resize();
}

}  // namespace articula
