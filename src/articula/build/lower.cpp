#include <articula/build/lower.h>

#include <cmath>

#include <articula/base/text.h>
#include <articula/build/lower_elements.h>
#include <articula/spatial/orientation.h>

namespace articula {
namespace {

std::size_t at(int k) { return static_cast<std::size_t>(k); }

/// Axes this near to a coordinate axis differ from it by the rounding of composed rotations only.
constexpr double rounding = 1e-14;

/// The orientation of a joint's canonical frame in the frame where its axis is written.
Rotation<double> canonical_rotation(const Joint& joint) {
  const Vec3<double> axis = joint.axis.v * (1 / norm(joint.axis.v));
  switch (traits(joint.kind).axis_use) {
    case AxisUse::none: return Rotation<double>::identity();
    case AxisUse::one: return rotation_z_to(axis);
    case AxisUse::two: break;
  }
  // The second axis is at right angles to the first within a check's tolerance; here it is exactly so.
  const Vec3<double> across = cross(axis, joint.second_axis.v);
  const Vec3<double> z = across * (1 / norm(across)), y = cross(z, axis);
  return Rotation<double>{Mat3<double>{{axis, y, z}}.transpose()};
}

/// Kinds whose inverse is the same kind about the opposite axis.
bool flips(JointKind kind) {
  return kind == JointKind::revolute || kind == JointKind::prismatic || kind == JointKind::helical ||
         kind == JointKind::cylindrical;
}

class Lowering {
 public:
  explicit Lowering(const Prepared& prepared) : prepared_(prepared), in_(*prepared.merged) {}

  Lowered run() {
    mech_.name = prepared_.flat->name;
    lower_environment();
    body_of_group_.assign(in_.groups.groups.size(), -1);
    X_BU_.resize(in_.groups.groups.size());
    for (const SpanningForest::Branch& branch : prepared_.forest.branches) add_body(branch);
    mech_.nq = static_cast<int>(mech_.layout.q.size());
    mech_.nv = static_cast<int>(mech_.layout.v.size());
    add_frames();
    add_provenance();
    const PiecePlaces pieces = lower_pieces(prepared_, mech_);
    const FlatPlaces places{in_, body_of_group_, X_BU_, joint_body_, pieces};
    lower_elements(prepared_, places, mech_, par_);
    return {std::move(mech_), std::move(par_)};
  }

 private:
  const Entity& entity(int e) const { return in_.model->entities()[at(e)]; }

  void lower_environment() {
    const Gravity& gravity = prepared_.flat->environment.gravity;
    if (const auto* uniform = std::get_if<UniformGravity>(&gravity)) {
      par_.gravity_W = uniform->acceleration;
    } else {
      const auto& central = std::get<CentralGravity>(gravity);
      mech_.uniform_gravity = false;
      par_.gravity_center_W = central.center;
      par_.gravity_mu = central.mu;
    }
  }

  /// One branch of the forest becomes a body; its group's frame U of the user gets a place X_BU in it.
  void add_body(const SpanningForest::Branch& branch) {
    const int i = mech_.size();
    body_of_group_[at(branch.group)] = i;
    mech_.bodies.emplace_back();
    par_.X_PF.emplace_back();
    par_.axis_sign.push_back(1);
    par_.joint.emplace_back();
    par_.R_FJ.emplace_back();
    if (branch.joint >= 0) {
      mech_.bodies[at(i)].parent = branch.parent;
      const Kind& kind = entity(branch.joint).kind;
      if (const auto* joint = std::get_if<Joint>(&kind)) {
        attach_by_joint(i, branch, *joint);
      } else if (const auto* frame = std::get_if<ReferenceFrame>(&kind)) {
        attach_moving_frame(i, branch, *frame);
      } else {
        refuse(entity(branch.joint));
      }
    }
    add_inertia(branch.group);
  }

  [[noreturn]] static void refuse(const Entity& entity) {
    throw Error("not-computable", entity.where,
                concat(to_text(entity), " can be described, checked and stored, but not yet computed with. Replace it "
                       "by rigid bodies and joints for now."));
  }

  Pose<double> node_pose(int joint, std::string_view port) const {
    return in_.groups.X_HN[at(in_.graph.node(in_.graph.find(joint, port)))];
  }

  void attach_by_joint(int i, const SpanningForest::Branch& branch, const Joint& joint) {
    const auto k = at(i);
    Body& body = mech_.bodies[k];
    body.joint = joint.kind;
    Rotation<double> R_c = canonical_rotation(joint);
    if (branch.reversed && flips(joint.kind)) R_c = R_c * rotation_about(0, -1.0, 0.0);
    body.reversed = branch.reversed && !flips(joint.kind);
    const Pose<double> C{R_c, Vec3<double>::zero()};
    const int parent_group = prepared_.forest.branches[at(branch.parent)].group;
    const Pose<double> X_PF = X_BU_[at(parent_group)] * node_pose(branch.joint, branch.reversed ? "to" : "from") * C;
    const Pose<double> X_UM = node_pose(branch.joint, branch.reversed ? "from" : "to") * C;
    choose_frame(i, joint.kind, X_PF, X_UM, branch.group);
    par_.R_FJ[k] = par_.X_PF[k].R.inverse() * X_PF.R * R_c.inverse();
    par_.joint[k].pitch = joint.pitch;
    joint_body_[branch.joint] = i;
    add_coordinates(body, entity(branch.joint).name, joint.prescribed);
    add_joint_numbers(joint, body);
  }

  /// The body's own frame: parallel to the parent's at q = 0 where the axis allows it, else the joint's frame.
  void choose_frame(int i, JointKind kind, const Pose<double>& X_PF, const Pose<double>& X_UM, int group) {
    const auto k = at(i);
    Body& body = mech_.bodies[k];
    const Pose<double> X_MU = inverted(X_UM);
    if (kind == JointKind::revolute || kind == JointKind::prismatic) {
      const Vec3<double> axis = X_PF.R.m.column(2);
      for (int a = 0; a < 3; ++a) {
        if (std::abs(std::abs(axis[a]) - 1) > rounding) continue;
        if (std::abs(axis[(a + 1) % 3]) > rounding || std::abs(axis[(a + 2) % 3]) > rounding) continue;
        const bool turns = kind == JointKind::revolute;
        body.axis = static_cast<AxisForm>(static_cast<int>(turns ? AxisForm::turn_x : AxisForm::slide_x) + a);
        body.form = turns ? static_cast<PoseForm>(static_cast<int>(PoseForm::turn_x) + a) : PoseForm::shift;
        par_.axis_sign[k] = axis[a] > 0 ? 1 : -1;
        par_.X_PF[k] = {Rotation<double>::identity(), X_PF.p};
        X_BU_[at(group)] = Pose<double>{X_PF.R, Vec3<double>::zero()} * X_MU;
        return;
      }
    }
    par_.X_PF[k] = X_PF;
    X_BU_[at(group)] = X_MU;
  }

  /// A reference frame that moves as told: six prescribed degrees of freedom.
  void attach_moving_frame(int i, const SpanningForest::Branch& branch, const ReferenceFrame& frame) {
    Body& body = mech_.bodies[at(i)];
    body.joint = JointKind::free;
    X_BU_[at(branch.group)] = Pose<double>::identity();
    joint_body_[branch.joint] = i;
    add_coordinates(body, entity(branch.joint).name, true);
    const Quaternion<double> turn = quaternion_of(frame.placement.R);
    const Vec3<double>& p = frame.placement.p;
    for (const double x : {p.x, p.y, p.z, turn.x, turn.y, turn.z, turn.w}) par_.q_start.push_back(x);
    pad_dofs(6);
  }

  void add_coordinates(Body& body, const std::string& name, bool prescribed) {
    const JointTraits joint = traits(body.joint);
    StateLayout& layout = mech_.layout;
    body.q = {static_cast<int>(layout.q.size()), joint.nq()};
    body.v = {static_cast<int>(layout.v.size()), joint.nv()};
    for (const Coordinate& c : joint.q) layout.q.push_back(joint.nq() == 1 ? name : concat(name, ".", c.name));
    for (const Coordinate& c : joint.v) layout.v.push_back(joint.nv() == 1 ? name : concat(name, ".", c.name));
    layout.blocks.push_back({StateKind::position, name, body.q});
    layout.blocks.push_back({StateKind::velocity, name, body.v});
    const int i = static_cast<int>(&body - mech_.bodies.data());
    for (int k = 0; k < joint.nv(); ++k) {
      mech_.body_of_dof.push_back(i);
      mech_.roles.push_back(prescribed ? DofRole::prescribed : DofRole::free);
    }
  }

  void add_joint_numbers(const Joint& joint, const Body& body) {
    const std::span<const double> neutral = traits(joint.kind).neutral;
    const std::span<const double> start = joint.start.empty() ? neutral : std::span<const double>(joint.start);
    par_.q_start.insert(par_.q_start.end(), start.begin(), start.end());
    if (body.q.count > body.v.count) normalize(std::span(par_.q_start).last(4));
    const auto entry = [](const auto& list, int k, auto otherwise) {
      return at(k) < list.size() ? list[at(k)] : otherwise;
    };
    for (int k = 0; k < body.v.count; ++k) {
      const Limits limits = entry(joint.limits, k, Limits{});
      par_.lower.push_back(limits.lower);
      par_.upper.push_back(limits.upper);
      par_.speed_limit.push_back(entry(joint.speed_limit, k, Limits::none));
      par_.force_limit.push_back(entry(joint.force_limit, k, Limits::none));
      par_.damping.push_back(joint.damping);
      par_.friction.push_back(joint.friction);
    }
  }

  /// A quaternion that is one within a check's tolerance becomes one.
  static void normalize(std::span<double> quaternion) {
    double square = 0;
    for (const double x : quaternion) square += x * x;
    if (square == 1) return;
    for (double& x : quaternion) x /= std::sqrt(square);
  }

  void pad_dofs(int count) {
    for (int k = 0; k < count; ++k) {
      par_.lower.push_back(-Limits::none);
      par_.upper.push_back(Limits::none);
      par_.speed_limit.push_back(Limits::none);
      par_.force_limit.push_back(Limits::none);
      par_.damping.push_back(0);
      par_.friction.push_back(0);
    }
  }

  /// Of the group's host; what is fixed to a reference frame is kept as its constituents.
  void add_inertia(int group) {
    Inertia<double> M_U;
    const Kind& host = entity(in_.groups.groups[at(group)].host).kind;
    if (const auto* body = std::get_if<RigidBody>(&host)) {
      M_U = mass_properties(*body).value_or(Inertia<double>{});
    } else if (const auto* frame = std::get_if<ReferenceFrame>(&host)) {
      for (const Constituent& c : frame->constituents) M_U += c.X_BC * c.M_C;
    }
    par_.M_B.push_back(X_BU_[at(group)] * M_U);
    par_.internal_momentum.push_back(Vec3<double>::zero());  // each constituent adds its own
  }

  /// Every frame of every body of the user, wherever it went.
  void add_frames() {
    const Model& flat = *prepared_.flat;
    for (const Entity& owner : flat.entities()) {
      if (family_of(owner.kind) != Family::body) continue;
      for_each_port(owner, [&](std::string_view port, PortType) { add_frame({owner.name, std::string(port)}); });
    }
  }

  void add_frame(const PortRef& name) {
    const auto moved = prepared_.moved.find(name);
    const int port = in_.graph.find(moved == prepared_.moved.end() ? name : moved->second);
    const int node = in_.graph.node(port), group = in_.groups.group_of_node[at(node)];
    mech_.frames.push_back({name, body_of_group_[at(group)], false});
    par_.X_BF.push_back(X_BU_[at(group)] * in_.groups.X_HN[at(node)]);
  }

  void add_provenance() {
    std::size_t frame = 0;
    for (const Entity& owner : prepared_.flat->entities()) {
      Provenance::Entry entry{owner.name, std::string(kind_name(owner.kind)), Provenance::Place::none, -1};
      if (const std::vector<Frame>* frames = frames_of(owner.kind)) {
        entry.place = Provenance::Place::body;
        entry.index = mech_.frames[frame].body;
        if (const auto* body = std::get_if<RigidBody>(&owner.kind)) {
          mech_.provenance.constituents.push_back(
              {owner.name, entry.index, static_cast<int>(mech_.provenance.entities.size())});
          par_.X_BC.push_back(par_.X_BF[frame]);
          par_.M_C.push_back(mass_properties(*body).value_or(Inertia<double>{}));
          par_.internal_momentum_C.push_back(body->internal_momentum);
          par_.internal_momentum[at(entry.index)] += par_.X_BF[frame].R * body->internal_momentum;
        }
        frame += 1 + frames->size();
      } else if (is_rigid(owner)) {
        entry.place = Provenance::Place::merged;
      }
      if (const Entity* kept = in_.model->find(owner.name, family_of(owner.kind)); kept != nullptr) {
        const auto joint = joint_body_.find(static_cast<int>(kept - in_.model->entities().data()));
        if (joint != joint_body_.end()) {
          // Not a moving frame, which is a body and carries itself.
          if (std::holds_alternative<Joint>(owner.kind)) entry.place = Provenance::Place::joint;
          entry.index = joint->second;
          mech_.bodies[at(joint->second)].entity = static_cast<int>(mech_.provenance.entities.size());
        }
      }
      mech_.provenance.entities.push_back(std::move(entry));
    }
  }

  const Prepared& prepared_;
  const ModelGraph& in_;
  std::vector<int> body_of_group_;
  std::vector<Pose<double>> X_BU_;  ///< of each group's host in its flat body
  std::unordered_map<int, int> joint_body_;
  Mechanism mech_;
  Parameters<double> par_;
};

}  // namespace

Lowered lower(const Prepared& prepared) { return Lowering(prepared).run(); }

}  // namespace articula
