#include <articula/study/setup.h>

#include <algorithm>

#include <articula/base/text.h>
#include <articula/solve/forward_kinematics.h>
#include <articula/study/internal/set_property.h>

namespace articula {
namespace {

template <class Kind>
Named<Kind>* find(std::vector<Named<Kind>>& all, std::string_view name) {
  const auto found = std::find_if(all.begin(), all.end(), [&](const Named<Kind>& each) { return each.name == name; });
  return found == all.end() ? nullptr : &*found;
}

/// Throws for names of blocks that the study does not have.
void check_names(const Setup& setup, const std::vector<std::string>& names) {
  std::vector<std::string> known;
  for (const auto& block : setup.blocks) known.push_back(block.name);
  for (const std::string& name : names) {
    if (std::find(known.begin(), known.end(), name) == known.end())
      throw Error("no-such-block", {}, concat("the study has no block ", quoted(name), ".", choices(name, "Blocks", known)));
  }
}

}  // namespace

void apply_override(const Override& one, Setup& setup) {
  const std::size_t dot = one.path.find('.');
  if (dot != std::string::npos) {
    const std::string name = one.path.substr(0, dot), property = one.path.substr(dot + 1);
    if (auto* trajectory = find(setup.trajectories, name))
      return set_property(trajectory->kind, property, "override", one);
    if (auto* block = find(setup.blocks, name)) return set_property(block->kind, property, "override", one);
  }
  apply_overrides({one}, setup.model);
}

std::vector<NamedTrajectory> make_trajectories(const Setup& setup) {
  std::vector<NamedTrajectory> made;
  if (setup.trajectories.empty()) return made;
  const ForwardKinematics solver(setup.model);
  Findings findings;
  for (const auto& each : setup.trajectories) {
    const TrajectoryContext context{.mechanism = solver.mechanism(),
                                    .parameters = solver.parameters(),
                                    .name = each.name,
                                    .where = each.where,
                                    .folder = setup.folder,
                                    .all = {solver.v_names().begin(), solver.v_names().end()}};
    try {
      JointTrajectory trajectory = make_trajectory(each.kind, context);
      made.push_back({each.name, std::move(trajectory.joints), std::move(trajectory.motion)});
    } catch (const Error& error) {
      findings.insert(findings.end(), error.errors().begin(), error.errors().end());
    }
  }
  throw_if_errors(findings);
  return made;
}

}  // namespace articula
