#include <articula/solve/solver.h>

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include <articula/base/text.h>
#include <articula/build/singular_joints.h>
#include <articula/solve/internal/core.h>
#include <articula/solve/internal/state_transfer.h>

namespace articula::solve {

std::string to_text(const Report& report) {
  switch (report.status) {
    case Report::Status::ready: return "ready";
    case Report::Status::done: return "done";
    case Report::Status::singular: break;
  }
  return singular_joint_message(std::string(report.joint));
}

Solver::Solver(std::string_view who, Algorithm algorithm, const Model& model, const SolverOptions& options)
    : core_(std::make_unique<Core>(who, algorithm, model, options)) {}
Solver::~Solver() = default;
Solver::Solver(Solver&&) noexcept = default;
Solver& Solver::operator=(Solver&&) noexcept = default;

const Mechanism& Solver::mechanism() const { return core_->mech(); }
const Parameters<double>& Solver::parameters() const { return core_->par(); }
const Built& Solver::built() const { return core_->exposed.built(); }
std::span<const std::string> Solver::q_names() const { return core_->map().q_names(); }
std::span<const std::string> Solver::v_names() const { return core_->map().v_names(); }
const Report& Solver::report() const { return core_->report; }
RunAs Solver::run_as() const { return core_->options.run_as; }
const Findings& Solver::findings() const { return core_->findings; }

void Solver::update(const State& state) { core_->set(state); }
void Solver::refresh(const Model& model) {
  core_->refresh(model);
  if (run_as() == RunAs::generated) resize();  // the old parameters are part of the code
}

/// Copies entries of degrees of freedom, for joints of the same name and kind.
static void carry(const Mechanism& from, const std::vector<double>& x, const Mechanism& to, std::vector<double>& y) {
  const auto joint = [](const Mechanism& mech, const Body& body) -> const std::string& {
    return joint_name(mech, body);
  };
  std::unordered_map<std::string_view, const Body*> joints;
  for (const Body& body : to.bodies) {
    if (body.v.count > 0) joints.emplace(joint(to, body), &body);
  }
  for (const Body& body : from.bodies) {
    const auto found = body.v.count > 0 ? joints.find(joint(from, body)) : joints.end();
    if (found == joints.end() || found->second->joint != body.joint) continue;
    std::copy_n(x.begin() + body.v.first, body.v.count, y.begin() + found->second->v.first);
  }
}

/// Moves loads to the frames of the same names. Throws if one no longer exists.
static std::vector<Load> carried(const Mechanism& from, const std::vector<Load>& loads, const Mechanism& to) {
  std::vector<Load> all;
  for (const Load& load : loads) {
    const auto place = [&](int frame) {
      const PortRef& name = from.frames[static_cast<std::size_t>(frame)].name;
      const auto found =
          std::find_if(to.frames.begin(), to.frames.end(), [&](const FlatFrame& each) { return each.name == name; });
      if (found == to.frames.end()) {
        throw Error("load-frame", {},
                    concat("reconfigure: a load acts at frame ", quoted(to_text(name)), ", which ", quoted(to.name),
                           " does not have. Update the state without that load first."));
      }
      return static_cast<int>(found - to.frames.begin());
    };
    all.push_back({place(load.frame), load.wrench, place(load.axes)});
  }
  return all;
}

void Solver::reconfigure(const Model& model) {
  auto next = std::make_unique<Core>(core_->who, core_->algorithm, model, core_->options);
  TransferredState state = transfer_state({mechanism(), core_->par()}, core_->q, core_->v, {next->mech(), next->par()},
                                          next->map(), next->exposed.roles());
  next->loads = carried(mechanism(), core_->loads, next->mech());
  carry(mechanism(), core_->vdot, next->mech(), next->vdot);
  carry(mechanism(), core_->tau, next->mech(), next->tau);
  next->q = std::move(state.q), next->v = std::move(state.v);
  next->pass_loads_on();
  core_ = std::move(next);
  resize();
}

}  // namespace articula::solve
