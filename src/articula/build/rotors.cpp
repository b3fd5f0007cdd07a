#include <articula/build/rotors.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include <articula/base/findings.h>
#include <articula/base/index.h>
#include <articula/base/text.h>

namespace articula::build {
namespace {

/// The sine of the angle between two axes that count as parallel.
constexpr double parallel = 1e-12;

class Planning {
 public:
  Planning(const Model& merged, const PortGraph& graph, const RigidGroups& groups, Drives drives)
      : merged_(merged), graph_(graph), groups_(groups), drives_(drives) {}

  std::vector<RotorPlan> run() {
    find_joints();
    for (entity_ = 0; entity_ < static_cast<int>(merged_.entities().size()); ++entity_) {
      std::visit([&](const auto& kind) { add(kind); }, merged_.entities()[at(entity_)].kind);
    }
    return std::move(plans_);
  }

 private:
  template <class K>
  void add(const K&) {}
  void add(const Drive& drive) { add("joint", drive.stiffness.has_value(), false); }
  void add(const Rotor&) { add("shaft", false, true); }

  void add(std::string_view shaft, bool elastic, bool is_rotor) {
    RotorPlan plan;
    plan.entity = entity_;
    const auto joint = joint_at_.find(graph_.node(graph_.find(entity_, shaft)));
    if (joint != joint_at_.end()) plan.joint = joint->second;
    const int mount = graph_.find(entity_, "mounted_on");
    if (graph_.node_size(mount) > 1) plan.group = groups_.group_of_node[at(graph_.node(mount))];
    plan.form = form_of(plan, elastic, is_rotor);
    plans_.push_back(plan);
  }

  RotorForm form_of(RotorPlan& plan, bool elastic, bool is_rotor) const {
    if (drives_ == Drives::locked) return RotorForm::locked;
    if (elastic && drives_ == Drives::elastic) return RotorForm::body;
    if (plan.joint < 0) return is_rotor ? RotorForm::body : RotorForm::locked;
    if (plan.group < 0) return RotorForm::along_joint;
    const auto carrier = [&](std::string_view port) {
      return groups_.group_of_node[at(graph_.node(graph_.find(plan.joint, port)))];
    };
    const auto& joint = std::get<Joint>(merged_.entities()[at(plan.joint)].kind);
    plan.on_from = plan.group == carrier("from");
    const bool adjacent = plan.on_from || plan.group == carrier("to");
    const bool revolute = joint.kind == JointKind::revolute;
    if (adjacent && revolute && rotor_direction(merged_, graph_, groups_, plan) != 0) return RotorForm::exchanged;
    return RotorForm::body;
  }

  /// Joints by the nodes of their shafts.
  void find_joints() {
    for (int e = 0; e < static_cast<int>(merged_.entities().size()); ++e) {
      if (!std::holds_alternative<Joint>(merged_.entities()[at(e)].kind)) continue;
      for (int p = graph_.first_port(e); p < graph_.end_port(e); ++p) {
        if (graph_.ports()[at(p)].type == PortType::scalar) joint_at_.try_emplace(graph_.node(p), e);
      }
    }
  }

  const Model& merged_;
  const PortGraph& graph_;
  const RigidGroups& groups_;
  Drives drives_;
  int entity_ = 0;
  std::unordered_map<int, int> joint_at_;
  std::vector<RotorPlan> plans_;
};

/// The axis of a rotor in the frame that it is mounted at; none: its joint's.
const Direction* axis_of(const Kind& kind) {
  if (const auto* rotor = std::get_if<Rotor>(&kind)) return &rotor->axis;
  const auto& drive = std::get<Drive>(kind);
  return drive.rotor_axis ? &*drive.rotor_axis : nullptr;
}

}  // namespace

std::vector<RotorPlan> plan_rotors(const Model& merged, const PortGraph& graph, const RigidGroups& groups,
                                   Drives drives) {
  return Planning(merged, graph, groups, drives).run();
}

int rotor_direction(const Model& merged, const PortGraph& graph, const RigidGroups& groups, const RotorPlan& plan) {
  const Direction* const axis = axis_of(merged.entities()[at(plan.entity)].kind);
  if (axis == nullptr) return 1;
  const auto pose = [&](int entity, std::string_view port) -> const Pose<double>& {
    return groups.X_HN[at(graph.node(graph.find(entity, port)))];
  };
  const auto& joint = std::get<Joint>(merged.entities()[at(plan.joint)].kind);
  const Vec3<double> a = pose(plan.entity, "mounted_on").R * axis->v;
  const Vec3<double> b = pose(plan.joint, plan.on_from ? "from" : "to").R * joint.axis.v;
  if (!(norm(cross(a, b)) <= parallel * norm(a) * norm(b))) return 0;
  return dot(a, b) > 0 ? 1 : -1;
}

Inertia<double> inertia_of_rotors(const Mechanism& mech, const Parameters<double>& par, int body) {
  Inertia<double> M = Inertia<double>::zero();
  const bool has_rotors = std::any_of(mech.rotors.begin(), mech.rotors.end(), [&](const RotorElement& rotor) {
    const int i = rotor.dof < 0 ? -1 : mech.body_of_dof[at(rotor.dof)];
    return (rotor.form == RotorForm::exchanged && (i == body || mech.bodies[at(i)].parent == body)) ||
           (rotor.form == RotorForm::body && mech.bodies[at(rotor.body)].parent == body);
  });
  if (!has_rotors) return M;
  // All of M_B that is not of constituents is of rotors. They are massless, and add axial moments only.
  M.I = par.M_B[at(body)].I;
  for (std::size_t c = 0; c < par.M_C.size(); ++c) {
    if (mech.provenance.constituents[c].body == body) M.I = M.I - (par.X_BC[c] * par.M_C[c]).I;
  }
  return M;
}

void warn_of_light_carriers(const Model& flat, const Mechanism& mech, const Parameters<double>& par,
                            Findings& findings) {
  constexpr double rounding = 1e-9;
  for (std::size_t r = 0; r < mech.rotors.size(); ++r) {
    const RotorElement& rotor = mech.rotors[r];
    if (!rotor.is_turning() || rotor.frame < 0) continue;
    const int carrier = mech.frames[at(rotor.frame)].body;
    if (carrier == 0) continue;
    Inertia<double> M = Inertia<double>::zero();
    std::string name;
    for (std::size_t c = 0; c < par.M_C.size(); ++c) {
      const ConstituentPlace& place = mech.provenance.constituents[c];
      if (place.body != carrier) continue;
      M += par.X_BC[c] * par.M_C[c];
      if (name.empty()) name = place.name;
    }
    const Vec3<double> a = par.X_BF[at(rotor.frame)].R * par.rotors[r].axis;
    const double own = M.m > 0 ? dot(a, inertia_about_center(M) * a) : dot(a, M.I * a), J = par.rotors[r].inertia;
    if (own >= J * (1 - rounding)) continue;
    const Entity& owner = flat.entities()[at(rotor.entity)];
    add_finding(
        findings,
        {Severity::warning, "carrier-inertia", owner.where,
         concat(to_text(owner), ": the rotor's inertia about its axis is ", J, " kg*m^2, but body ", quoted(name),
                ", which carries it, has only ", own,
                " about a parallel axis through its centre of mass. A body's inertia includes that of the rotors "
                "on it: add the rotor's to it, or check both numbers.")});
  }
}

void add_rotor_branches(const std::vector<RotorPlan>& plans, SpanningForest& forest) {
  std::unordered_map<int, std::vector<int>> rotors_on;  // by group
  const int world = forest.branches[0].group;
  for (int r = 0; r < static_cast<int>(plans.size()); ++r) {
    const RotorPlan& plan = plans[at(r)];
    if (plan.form == RotorForm::body) rotors_on[plan.group < 0 ? world : plan.group].push_back(r);
  }
  if (rotors_on.empty()) return;
  std::vector<SpanningForest::Branch> branches;
  std::vector<int> place(forest.branches.size());
  const auto add_rotors_on = [&](int carrier) {
    const auto rotors = rotors_on.find(forest.branches[at(carrier)].group);
    if (rotors == rotors_on.end()) return;
    for (const int r : rotors->second) branches.push_back({.group = -1, .parent = place[at(carrier)], .rotor = r});
  };
  for (int b = 0; b < static_cast<int>(forest.branches.size()); ++b) {
    SpanningForest::Branch branch = forest.branches[at(b)];
    if (branch.parent >= 0) branch.parent = place[at(branch.parent)];
    place[at(b)] = static_cast<int>(branches.size());
    branches.push_back(branch);
    if (b > 0) add_rotors_on(b);
  }
  add_rotors_on(0);
  forest.branches = std::move(branches);
}

}  // namespace articula::build
