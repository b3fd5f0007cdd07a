#include "peers/tree.h"

#include <algorithm>
#include <map>
#include <stdexcept>

namespace articula::test {

bool Tree::is_chain() const {
  for (std::size_t k = 0; k < links.size(); ++k) {
    if (links[k].parent != static_cast<int>(k) - 1) return false;
  }
  return true;
}

bool Tree::has(JointKind kind) const {
  return std::any_of(links.begin(), links.end(), [&](const Link& link) { return link.joint.kind == kind; });
}

std::string body_name(int link) { return "b" + std::to_string(link); }
std::string joint_name(int link) { return "j" + std::to_string(link); }

Matrix3d tilde(const Vector3d& a) {
  Matrix3d m;
  m << 0, -a.z(), a.y(), a.z(), 0, -a.x(), -a.y(), a.x(), 0;
  return m;
}

// --- random trees -------------------------------------------------------------------------------------------------

/// Eight points make a body that can be.
static RigidBody random_body(Random& random) {
  Inertia<double> sum;
  for (int k = 0; k < 8; ++k) {
    const double m = random.number(0.1, 0.5);
    sum += inertia_about_origin(m, 0.4 * random.vec3(), SymMat3<double>::zero());
  }
  RigidBody body;
  body.mass = sum.m;
  body.com = sum.h * (1 / sum.m);
  body.inertia = inertia_about_center(sum);
  return body;
}

static Joint random_joint(Random& random, JointKind kind, bool aligned) {
  Joint joint{.kind = kind, .axis = {random.direction()}};
  if (aligned) joint.axis = {(random.chance(0.5) ? 1.0 : -1.0) * Vec3<double>::unit(random.below(3))};
  if (traits(kind).axis_use == AxisUse::two) {
    Vec3<double> across = cross(joint.axis.v, random.direction());
    while (norm(across) < 0.1) across = cross(joint.axis.v, random.direction());
    joint.second_axis.v = across * (1 / norm(across));
  }
  if (kind == JointKind::helical) joint.parameters.of<Helical>().pitch = random.number();
  return joint;
}

/// The inverse of a motion about one axis is the motion about the opposite axis.
static bool is_screw(JointKind kind) {
  return kind == JointKind::revolute || kind == JointKind::prismatic || kind == JointKind::helical ||
         kind == JointKind::cylindrical;
}

Tree random_tree(std::uint32_t seed, const TreeOptions& options) {
  Random random(seed);
  Tree tree{.name = "seed " + std::to_string(seed), .gravity = 9.81 * dense(random.direction())};
  const int count = 1 + random.below(options.most_bodies);
  const bool floating = random.chance(options.floating);
  for (int k = 0; k < count; ++k) {
    Link link;
    link.parent = options.chain || random.chance(0.6) ? k - 1 : random.below(k + 1) - 1;
    const bool aligned = random.chance(0.5);
    link.joint = random_joint(random, k == 0 && floating ? JointKind::free : random.one_of(options.kinds), aligned);
    link.joint.prescribed = k == 0 && floating && random.chance(options.moving);
    link.reversed = is_screw(link.joint.kind) && random.chance(0.3);
    link.X_PF = dense(random.pose(aligned));
    if (random.chance(0.7)) link.X_BM = dense(random.pose(aligned));
    link.body = random_body(random);
    tree.links.push_back(link);
  }
  return tree;
}

// --- to and from Articula's models --------------------------------------------------------------------------------

static Pose<double> pose_of(const Isometry3d& X) {
  Pose<double> pose;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) pose.R.m(i, j) = X(i, j);
    pose.p[i] = X(i, 3);
  }
  return pose;
}

Model to_model(const Tree& tree) {
  Model model(tree.name);
  model.environment.gravity = UniformGravity{{tree.gravity.x(), tree.gravity.y(), tree.gravity.z()}};
  for (int k = 0; k < static_cast<int>(tree.links.size()); ++k) {
    const Link& link = tree.links[static_cast<std::size_t>(k)];
    model.add(body_name(k), link.body);
    const std::string parent = link.parent < 0 ? std::string(world_name) : body_name(link.parent);
    const Attachment on_parent(parent, pose_of(link.X_PF)), on_body(body_name(k), pose_of(link.X_BM));
    if (link.reversed) {
      model.add(joint_name(k), link.joint, on_body, on_parent);
    } else {
      model.add(joint_name(k), link.joint, on_parent, on_body);
    }
  }
  return model;
}

namespace {

/// The body or reference frame that a joint's port is connected to, and where on it.
std::pair<std::string, Isometry3d> place_of(const Model& model, const PortRef& port) {
  for (const Connection& connection : model.connections()) {
    if (std::find(connection.ports.begin(), connection.ports.end(), port) == connection.ports.end()) continue;
    for (const PortRef& other : connection.ports) {
      const Entity* entity = model.find(other.entity, Family::body);
      if (entity == nullptr || other == port) continue;
      for (const Frame& frame : *frames_of(entity->kind)) {
        if (frame.name == other.port) return {other.entity, dense(frame.X_EF)};
      }
      if (other.port.empty()) return {other.entity, Isometry3d::Identity()};
    }
  }
  throw std::invalid_argument("no body at " + to_text(port));
}

}  // namespace

Tree to_tree(const Model& model) {
  Tree tree{.name = model.name, .gravity = dense(std::get<UniformGravity>(model.environment.gravity).acceleration)};
  std::map<std::string, int> link_of{{std::string(world_name), -1}};
  for (const Entity& entity : model.entities()) {
    const auto* joint = std::get_if<Joint>(&entity.kind);
    if (joint == nullptr) continue;
    const auto [parent, X_PF] = place_of(model, {entity.name, "from"});
    const auto [body, X_BM] = place_of(model, {entity.name, "to"});
    link_of.emplace(body, static_cast<int>(tree.links.size()));
    RigidBody own = model.at<RigidBody>(body);
    own.frames.clear();
    own.shapes.clear();
    tree.links.push_back({link_of.at(parent), *joint, false, X_PF, X_BM, own});
  }
  return tree;
}

// --- joints as sequences ------------------------------------------------------------------------------------------

std::vector<Elementary> elementary_joints(const Link& link) {
  constexpr auto slide = Elementary::Kind::slide, turn = Elementary::Kind::turn;
  const Elementary ball{Elementary::Kind::ball, Vector3d::UnitZ()};
  const Joint& joint = link.joint;
  const Vector3d a = (link.reversed ? -1 : 1) * dense(joint.axis.v).normalized();
  switch (joint.kind) {
    case JointKind::revolute: return {{turn, a}};
    case JointKind::prismatic: return {{slide, a}};
    case JointKind::helical:
    case JointKind::cylindrical: return {{slide, a}, {turn, a}};
    case JointKind::universal: return {{turn, a}, {turn, dense(joint.second_axis.v).normalized()}};
    case JointKind::planar: {
      const double along_x[]{1, 0, 0}, along_y[]{0, 1, 0};
      const Vector3d x = joint_pose(joint, along_x).translation(), y = joint_pose(joint, along_y).translation();
      return {{slide, x}, {slide, y}, {turn, a}};
    }
    case JointKind::spherical: return {ball};
    case JointKind::free:
      return {{slide, Vector3d::UnitX()}, {slide, Vector3d::UnitY()}, {slide, Vector3d::UnitZ()}, ball};
    case JointKind::fixed: break;
  }
  return {};
}

Block elementary_block(const Link& link, const double* q, const double* v) {
  const JointKind kind = link.joint.kind;
  const int nq = traits(kind).nq(), nv = traits(kind).nv();
  Block block{Eigen::Map<const VectorXd>(q, nq), MatrixXd::Identity(nv, nv), VectorXd::Zero(nv)};
  if (kind == JointKind::helical) {
    // A slide by pitch·q, then a turn by q.
    const double pitch = link.joint.parameters.of<Helical>().pitch;
    block.r = Eigen::Vector2d(pitch * q[0], q[0]);
    block.G = Eigen::Vector2d(pitch, 1);
    block.drift = Eigen::Vector2d::Zero();
  }
  if (kind == JointKind::free) {
    // The slides move along axes of F, Articula's v along axes of M, which turn with ω:
    //     ṗ = R·v,   p̈ = R·(v̇ + ω × v),   R = R_FM
    const Matrix3d R = joint_pose(link.joint, {q, 7}).linear();
    const Vector3d linear(v[0], v[1], v[2]), angular(v[3], v[4], v[5]);
    block.G.topLeftCorner<3, 3>() = R;
    block.drift.head<3>() = R * angular.cross(linear);
  }
  return block;
}

}  // namespace articula::test
