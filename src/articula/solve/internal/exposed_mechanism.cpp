#include <articula/solve/internal/exposed_mechanism.h>

#include <algorithm>
#include <unordered_map>

#include <articula/base/error.h>
#include <articula/base/index.h>
#include <articula/base/text.h>
#include <articula/build/singular_joints.h>

namespace articula::solve {

ExposedMechanism::ExposedMechanism(const Model& model, const std::optional<SharedMechanism>& shared,
                                   const ExteriorPorts& ports, const BuildOptions& options, bool passive)
    : shared_(shared ? *shared : SharedMechanism(model, with_drives(options, passive))),
      par_(shared_.parameters()),
      ports_{ports.joints.empty() ? model.exterior.joints : ports.joints,
             ports.frames.empty() ? model.exterior.frames : ports.frames},
      map_(mech(), par_, ports_),
      roles_(map_.roles()),
      all_free_(std::all_of(roles_.begin(), roles_.end(), [](DofRole role) { return role == DofRole::free; })),
      passive_(passive) {
  list_joints();
}

void ExposedMechanism::refresh(const Model& model) { shared_.refresh(model, par_); }

void ExposedMechanism::list_joints() {
  std::unordered_map<std::string_view, int> q_places, v_places;
  for (const std::string& name : map_.q_names()) q_places.emplace(name, static_cast<int>(q_places.size()));
  for (const std::string& name : map_.v_names()) v_places.emplace(name, static_cast<int>(v_places.size()));
  const auto is_exposed = [&](int k) { return v_places.contains(mech().layout.v[at(k)]); };
  const auto add = [&](const Body& body, JointKind kind, Range q, Range v) {
    joints_.push_back({joint_name(mech(), body),
                       kind,
                       {q_places.at(mech().layout.q[at(q.first)]), q.count},
                       {v_places.at(mech().layout.v[at(v.first)]), v.count},
                       q.first,
                       v.first});
  };
  for (const Body& body : mech().bodies) {
    const auto exposed = std::count_if(body.v.begin(), body.v.end(), is_exposed);
    if (exposed == 0) continue;  // locked, or follows
    if (exposed == body.v.count) {
      add(body, body.joint, body.q, body.v);
      continue;
    }
    for (const int k : body.v) {
      if (!is_exposed(k)) continue;
      const bool turns = traits(body.joint).v[at(k - body.v.first)].dimension == dimension::angular_speed;
      add(body, turns ? JointKind::revolute : JointKind::prismatic, {position_of(mech(), k), 1}, {k, 1});
    }
  }
  std::sort(joints_.begin(), joints_.end(), [](const Joint& a, const Joint& b) { return a.v.first < b.v.first; });
}

std::string_view ExposedMechanism::joint_of(std::size_t dof) const {
  return joint_name(mech(), mech().bodies[at(mech().body_of_dof[dof])]);
}

/// Later states are checked with every computation.
void ExposedMechanism::require_regular_joints() const {
  const std::vector<std::string> singular = find_singular_joints(mech(), par_, par_.q_start, roles_);
  if (!singular.empty()) throw Error("joint-inertia-singular", {}, singular_joint_message(singular.front()));
}

}  // namespace articula::solve
