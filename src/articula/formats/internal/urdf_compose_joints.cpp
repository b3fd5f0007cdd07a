#include <articula/formats/internal/urdf_compose.h>

#include <algorithm>
#include <utility>

#include <articula/base/text.h>
#include <articula/formats/internal/urdf_print.h>
#include <articula/model/joint_axes.h>

namespace articula::formats {

static const Pose<double> identity = Pose<double>::identity();

static Direction negated(const Direction& axis) { return {-axis.v}; }

/// Element k of a list; empty if the list is shorter.
template <class T>
static std::vector<T> only(const std::vector<T>& list, int k) {
  if (k < 0 || static_cast<std::size_t>(k) >= list.size()) return {};
  return {list[static_cast<std::size_t>(k)]};
}

void UrdfComposition::add_edges() {
  for (const Edge& edge : tree_.edges()) {
    if (!has_world_ && touches_world(edge)) continue;  // the root replaces World
    if (edge.role == Role::loop) {
      add_loop(edge);
      continue;
    }
    const Side& parent = edge.role == Role::outward ? edge.from : edge.to;
    const Side& child = edge.role == Role::outward ? edge.to : edge.from;
    const auto* joint = edge.item < 0 ? nullptr : std::get_if<Joint>(item(edge.item).kind);
    if (joint != nullptr && joint->kind != JointKind::fixed) {
      add_joint(edge, parent, child);
    } else {
      add_rigid(edge, parent, child);
    }
  }
}

/// A fixed joint, a displacement or a direct connection.
void UrdfComposition::add_rigid(const Edge& edge, const Side& parent, const Side& child) {
  const bool outward = edge.role == Role::outward;
  Pose<double> X_FM = identity;
  std::string name;
  if (edge.item < 0) {
    name = free_name(joint_names_, link_name(child.body) + "_fixed");
    changed(concat("body ", quoted(link_name(child.body)), ": that it is connected with body ",
                   quoted(link_name(parent.body)), " is said by the fixed joint ", quoted(name), "."));
  } else if (const auto* displacement = std::get_if<Displacement>(item(edge.item).kind)) {
    name = free_name(joint_names_, item(edge.item).name);
    X_FM = outward ? displacement->placement : inverted(displacement->placement);
    changed(concat("displacement ", quoted(item(edge.item).name), ": it became the fixed joint ", quoted(name), "."));
  } else {
    name = item(edge.item).name;
    const std::string subject = concat("joint ", quoted(name));
    if (!outward)
      changed(concat(subject, ": it leads from ", quoted(link_name(parent.body)), " to ", quoted(link_name(child.body)),
                     " in the file."));
    report_port(edge, parent, "from", subject);
    if (!child.port.empty()) {
      changed(concat(subject, ": it leads to the frame of body ", quoted(link_name(child.body)), " itself, not to ",
                     quoted(child.port), " on it."));
    }
  }
  const Pose<double> X_PM = X_FM == identity ? parent.X_BP : parent.X_BP * X_FM;
  add_fixed(name, link_name(parent.body), link_name(child.body),
            child.X_BP == identity ? X_PM : X_PM * inverted(child.X_BP));
}

/// The rotations and translations of a joint, each as a step. Steps that move by a multiple of a coordinate mimic the
/// first step.
std::vector<UrdfComposition::Step> UrdfComposition::turns_and_slides_of(const Joint& joint) {
  const JointTraits kind = traits(joint.kind);
  const auto axis = [&](int k) -> Direction {
    if (kind.axis_use == AxisUse::one && k == 2) return joint.axis;
    if (kind.axis_use == AxisUse::two && k < 2) return k == 0 ? joint.axis : joint.second_axis;
    return {canonical_rotation(joint).m.column(k)};
  };
  std::vector<Step> steps;
  visit_joint(joint.kind, [&]<class J>(J) {
    for (const TurnOrSlide<double>& part : turns_and_slides<J, double>(joint.parameters.of<J>())) {
      const bool follows = !part.name.empty();
      const std::string_view name = follows ? part.name : kind.q[static_cast<std::size_t>(part.coordinate)].name;
      steps.push_back({part.turns ? JointKind::revolute : JointKind::prismatic, axis(part.axis),
                       follows ? -1 : part.coordinate, concat("_", name),
                       follows ? std::optional(part.ratio) : std::nullopt});
    }
  });
  return steps;
}

/// The replacement of a joint that no chain of simple joints can represent.
std::vector<UrdfComposition::Step> UrdfComposition::unlike_any_chain(const Joint& joint, const std::string& subject) {
  if (joint.kind != JointKind::spherical) {
    lost(concat(subject, ": a ", traits(joint.kind).name,
                " joint cannot be expressed. A fixed joint at its neutral coordinates stands for it."));
    return {{JointKind::fixed, joint.axis, -1, "", {}}};
  }
  lost(concat(subject,
              ": a spherical joint cannot be expressed. Three joints in a row stand for it, with other "
              "coordinates and a singular position."));
  return {{JointKind::revolute, x_axis, 0, "_x", {}},
          {JointKind::revolute, y_axis, 1, "_y", {}},
          {JointKind::revolute, z_axis, 2, "_z", {}}};
}

/// The chain of simple joints that moves like the joint.
std::vector<UrdfComposition::Step> UrdfComposition::steps_of(const Joint& joint, bool inward,
                                                             const std::string& subject) {
  std::vector<Step> steps;
  if (urdf_type_of(joint.kind).empty()) {
    steps = turns_and_slides_of(joint);
    if (!steps.empty()) {
      changed(concat(subject, ": a ", traits(joint.kind).name, " joint cannot be expressed. ",
                     steps.size() == 2 ? "Two" : "Several", " joints in a row stand for it."));
    } else {
      steps = unlike_any_chain(joint, subject);
    }
  } else {
    steps = {{joint.kind, joint.axis, 0, "", {}}};
  }
  if (!inward) return steps;
  const bool turns_with_it = joint.kind == JointKind::planar || joint.kind == JointKind::free;
  if (turns_with_it) lost(concat(subject, ": it had to be turned round, and its coordinates have another meaning."));
  for (Step& step : steps) {
    if (!turns_with_it) step.axis = negated(step.axis);
  }
  std::reverse(steps.begin(), steps.end());
  return steps;
}

/// A movable joint. Reversed, a rotation or translation about the opposite axis has the same coordinate.
void UrdfComposition::add_joint(const Edge& edge, const Side& parent, const Side& child) {
  const Joint& joint = std::get<Joint>(*item(edge.item).kind);
  const std::string& name = item(edge.item).name;
  const std::string subject = concat("joint ", quoted(name));
  const bool inward = edge.role == Role::inward, shifted = child.X_BP != identity;
  report_joint(edge, joint, subject);
  report_port(edge, parent, "from", subject);
  if (inward)
    changed(concat(subject, ": it leads from ", quoted(link_name(parent.body)), " to ", quoted(link_name(child.body)),
                   " in the file."));

  const std::vector<Step> steps = steps_of(joint, inward, subject);
  const std::string leader =
      steps.size() > 1
          ? free_name(joint_names_, name + std::string(inward ? steps.back().suffix : steps.front().suffix))
          : name;
  std::string from = link_name(parent.body);
  Pose<double> X_PF = parent.X_BP;
  for (std::size_t k = 0; k < steps.size(); ++k) {
    const Step& step = steps[k];
    const bool leads = k == (inward ? steps.size() - 1 : 0), last = k + 1 == steps.size();
    UrdfJoint simple;
    simple.name = leads ? leader : free_name(joint_names_, name + std::string(step.suffix));
    simple.joint.kind = step.kind;
    if (traits(step.kind).axis_use == AxisUse::one) simple.joint.axis = step.axis;
    simple.joint.limits = only(joint.limits, step.dof);
    simple.joint.speed_limit = only(joint.speed_limit, step.dof);
    simple.joint.force_limit = only(joint.force_limit, step.dof);
    simple.joint.damping = step.dof < 0 ? 0 : joint.damping;
    simple.joint.friction = step.dof < 0 ? 0 : joint.friction;
    if (step.mimics_first) simple.mimic = UrdfMimic{{leader, {}}, *step.mimics_first, 0};
    simple.parent.name = from;
    simple.X_PF = X_PF;
    simple.child.name = last && !shifted ? link_name(child.body) : add_massless(simple.name + "_to");
    from = simple.child.name;
    X_PF = identity;
    if (traits(step.kind).nv() == 1 && steps.size() == 1) joint_of_item_[edge.item] = robot_.joints.size();
    robot_.joints.push_back(std::move(simple));
  }
  if (!shifted) return;
  changed(concat(subject, ": it leads to ", quoted(child.port), " on body ", quoted(link_name(child.body)),
                 ", not to the body's own frame; the massless link ", quoted(from), " was put between."));
  add_fixed(free_name(joint_names_, name + "_to"), from, link_name(child.body), inverted(child.X_BP));
}

void UrdfComposition::report_joint(const Edge& edge, const Joint& joint, const std::string& subject) {
  const auto check = [&](bool there, std::string_view what) {
    if (there) lost(concat(subject, ": its ", what, " cannot be expressed."));
  };
  const bool loop = edge.role == Role::loop, one = traits(joint.kind).nv() == 1;
  const bool has_limits = joint.kind == JointKind::planar || joint.kind == JointKind::free || loop;
  check(!joint.start.empty(), "start");
  check(joint.prescribed, "prescribed motion");
  check(joint.closes_loop && !loop, "mark that it closes a loop");
  check(has_limits && !joint.limits.empty(), "limits");
  check(has_limits && !joint.speed_limit.empty(), "speed_limit");
  check(has_limits && !joint.force_limit.empty(), "force_limit");
  check(loop && joint.damping != 0, "damping");
  check(loop && joint.friction != 0, "friction");
  check(one && joint.limits.size() == 1 && joint.limits.front() == Limits{}, "limits, which are infinite,");
}

/// Reports how the port of a joint on its parent is read back: as the body itself, or as a frame named after the joint.
void UrdfComposition::report_port(const Edge& edge, const Side& side, std::string_view port,
                                  const std::string& subject) {
  const bool own = side.port.empty() || (side.port == concat(item(edge.item).name, ".", port) &&
                                         side.X_BP != identity && edge.role == Role::outward);
  if (own) return;
  changed(concat(subject, ": the name of the frame ", quoted(side.port), " on body ", quoted(link_name(side.body)),
                 " is not kept."));
}

void UrdfComposition::add_loop(const Edge& edge) {
  if (edge.item < 0 || !std::holds_alternative<Joint>(*item(edge.item).kind)) {
    return lost(concat("body ", quoted(link_name(edge.to.body)), ": it is connected with body ",
                       quoted(link_name(edge.from.body)), " in more than one way; the second was left out."));
  }
  const Joint& joint = std::get<Joint>(*item(edge.item).kind);
  const std::string& name = item(edge.item).name;
  const std::string subject = concat("joint ", quoted(name));
  const bool known = !urdf_type_of(joint.kind).empty() && joint.kind != JointKind::free;
  if (!known || edge.from.body == edge.to.body) {
    return lost(concat(subject, ": a ", traits(joint.kind).name,
                       " joint that closes a loop cannot be expressed and was left out."));
  }
  report_joint(edge, joint, subject);
  changed(concat(subject, ": it closes a loop, and is written as <loop> of URDF+, which many readers do not know."));
  UrdfLoop loop;
  loop.name = name;
  loop.joint.kind = joint.kind;
  loop.joint.axis = joint.axis;
  loop.predecessor = {{link_name(edge.from.body), {}}, edge.from.X_BP};
  loop.successor = {{link_name(edge.to.body), {}}, edge.to.X_BP};
  robot_.loops.push_back(std::move(loop));
}

}  // namespace articula::formats
