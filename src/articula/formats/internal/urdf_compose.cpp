#include <articula/formats/internal/urdf_compose.h>

#include <algorithm>
#include <utility>

#include <articula/base/index.h>
#include <articula/base/text.h>

namespace articula::formats {

UrdfComposition::UrdfComposition(const Model& model, Findings& losses)
    : model_(model), losses_(losses), tree_(model, losses) {
  robot_.name = model.name;
  report_surroundings();
  name_links();
  decide_on_world();
  add_links();
  add_roots();
  add_edges();
  add_frames();
  add_gears();
  add_drives();
  report_rest();
}

void UrdfComposition::lost(const std::string& message) {
  losses_.push_back({Severity::warning, "not-expressed", {}, message});
}
void UrdfComposition::changed(const std::string& message) {
  losses_.push_back({Severity::note, "expressed-otherwise", {}, message});
}

void UrdfComposition::report_surroundings() {
  if (model_.environment.gravity != Gravity(UniformGravity{})) {
    lost("environment: URDF says nothing of gravity; readers will take (0, 0, -9.81).");
  }
  if (model_.environment.ground) lost("environment: URDF says nothing of the ground; it was left out.");
  if (model_.snap != Model::default_snap)
    lost(concat("snap: URDF says nothing of it; say --snap ", model_.snap, " where the file is read."));
  if (model_.exterior != ExteriorPorts{}) lost("exterior ports: URDF does not know them; they were left out.");
  for (const Part& part : model_.parts()) {
    changed(concat("part ", quoted(part.name), ": URDF knows no parts; its entities are named by their paths."));
  }
}

// Names -----------------------------------------------------------------------------------------------------

std::string UrdfComposition::free_name(std::unordered_set<std::string>& taken, const std::string& wish) {
  std::string name = wish;
  for (int k = 2; !taken.insert(name).second; ++k) name = concat(wish, "_", k);
  return name;
}

void UrdfComposition::name_links() {
  for (const auto& body : tree_.bodies()) {
    if (!body.name.empty()) link_names_.insert(body.name);
  }
  for (const auto& each : tree_.items()) {
    if (std::holds_alternative<Joint>(*each.kind)) joint_names_.insert(each.name);
  }
  for (const auto& body : tree_.bodies()) {
    link_of_body_.push_back(body.name.empty() ? free_name(link_names_, "massless") : body.name);
    if (!body.name.empty()) continue;
    changed(concat("joints are connected without a body between them; the massless link ", quoted(link_of_body_.back()),
                   " was put there."));
  }
}

// Links -----------------------------------------------------------------------------------------------------

/// Whether the edge equates a body's frame with World: the body is then the root of the file, and there is no link for
/// World.
bool UrdfComposition::is_plain_base(const Edge& edge) const {
  return edge.item < 0 && touches_world(edge) && edge.from.port.empty() && edge.to.port.empty() &&
         edge.from.X_BP == Pose<double>::identity() && edge.to.X_BP == Pose<double>::identity();
}

void UrdfComposition::decide_on_world() {
  int at_world = 0, plain = 0;
  for (const Edge& edge : tree_.edges()) {
    at_world += touches_world(edge) ? 1 : 0;
    plain += is_plain_base(edge) ? 1 : 0;
  }
  const bool has_frames = std::any_of(tree_.free_frames().begin(), tree_.free_frames().end(),
                                      [](const auto& frame) { return frame.body == 0; });
  const std::size_t pieces = tree_.roots().size();
  if (has_frames) return;
  if (at_world == 1 && plain == 1 && pieces == 1) has_world_ = false;
  if (at_world == 0 && pieces == 2) {
    has_world_ = false;
    lost(concat("body ", quoted(link_name(tree_.roots()[1])),
                ": nothing connects it with World. It is the root of the file, and whether it is fixed or "
                "free is for the reader to say."));
  }
}

void UrdfComposition::add_links() {
  for (int body = 0; body < static_cast<int>(tree_.bodies().size()); ++body) {
    if (body > 0 || has_world_) robot_.links.push_back(make_link(body));
  }
}

UrdfLink UrdfComposition::make_link(int body) {
  UrdfLink link;
  link.name = link_name(body);
  const int number = tree_.bodies()[at(body)].item;
  if (number < 0) return link;
  const Kind& kind = *item(number).kind;
  if (const auto* frame = std::get_if<ReferenceFrame>(&kind)) {
    if (body > 0) changed(concat("reference frame ", quoted(link.name), ": it became a link that is fixed to World."));
    if (frame->motion == FrameMotion::prescribed) {
      lost(concat("reference frame ", quoted(link.name),
                  ": its prescribed motion cannot be expressed; it stands still."));
    }
    return link;
  }
  const RigidBody& rigid = std::get<RigidBody>(kind);
  const std::string subject = concat("body ", quoted(link.name));
  weigh(rigid, subject, link);
  add_shapes(rigid, subject, link);
  if (rigid.internal_momentum != Vec3<double>::zero())
    lost(concat(subject, ": its internal momentum cannot be expressed."));
  if (!rigid.constituents.empty()) changed(concat(subject, ": the bodies merged into it are not named."));
  return link;
}

void UrdfComposition::weigh(const RigidBody& body, const std::string& subject, UrdfLink& link) {
  RigidBody& weighed = link.body;
  weighed.mass = body.mass;
  weighed.com = body.com;
  weighed.inertia = body.inertia;
  if (body.density) {
    const auto M_B = mass_properties(body);
    if (M_B && M_B->m > 0) {
      weighed.mass = M_B->m;
      weighed.com = M_B->h * (1 / M_B->m);
      weighed.inertia = inertia_about_center(*M_B);
      changed(concat(subject, ": its density was turned into mass and inertia."));
    } else {
      lost(concat(subject, ": it has a density, but no shapes that can be weighed; its mass is left out."));
    }
  }
  link.has_inertial =
      weighed.mass != 0 || weighed.com != Vec3<double>::zero() || weighed.inertia != SymMat3<double>::zero();
}

void UrdfComposition::add_shapes(const RigidBody& body, const std::string& subject, UrdfLink& link) {
  int doubled = 0;
  for (const Shape& shape : body.shapes) {
    std::vector<Shape>& shapes = link.body.shapes;
    shapes.push_back(shape);
    if (shape.use == ShapeUse::both) {
      shapes.back().use = ShapeUse::visual;
      shapes.push_back(shape);
      shapes.back().use = ShapeUse::collision;
      ++doubled;
    } else if (shape.use == ShapeUse::collision && (shape.color || !shape.texture.empty())) {
      lost(concat(subject, ": the colour of the shape ", quoted(shape.name),
                  " cannot be expressed, since it is not seen."));
    }
  }
  if (doubled > 0) {
    changed(concat(subject, ": ", doubled, doubled == 1 ? " shape was" : " shapes were",
                   " written twice, as <visual> and as <collision>."));
  }
}

std::string UrdfComposition::add_massless(const std::string& wish) {
  UrdfLink link;
  link.name = free_name(link_names_, wish);
  robot_.links.push_back(link);
  return link.name;
}

// Pieces and frames -----------------------------------------------------------------------------------------

void UrdfComposition::add_fixed(const std::string& name, const std::string& parent, const std::string& child,
                                const Pose<double>& X_PC) {
  UrdfJoint joint;
  joint.name = name;
  joint.joint.kind = JointKind::fixed;
  joint.parent.name = parent;
  joint.child.name = child;
  joint.X_PF = X_PC;
  robot_.joints.push_back(std::move(joint));
}

/// Connects components that are not connected to World by free joints.
void UrdfComposition::add_roots() {
  if (!has_world_) return;
  for (std::size_t k = 1; k < tree_.roots().size(); ++k) {
    const std::string& name = link_name(tree_.roots()[k]);
    UrdfJoint joint;
    joint.name = free_name(joint_names_, name + "_free");
    joint.joint.kind = JointKind::free;
    joint.parent.name = std::string(world_name);
    joint.child.name = name;
    changed(concat("body ", quoted(name), ": nothing connects it with World. The floating joint ", quoted(joint.name),
                   " says so."));
    robot_.joints.push_back(std::move(joint));
  }
}

void UrdfComposition::add_frames() {
  for (const auto& [body, frame] : tree_.free_frames()) {
    const std::string& carrier = link_name(body);
    const bool taken = link_names_.contains(frame->name);
    const std::string link = add_massless(taken ? concat(carrier, ".", frame->name) : frame->name);
    const std::string joint = free_name(joint_names_, link + "_fixed");
    add_fixed(joint, carrier, link, frame->X_EF);
    changed(concat("body ", quoted(carrier), ": its frame ", quoted(frame->name), " became the massless link ",
                   quoted(link), "."));
  }
}

// Gears and drives ------------------------------------------------------------------------------------------

void UrdfComposition::add_gears() {
  for (const auto& shaft : tree_.shafts_together()) {
    lost(concat("joint ", quoted(item(shaft.item).name),
                ": its shaft is connected directly with that of another joint, which cannot be expressed; "
                "use a gear."));
  }
  for (int i = 0; i < static_cast<int>(tree_.items().size()); ++i) {
    if (const auto* gear = std::get_if<Gear>(item(i).kind)) add_gear(i, *gear);
  }
}

/// A gear between two joints becomes a mimic joint.
void UrdfComposition::add_gear(int i, const Gear& gear) {
  const std::string subject = concat("gear ", quoted(item(i).name));
  if (gear.inputs() != 1 || gear.outputs() != 1) {
    return lost(concat(subject, ": a gear with ", gear.inputs(), " inputs and ", gear.outputs(),
                       " outputs cannot be expressed."));
  }
  const auto &ins = tree_.shafts_at(i, "in1"), &outs = tree_.shafts_at(i, "out1");
  const bool between_two = ins.size() == 1 && outs.size() == 1 && joint_of_item_.contains(ins[0].item) &&
                           joint_of_item_.contains(outs[0].item) && ins[0].item != outs[0].item;
  if (!between_two)
    return lost(concat(subject, ": it is not between the shafts of two joints, and cannot be expressed."));
  UrdfJoint& follower = robot_.joints[joint_of_item_.at(ins[0].item)];
  const UrdfJoint& leader = robot_.joints[joint_of_item_.at(outs[0].item)];
  if (follower.mimic || leader.mimic || leaders_.contains(ins[0].item)) {
    return lost(concat(subject, ": a joint that mimics one that mimics another cannot be expressed."));
  }
  leaders_.insert(outs[0].item);
  follower.mimic = UrdfMimic{{leader.name, {}}, gear.ratio[0][0], gear.offset.empty() ? 0 : gear.offset[0]};
  if (item(i).name != follower.name + "_mimic") {
    changed(
        concat(subject, ": its name is not kept; joint ", quoted(follower.name), " mimics ", quoted(leader.name), "."));
  }
}

void UrdfComposition::add_drives() {
  for (int i = 0; i < static_cast<int>(tree_.items().size()); ++i) {
    if (const auto* drive = std::get_if<Drive>(item(i).kind)) add_drive(i, *drive);
  }
}

void UrdfComposition::add_drive(int i, const Drive& drive) {
  const std::string subject = concat("drive ", quoted(item(i).name));
  const auto& shafts = tree_.shafts_at(i, "joint");
  if (shafts.size() != 1 || !joint_of_item_.contains(shafts[0].item)) {
    return lost(concat(subject, ": it does not drive one joint with one degree of freedom, and cannot be expressed."));
  }
  driven_.insert(shafts[0].item);
  UrdfTransmission transmission;
  transmission.name = item(i).name;
  transmission_names_.insert(transmission.name);
  transmission.joints.push_back({robot_.joints[joint_of_item_.at(shafts[0].item)].name, {}});
  transmission.reduction = drive.gear;
  if (drive.rotor_inertia != 0) transmission.rotor.inertia = drive.rotor_inertia;
  robot_.transmissions.push_back(std::move(transmission));

  const auto check = [&](bool there, std::string_view what) {
    if (there) lost(concat(subject, ": its ", what, " cannot be expressed."));
  };
  check(drive.stiffness.has_value(), "stiffness");
  check(drive.damping != 0, "damping");
  check(drive.friction != 0, "friction");
  check(drive.viscous_friction != 0, "viscous_friction");
  check(drive.torque_limit.has_value(), "torque_limit");
  check(drive.speed_limit.has_value(), "speed_limit");
  check(drive.rotor_axis.has_value(), "rotor_axis");
  if (tree_.is_connected(i, "mounted_on")) {
    lost(concat(subject, ": where it is mounted cannot be expressed; its rotor only acts along the joint."));
  }
}

/// In URDF, a transmission marks a joint as actuated; without reduction it has no other effect.
void UrdfComposition::say_actuated(int i) {
  const std::string subject = concat("joint ", quoted(item(i).name));
  if (driven_.contains(i)) return changed(concat(subject, ": that it is actuated is said by its drive alone."));
  const auto joint = joint_of_item_.find(i);
  if (joint == joint_of_item_.end()) return lost(concat(subject, ": that it is actuated cannot be expressed."));
  UrdfTransmission transmission;
  transmission.name = free_name(transmission_names_, item(i).name + "_drive");
  transmission.joints.push_back({robot_.joints[joint->second].name, {}});
  changed(concat(subject, ": that it is actuated is said by the transmission ", quoted(transmission.name), "."));
  robot_.transmissions.push_back(std::move(transmission));
}

void UrdfComposition::report_rest() {
  for (int i = 0; i < static_cast<int>(tree_.items().size()); ++i) {
    const Kind& kind = *item(i).kind;
    const auto* joint = std::get_if<Joint>(&kind);
    if (joint != nullptr && joint->actuated) say_actuated(i);
    const bool expressed = joint != nullptr || frames_of(kind) != nullptr ||
                           std::holds_alternative<Displacement>(kind) || std::holds_alternative<Gear>(kind) ||
                           std::holds_alternative<Drive>(kind);
    if (!expressed)
      lost(concat(kind_name(kind), " ", quoted(item(i).name), ": it cannot be expressed and was left out."));
  }
}

}  // namespace articula::formats
