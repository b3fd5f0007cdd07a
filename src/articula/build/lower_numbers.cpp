#include <articula/build/lower_numbers.h>

#include <algorithm>
#include <cmath>

#include <articula/base/index.h>
#include <articula/base/text.h>
#include <articula/mechanism/joint_motion.h>
#include <articula/model/joint_axes.h>
#include <articula/spatial/orientation.h>

namespace articula::build {
namespace {

/// Axes closer than this to a coordinate axis differ from it only by rounding of composed rotations.
constexpr double rounding = 1e-14;

/// The coordinate axis that `axis` lies along; −1 if there is none.
int coordinate_axis(const Vec3<double>& axis) {
  for (int a = 0; a < 3; ++a) {
    if (std::abs(std::abs(axis[a]) - 1) > rounding) continue;
    if (std::abs(axis[(a + 1) % 3]) > rounding || std::abs(axis[(a + 2) % 3]) > rounding) continue;
    return a;
  }
  return -1;
}

/// A quaternion that is one within a check's tolerance becomes one.
void normalize(std::span<double> quaternion) {
  double square = 0;
  for (const double x : quaternion) square += x * x;
  if (square == 1) return;
  for (double& x : quaternion) x /= std::sqrt(square);
}

/// Readers normalize directions; directions from C++ may have any length.
Vec3<double> unit(const Direction& direction) {
  const double length = norm(direction.v);
  return length > 0 ? direction.v * (1 / length) : direction.v;
}

}  // namespace

void size_parameters(const Mechanism& mech, Parameters<double>& par) {
  const std::size_t bodies = mech.bodies.size(), dofs = at(mech.nv);
  par.X_PF.resize(bodies);
  par.placement.resize(bodies, PoseForm::shift);
  par.axis_sign.resize(bodies, 1.0);
  par.joint.resize(bodies);
  for (std::size_t b = 0; b < bodies; ++b) reset(par.joint[b], mech.bodies[b].joint);
  par.R_FJ.resize(bodies);
  par.M_B.resize(bodies);
  par.internal_momentum.resize(bodies);
  par.X_BF.resize(mech.frames.size());
  par.X_BC.resize(mech.provenance.constituents.size());
  par.M_C.resize(mech.provenance.constituents.size());
  par.internal_momentum_C.resize(mech.provenance.constituents.size());
  par.damping.resize(dofs);
  par.friction.resize(dofs);
  par.armature.resize(dofs);
  par.lower.resize(dofs, -Limits::none);
  par.upper.resize(dofs, Limits::none);
  par.speed_limit.resize(dofs, Limits::none);
  par.force_limit.resize(dofs, Limits::none);
  par.q_start.resize(at(mech.nq));
  par.forces.resize(mech.forces.size());
  for (std::size_t k = 0; k < mech.forces.size(); ++k) par.forces[k].factors.assign(mech.forces[k].dofs.size(), 0.0);
  par.constraints.resize(mech.constraints.size());
  par.rotors.resize(mech.rotors.size());
  par.torque_limit.resize(mech.rotors.size(), Limits::none);
  par.couplings.resize(mech.couplings.size());
  for (std::size_t c = 0; c < mech.couplings.size(); ++c) {
    par.couplings[c].factors.assign(mech.couplings[c].dofs.size(), 0.0);
    if (mech.couplings[c].entity < 0) par.couplings[c].factors = {1, -1};  // shafts that are connected: q_k − q₀ = 0
  }
}

BodyForm find_form(JointKind kind, const Pose<double>& X_PF) {
  const JointTraits joint = traits(kind);
  const bool turns = joint.is_turn();
  if (!turns && !joint.is_slide()) return {};
  const int a = coordinate_axis(X_PF.R.m.column(2));
  if (a < 0) return {};
  return {turns ? static_cast<PoseForm>(static_cast<int>(PoseForm::turn_x) + a) : PoseForm::shift,
          static_cast<AxisForm>(static_cast<int>(turns ? AxisForm::turn_x : AxisForm::slide_x) + a)};
}

void Numbers::write_environment() {
  std::visit(
      [&]<class Kind>(const Kind& gravity) {
        if constexpr (std::is_same_v<Kind, UniformGravity>) {
          par_.gravity_W = gravity.acceleration;
        } else {
          par_.gravity_field = gravity;
        }
      },
      prepared_.flat->environment.gravity);
}

// --- bodies and their joints ---------------------------------------------------------------------------------------

const Joint* Numbers::joint_of(int i) const {
  return branch(i).joint < 0 ? nullptr : std::get_if<Joint>(&entity(branch(i).joint).kind);
}

Pose<double> Numbers::node_pose(int joint, std::string_view port) const {
  return in_.groups.X_HN[at(in_.graph.node(in_.graph.find(joint, port)))];
}

/// The joint's own frame where its axis is written. The inverse of some kinds is the same kind about the opposite
/// axis: one that is written towards World is turned around.
Pose<double> Numbers::canonical(int i) const {
  Rotation<double> R_c = canonical_rotation(*joint_of(i));
  if (branch(i).reversed && !mech_.bodies[at(i)].reversed) R_c = R_c * rotation_about(0, -1.0, 0.0);
  return {R_c, Vec3<double>::zero()};
}

/// Where the joint stands in the parent body, itself placed already.
Pose<double> Numbers::placement(int i) const {
  const SpanningForest::Branch& own = branch(i);
  return X_BU_[at(branch(own.parent).group)] * node_pose(own.joint, own.reversed ? "to" : "from") * canonical(i);
}

/// The body's own frame: parallel to the parent's at q = 0 where the axis allows it, else the joint's frame.
void Numbers::place(int i, const Pose<double>& X_PF) {
  const SpanningForest::Branch& own = branch(i);
  const Pose<double> X_UM = node_pose(own.joint, own.reversed ? "from" : "to") * canonical(i);
  const Pose<double> X_MU = inverted(X_UM);
  const int a = mech_.bodies[at(i)].axis == AxisForm::general ? -1 : coordinate_axis(X_PF.R.m.column(2));
  if (a >= 0) {
    par_.axis_sign[at(i)] = X_PF.R.m(a, 2) > 0 ? 1 : -1;
    par_.X_PF[at(i)] = {Rotation<double>::identity(), X_PF.p};
    X_BU_[at(own.group)] = Pose<double>{X_PF.R, Vec3<double>::zero()} * X_MU;
  } else {
    par_.placement[at(i)] = X_PF.R == Rotation<double>::identity() ? PoseForm::shift : PoseForm::general;
    par_.X_PF[at(i)] = X_PF;
    X_BU_[at(own.group)] = X_MU;
  }
  par_.R_FJ[at(i)] = par_.X_PF[at(i)].R.inverse() * X_PF.R * canonical(i).R.inverse();
}

void Numbers::write_joint(int i) {
  const Joint& joint = *joint_of(i);
  const Body& body = mech_.bodies[at(i)];
  par_.joint[at(i)] = joint.parameters.of(joint.kind);
  const std::span<const double> neutral = traits(joint.kind).neutral;
  const std::span<const double> start = joint.start.empty() ? neutral : std::span<const double>(joint.start);
  const std::span<double> q_start = std::span(par_.q_start).subspan(at(body.q.first), at(body.q.count));
  std::copy(start.begin(), start.end(), q_start.begin());
  if (const int k = quaternion_in(joint.kind); k >= 0) normalize(q_start.subspan(at(k), 4));
  const auto entry = [](const auto& list, int k, auto otherwise) {
    return at(k) < list.size() ? list[at(k)] : otherwise;
  };
  for (int k = 0; k < body.v.count; ++k) {
    const auto dof = at(body.v.first + k);
    const Limits limits = entry(joint.limits, k, Limits{});
    par_.lower[dof] = limits.lower;
    par_.upper[dof] = limits.upper;
    par_.speed_limit[dof] = entry(joint.speed_limit, k, Limits::none);
    par_.force_limit[dof] = entry(joint.force_limit, k, Limits::none);
    par_.armature[dof] = 0;  // each rotor adds its own
    par_.damping[dof] = joint.damping;
    par_.friction[dof] = joint.friction;
  }
}

/// A reference frame with prescribed motion starts at its placement.
void Numbers::write_moving_frame(int i) {
  const auto& frame = std::get<ReferenceFrame>(entity(branch(i).joint).kind);
  const Quaternion<double> turn = quaternion_of(frame.placement.R);
  const Vec3<double>& p = frame.placement.p;
  auto q = par_.q_start.begin() + mech_.bodies[at(i)].q.first;
  for (const double x : {p.x, p.y, p.z, turn.x, turn.y, turn.z, turn.w}) *q++ = x;
}

/// Of the group's host; what is fixed to a reference frame is kept as its constituents.
void Numbers::write_inertia(int i) {
  const int group = branch(i).group;
  Inertia<double> M_U;
  const Kind& host = entity(in_.groups.groups[at(group)].host).kind;
  if (const auto* body = std::get_if<RigidBody>(&host)) {
    M_U = mass_properties(*body).value_or(Inertia<double>{});
  } else if (const auto* frame = std::get_if<ReferenceFrame>(&host)) {
    for (const Constituent& c : frame->constituents) M_U += c.X_BC * c.M_C;
  }
  par_.M_B[at(i)] = X_BU_[at(group)] * M_U;
  par_.internal_momentum[at(i)] = Vec3<double>::zero();  // each constituent adds its own
}

void Numbers::write_frames() {
  for (std::size_t f = 0; f < prepared_.node_of_frame.size(); ++f) {
    const auto node = at(prepared_.node_of_frame[f]);
    par_.X_BF[f] = X_BU_[at(in_.groups.group_of_node[node])] * in_.groups.X_HN[node];
  }
}

/// The frame table contains the bodies of the user, each with its own frame first.
void Numbers::write_constituents() {
  std::size_t frame = 0, constituent = 0;
  for (const Entity& owner : prepared_.flat->entities()) {
    const std::vector<Frame>* frames = frames_of(owner.kind);
    if (frames == nullptr) continue;
    if (const auto* body = std::get_if<RigidBody>(&owner.kind)) {
      par_.X_BC[constituent] = par_.X_BF[frame];
      par_.M_C[constituent] = mass_properties(*body).value_or(Inertia<double>{});
      par_.internal_momentum_C[constituent] = body->internal_momentum;
      par_.internal_momentum[at(mech_.frames[frame].body)] += par_.X_BF[frame].R * body->internal_momentum;
      ++constituent;
    }
    frame += 1 + frames->size();
  }
}

// --- elements ------------------------------------------------------------------------------------------------------

void Numbers::write_elements() {
  bodies_are_placed_ = false;
  const auto& entities = prepared_.flat->entities();
  for (std::size_t e = 0; e < entities.size(); ++e) {
    const Provenance::Entry& entry = mech_.provenance.entities[e];
    std::visit([&](const auto& kind) { write_element(entry, kind); }, entities[e].kind);
  }
}

/// Tree joints have their parameters already; this is a joint at which a loop is cut.
void Numbers::write_element(const Provenance::Entry& entry, const Joint& joint) {
  if (entry.place != Provenance::Place::constraint) return;
  ConstraintNumbers<double>& numbers = par_.constraints[at(entry.index)];
  numbers.joint = joint.parameters.of(joint.kind);
  numbers.axis = unit(joint.axis);
  numbers.normal = unit(joint.second_axis);
}
void Numbers::write_element(const Provenance::Entry& entry, const ConnectingRod& rod) {
  ConstraintNumbers<double>& numbers = par_.constraints[at(entry.index)];
  numbers.length = rod.length;
  numbers.mass = rod.mass;
}
void Numbers::write_element(const Provenance::Entry& entry, const ContactPoint& contact) {
  ConstraintNumbers<double> numbers;
  numbers.radius = contact.radius;
  numbers.friction = contact.friction;
  numbers.restitution = contact.restitution;
  if (const auto& ground = prepared_.flat->environment.ground) {
    numbers.normal = unit(ground->normal);
    numbers.friction *= ground->friction;
  }
  par_.constraints[at(entry.index)] = numbers;
}
void Numbers::write_element(const Provenance::Entry& entry, const Rolling& rolling) {
  ConstraintNumbers<double>& numbers = par_.constraints[at(entry.index)];
  numbers.radius = rolling.radius;
  numbers.axis = unit(rolling.axis);
  numbers.normal = unit(rolling.normal);
  numbers.side_slip = rolling.side_slip;
}

void Numbers::write_element(const Provenance::Entry& entry, const Spring& spring) {
  write_force(entry, spring.stiffness, 0, spring.rest, 0);
}
void Numbers::write_element(const Provenance::Entry& entry, const Damper& damper) {
  write_force(entry, 0, damper.damping, 0, 0);
}
void Numbers::write_element(const Provenance::Entry& entry, const SpringDamperActuator& sda) {
  write_force(entry, sda.stiffness, sda.damping, sda.rest, sda.force);
}
void Numbers::write_force(const Provenance::Entry& entry, double stiffness, double damping, double rest, double force) {
  if (entry.place != Provenance::Place::force) return;  // on the shaft of a locked rotor
  const ForceElement& element = mech_.forces[at(entry.index)];
  ForceNumbers<double>& numbers = par_.forces[at(entry.index)];
  numbers.stiffness = stiffness, numbers.damping = damping, numbers.rest = rest, numbers.force = force;
  if (element.kind != ForceElement::Kind::shaft) return;
  const std::array<int, 2>& nodes = prepared_.shafts.of_force[at(entry.index)];
  std::fill(numbers.factors.begin(), numbers.factors.end(), 0.0);
  numbers.offset = 0;
  add_shaft_of(entry, nodes[0], 1, {element.dofs, numbers.factors, numbers.offset});
  add_shaft_of(entry, nodes[1], -1, {element.dofs, numbers.factors, numbers.offset});
}
void Numbers::add_shaft_of(const Provenance::Entry& entry, int node, double factor, const ShaftSum& sum) {
  if (add_shaft(prepared_.shafts, *in_.model, node, factor, sum)) return;
  throw Error(
      "gear-singular", {},
      concat(entry.kind, " ", quoted(entry.name),
             " is on a shaft that follows from a gear, whose ratio matrix is singular: the angle of the shaft is "
             "not determined. Give the gear a regular ratio matrix."));
}
void Numbers::write_element(const Provenance::Entry& entry, const ExternalForce& force) {
  par_.forces[at(entry.index)].wrench = {force.moment, force.force};
}

/// in − ratio·out = offset, one relation for each input.
void Numbers::write_element(const Provenance::Entry& entry, const Gear& gear) {
  if (entry.place != Provenance::Place::coupling) return;  // between locked rotors and joints
  const int place = static_cast<int>(&entry - mech_.provenance.entities.data());
  const ShaftPlan::Geared& geared = prepared_.shafts.gears[at(prepared_.shafts.gear_of_flat.at(place))];
  for (std::size_t k = 0; k < gear.inputs(); ++k) {
    CouplingNumbers<double>& numbers = par_.couplings[at(entry.index) + k];
    std::fill(numbers.factors.begin(), numbers.factors.end(), 0.0);
    double offset = 0;
    const ShaftSum sum{mech_.couplings[at(entry.index) + k].dofs, numbers.factors, offset};
    add_shaft_of(entry, geared.inputs[k], 1, sum);
    for (std::size_t j = 0; j < gear.outputs(); ++j) add_shaft_of(entry, geared.outputs[j], -gear.ratio[k][j], sum);
    numbers.offset = (k < gear.offset.size() ? gear.offset[k] : 0) - offset;
  }
}

void Numbers::write_element(const Provenance::Entry& entry, const Rotor& rotor) {
  RotorNumbers<double> numbers;
  numbers.inertia = rotor.inertia;
  numbers.axis = unit(rotor.axis);
  write_rotor(entry, numbers);
}
void Numbers::write_element(const Provenance::Entry& entry, const Drive& drive) {
  const RotorElement& rotor = mech_.rotors[at(entry.index)];
  RotorNumbers<double> numbers;
  numbers.inertia = drive.rotor_inertia;
  numbers.gear = drive.gear;
  if (drive.stiffness) numbers.stiffness = *drive.stiffness;
  numbers.damping = drive.damping;
  // Friction is given on the side of the joint. Behind a spring it acts on the rotor.
  const double gear = rotor.spring < 0 ? 1 : std::abs(drive.gear);
  numbers.friction = drive.friction / gear;
  numbers.viscous_friction = drive.viscous_friction / (gear * gear);
  if (rotor.resisted >= 0) {
    double& speed = par_.speed_limit[at(rotor.resisted)];
    if (rotor.spring >= 0) speed = Limits::none;
    speed = std::min(speed, drive.speed_limit.value_or(Limits::none) * gear);
    par_.torque_limit[at(entry.index)] = drive.torque_limit.value_or(Limits::none) / gear;
  }
  if (drive.rotor_axis) {
    numbers.axis = unit(*drive.rotor_axis);
  } else if (rotor.frame >= 0 && rotor.dof >= 0) {
    numbers.axis = joint_axis(rotor.dof, rotor.frame);
  }
  if (rotor.coupling >= 0) par_.couplings[at(rotor.coupling)].factors = {1, -drive.gear};
  if (rotor.spring >= 0) {
    ForceNumbers<double>& spring = par_.forces[at(rotor.spring)];
    spring.stiffness = *drive.stiffness, spring.damping = drive.damping;
    spring.factors[0] = 1 / drive.gear, spring.factors[1] = -1;
    // It starts without torque.
    par_.q_start[at(position_of(mech_, rotor.resisted))] = drive.gear * par_.q_start[at(position_of(mech_, rotor.dof))];
  }
  write_rotor(entry, numbers);
}

/// What rotors add along their joints.
void Numbers::write_rotor(const Provenance::Entry& entry, const RotorNumbers<double>& numbers) {
  const RotorElement& rotor = mech_.rotors[at(entry.index)];
  par_.rotors[at(entry.index)] = numbers;
  if (rotor.form == RotorForm::along_joint) {
    par_.armature[at(rotor.dof)] += numbers.gear * numbers.gear * numbers.inertia;
  } else if (rotor.form == RotorForm::exchanged) {
    exchange_inertias(rotor, numbers);
  }
}

/// The sine of the angle between axes that count as parallel; rotors.cpp, where they are chosen, is stricter.
constexpr double parallel_axes = 1e-11;

static void add_axial(Inertia<double>& M, double J, const Vec3<double>& a) {
  for (int i = 0; i < 3; ++i) {
    for (int j = i; j < 3; ++j) M.I(i, j) += J * a[i] * a[j];
  }
}

/// I_from −= n·J·a·aᵀ, I_to += n·J·a·aᵀ, armature += n·(n ∓ 1)·J: the rotor on the body at port `from`, or `to`.
void Numbers::exchange_inertias(const RotorElement& rotor, const RotorNumbers<double>& numbers) {
  const int i = mech_.body_of_dof[at(rotor.dof)], p = mech_.bodies[at(i)].parent;
  const SpanningForest::Branch& own = branch(i);
  const auto axis_in = [&](int body, std::string_view port) {
    const Vec3<double> along = unit(std::get<Joint>(entity(own.joint).kind).axis);
    return X_BU_[at(branch(body).group)].R * (node_pose(own.joint, port).R * along);
  };
  const int from = own.reversed ? i : p, to = own.reversed ? p : i;
  const Vec3<double> a_from = axis_in(from, "from"), a_to = axis_in(to, "to");
  const Vec3<double> a = par_.X_BF[at(rotor.frame)].R * numbers.axis, &along = rotor.on_from ? a_from : a_to;
  if (!(norm(cross(a, along)) <= parallel_axes)) {
    throw Error("structure-changed", {},
                concat(mech_.provenance.entities[at(rotor.entity)].kind, " ",
                       quoted(mech_.provenance.entities[at(rotor.entity)].name),
                       ": the axis of its rotor was parallel to that of its joint, and is not any more."));
  }
  const double n = dot(a, along) > 0 ? numbers.gear : -numbers.gear, J = numbers.inertia;
  add_axial(par_.M_B[at(from)], -n * J, a_from);
  add_axial(par_.M_B[at(to)], n * J, a_to);
  par_.armature[at(rotor.dof)] += n * (rotor.on_from ? n - 1 : n + 1) * J;
}

/// The frame of a rotor's joint in its carrier, with the rotor's axis as z.
Pose<double> Numbers::rotor_placement(int i) const {
  const int r = mech_.bodies[at(i)].rotor, frame = mech_.rotors[at(r)].frame;
  const Pose<double> X_PM = frame < 0 ? Pose<double>::identity() : par_.X_BF[at(frame)];
  return X_PM * Pose<double>{rotation_z_to(par_.rotors[at(r)].axis), Vec3<double>::zero()};
}

/// As `place`; its inertia about its axis is taken from its carrier.
void Numbers::place_rotor(int i, const Pose<double>& X_PF) {
  const Body& body = mech_.bodies[at(i)];
  const double J = par_.rotors[at(body.rotor)].inertia;
  const Vec3<double> axis_P = X_PF.R.m.column(2);
  const int a = body.axis == AxisForm::general ? -1 : coordinate_axis(axis_P);
  par_.M_B[at(i)] = Inertia<double>{};
  if (a >= 0) {
    par_.axis_sign[at(i)] = X_PF.R.m(a, 2) > 0 ? 1 : -1;
    par_.X_PF[at(i)] = {Rotation<double>::identity(), X_PF.p};
    add_axial(par_.M_B[at(i)], J, Vec3<double>::unit(a));
  } else {
    par_.placement[at(i)] = PoseForm::general;
    par_.X_PF[at(i)] = X_PF;
    add_axial(par_.M_B[at(i)], J, Vec3<double>::unit(2));
  }
  par_.R_FJ[at(i)] = Rotation<double>::identity();
  if (body.parent > 0) add_axial(par_.M_B[at(body.parent)], -J, axis_P);
}

/// The poses of all bodies at the start.
void Numbers::place_bodies() {
  X_WB_.resize(mech_.bodies.size());
  for (int i = 1; i < mech_.size(); ++i) {
    X_WB_[at(i)] = X_WB_[at(mech_.bodies[at(i)].parent)] * joint_motion(mech_, par_, i, par_.q_start.data()).X_PB;
  }
  bodies_are_placed_ = true;
}

/// The joint's axis in a frame, at the start: the same at every q if the frame is on one of the joint's bodies.
Vec3<double> Numbers::joint_axis(int dof, int frame) {
  if (!bodies_are_placed_) place_bodies();
  const int i = mech_.body_of_dof[at(dof)];
  const Body& body = mech_.bodies[at(i)];
  const Motion<double> H_B = joint_motion(mech_, par_, i, par_.q_start.data()).H_B[at(dof - body.v.first)];
  // As written: the port `to` moves along it in `from`, whichever of them the tree holds.
  const Vec3<double> along = norm(H_B.w) > 0 ? H_B.w : H_B.v;
  const Vec3<double> axis_W = X_WB_[at(i)].R * along * (branch(i).reversed ? -1.0 : 1.0);
  const FlatFrame& mount = mech_.frames[at(frame)];
  return par_.X_BF[at(frame)].R.rotate_back(X_WB_[at(mount.body)].R.rotate_back(axis_W));
}

}  // namespace articula::build
