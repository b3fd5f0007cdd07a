#include <articula/solve/internal/exposed_mechanism.h>

#include <algorithm>
#include <unordered_map>

#include <articula/base/error.h>
#include <articula/base/text.h>
#include <articula/build/singular_joints.h>
#include <articula/dynamics/force_elements.h>

namespace articula {

static std::size_t at(int k) { return static_cast<std::size_t>(k); }

ExposedMechanism::ExposedMechanism(const Model& model, const ExteriorPorts& ports, const BuildOptions& options,
                                   bool passive)
    : refresher_(model, options),
      par_(refresher_.built().parameters),
      ports_{ports.joints.empty() ? model.exterior.joints : ports.joints,
             ports.frames.empty() ? model.exterior.frames : ports.frames},
      map_(mech(), par_, ports_),
      roles_(map_.roles()),
      all_free_(std::all_of(roles_.begin(), roles_.end(), [](DofRole role) { return role == DofRole::free; })),
      passive_(passive),
      armature_(at(mech().nv)) {
  take_numbers();
  list_joints();
}

void ExposedMechanism::take_numbers() {
  if (passive_) reflected_inertia<double>(mech(), par_, armature_);
}

void ExposedMechanism::refresh(const Model& model) {
  refresher_.refresh(model, par_);
  take_numbers();
}

void ExposedMechanism::list_joints() {
  Range q, v;
  std::unordered_map<std::string_view, int> q_places, v_places;
  for (const std::string& name : map_.q_names()) q_places.emplace(name, static_cast<int>(q_places.size()));
  for (const std::string& name : map_.v_names()) v_places.emplace(name, static_cast<int>(v_places.size()));
  for (const Body& body : mech().bodies) {
    if (body.v.count == 0) continue;
    const auto place = v_places.find(mech().layout.v[at(body.v.first)]);
    if (place == v_places.end()) continue;  // locked, or follows
    v = {place->second, body.v.count};
    q = {q_places.at(mech().layout.q[at(body.q.first)]), body.q.count};
    joints_.push_back({mech().provenance.entities[at(body.entity)].name, body.joint, q, v, body.v.first});
  }
  std::sort(joints_.begin(), joints_.end(), [](const Joint& a, const Joint& b) { return a.v.first < b.v.first; });
}

std::string_view ExposedMechanism::joint_of(std::size_t dof) const {
  const Body& body = mech().bodies[at(mech().body_of_dof[dof])];
  return mech().provenance.entities[at(body.entity)].name;
}

/// That it stays so is seen with every computation.
void ExposedMechanism::require_regular_joints() const {
  const std::vector<std::string> singular = find_singular_joints(mech(), par_, par_.q_start, roles_, passive_);
  if (!singular.empty()) throw Error("joint-inertia-singular", {}, singular_joint_message(singular.front()));
}

}  // namespace articula
