#include "support/walk.h"

#include <deque>
#include <stdexcept>

#include <articula/base/text.h>

namespace articula::test {

using Eigen::AngleAxisd;
using Eigen::Quaterniond;
using Eigen::Translation3d;
using Eigen::Vector3d;

Isometry3d dense(const Pose<double>& X) {
  Isometry3d m = Isometry3d::Identity();
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) m(i, j) = X.R.m(i, j);
    m(i, 3) = X.p[i];
  }
  return m;
}

Eigen::Matrix3d dense(const SymMat3<double>& S) {
  Eigen::Matrix3d m;
  m << S.xx, S.xy, S.xz, S.xy, S.yy, S.yz, S.xz, S.yz, S.zz;
  return m;
}

double gap(const Isometry3d& a, const Isometry3d& b) { return (a.matrix() - b.matrix()).cwiseAbs().maxCoeff(); }

double gap(const Mass& a, const Mass& b) {
  return std::max({std::abs(a.m - b.m), (a.h - b.h).cwiseAbs().maxCoeff(), (a.I - b.I).cwiseAbs().maxCoeff()});
}

static Isometry3d free_pose(std::span<const double> q) {
  return Translation3d(q[0], q[1], q[2]) * Quaterniond(q[6], q[3], q[4], q[5]);
}

/// The shortest turn of z onto the axis; onto −z the half turn about x.
static Quaterniond plane_of(const Vector3d& axis) {
  if ((axis + Vector3d::UnitZ()).norm() < 1e-14) return Quaterniond(0, 1, 0, 0);
  return Quaterniond::FromTwoVectors(Vector3d::UnitZ(), axis);
}

Isometry3d joint_pose(const Joint& joint, std::span<const double> q) {
  const Vector3d a = dense(joint.axis.v).normalized(), b = dense(joint.second_axis.v).normalized();
  Isometry3d X = Isometry3d::Identity();
  switch (joint.kind) {
    case JointKind::revolute: X = AngleAxisd(q[0], a); break;
    case JointKind::prismatic: X = Translation3d(q[0] * a); break;
    case JointKind::helical:
      X = Translation3d(joint.parameters.of<Helical>().pitch * q[0] * a) * AngleAxisd(q[0], a);
      break;
    case JointKind::cylindrical: X = Translation3d(q[0] * a) * AngleAxisd(q[1], a); break;
    case JointKind::universal: X = AngleAxisd(q[0], a) * AngleAxisd(q[1], b); break;
    case JointKind::spherical: X = Quaterniond(q[3], q[0], q[1], q[2]); break;
    case JointKind::planar: X = Translation3d(plane_of(a) * Vector3d(q[0], q[1], 0)) * AngleAxisd(q[2], a); break;
    case JointKind::free: X = free_pose(q); break;
    case JointKind::fixed: break;
  }
  return X;
}

namespace {

/// An entity anywhere in a model, by its path.
struct Item {
  std::string path;
  const Entity* entity;
  int first_port;
};

/// All entities and connections of a model, parts dissolved by hand.
class Graph {
 public:
  explicit Graph(const Model& model) { collect(model, ""); }

  const std::vector<Item>& items() const { return items_; }
  const std::vector<PortRef>& ports() const { return ports_; }

  int find(const PortRef& ref) const {
    for (const Family family : {Family::body, Family::joint, Family::element}) {
      const auto found = port_.find({family, ref});
      if (found != port_.end()) return found->second;
    }
    throw std::invalid_argument("no port " + to_text(ref));
  }
  int find(const Item& item, const char* port) const {
    return port_.at({family_of(item.entity->kind), PortRef{item.path, port}});
  }

  /// X_ab: the pose of port b in port a.
  void link(int a, int b, const Isometry3d& X_ab) {
    neighbours_[static_cast<std::size_t>(a)].emplace_back(b, X_ab);
    neighbours_[static_cast<std::size_t>(b)].emplace_back(a, X_ab.inverse());
  }

  /// Ports that are connected coincide.
  void link_connections() {
    neighbours_.resize(ports_.size());
    for (const auto& connection : connections_) {
      for (std::size_t k = 1; k < connection.size(); ++k) {
        link(find(connection[0]), find(connection[k]), Isometry3d::Identity());
      }
    }
  }

  /// Breadth first from the ports whose pose is known.
  std::map<int, Isometry3d> spread(std::map<int, Isometry3d> known) const {
    std::deque<int> queue;
    for (const auto& [port, X] : known) queue.push_back(port);
    for (; !queue.empty(); queue.pop_front()) {
      const Isometry3d X_Wa = known.at(queue.front());
      for (const auto& [b, X_ab] : neighbours_[static_cast<std::size_t>(queue.front())]) {
        if (known.emplace(b, X_Wa * X_ab).second) queue.push_back(b);
      }
    }
    return known;
  }

 private:
  void collect(const Assembly& assembly, const std::string& prefix) {
    for (const Entity& entity : assembly.entities()) {
      const Item item{prefix + entity.name, &entity, static_cast<int>(ports_.size())};
      items_.push_back(item);
      for_each_port(entity, [&](std::string_view port, PortType) {
        const PortRef ref{item.path, std::string(port)};
        port_.emplace(std::pair(family_of(entity.kind), ref), static_cast<int>(ports_.size()));
        ports_.push_back(ref);
      });
    }
    for (const Connection& connection : assembly.connections()) {
      std::vector<PortRef> ports = connection.ports;
      for (PortRef& ref : ports) ref.entity = prefix + ref.entity;
      connections_.push_back(std::move(ports));
    }
    for (const Part& part : assembly.parts()) collect(part.assembly, prefix + part.name + "/");
  }

  std::vector<Item> items_;
  std::vector<PortRef> ports_;
  std::map<std::pair<Family, PortRef>, int> port_;
  std::vector<std::vector<PortRef>> connections_;
  std::vector<std::vector<std::pair<int, Isometry3d>>> neighbours_;
};

/// What an entity says about its own ports: where they are in World, or to each other.
void link_entity(Graph& graph, const Item& item, const Coordinates& q, std::map<int, Isometry3d>& known) {
  const auto own = q.find(item.path);
  const Kind& kind = item.entity->kind;
  if (const auto* frames = frames_of(kind)) {
    int port = item.first_port;
    for (const Frame& frame : *frames) graph.link(item.first_port, ++port, dense(frame.X_EF));
  }
  if (const auto* frame = std::get_if<ReferenceFrame>(&kind)) {
    const bool moves = frame->motion == FrameMotion::prescribed && own != q.end();
    known.emplace(item.first_port, moves ? free_pose(own->second) : dense(frame->placement));
  } else if (const auto* displacement = std::get_if<Displacement>(&kind)) {
    graph.link(graph.find(item, "from"), graph.find(item, "to"), dense(displacement->placement));
  } else if (const auto* joint = std::get_if<Joint>(&kind)) {
    if (joint->kind == JointKind::fixed) {
      graph.link(graph.find(item, "from"), graph.find(item, "to"), Isometry3d::Identity());
    } else if (own != q.end()) {
      graph.link(graph.find(item, "from"), graph.find(item, "to"), joint_pose(*joint, own->second));
    }
  }
}

}  // namespace

Poses walk(const Model& model, const Coordinates& q) {
  Graph graph(model);
  graph.link_connections();
  std::map<int, Isometry3d> known;
  for (const Item& item : graph.items()) link_entity(graph, item, q, known);
  known = graph.spread(std::move(known));
  Poses poses;
  for (const Item& item : graph.items()) {
    if (family_of(item.entity->kind) != Family::body) continue;
    int port = item.first_port;
    for_each_port(*item.entity, [&](std::string_view, PortType) {
      const auto found = known.find(port);
      if (found != known.end()) poses.emplace(graph.ports()[static_cast<std::size_t>(port)], found->second);
      ++port;
    });
  }
  return poses;
}

Coordinates neutral_coordinates(const Model& model) {
  Coordinates q;
  const Graph graph(model);
  for (const Item& item : graph.items()) {
    if (const auto* joint = std::get_if<Joint>(&item.entity->kind)) {
      const auto neutral = traits(joint->kind).neutral;
      if (!neutral.empty()) q[item.path].assign(neutral.begin(), neutral.end());
    } else if (const auto* frame = std::get_if<ReferenceFrame>(&item.entity->kind)) {
      if (frame->motion != FrameMotion::prescribed) continue;
      const Isometry3d X = dense(frame->placement);
      const Quaterniond turn(X.linear());
      q[item.path] = {X(0, 3), X(1, 3), X(2, 3), turn.x(), turn.y(), turn.z(), turn.w()};
    }
  }
  return q;
}

void Mass::add(const Isometry3d& X_WB, const Inertia<double>& M_B) {
  // By points: Σ m·(|r|²·1 − r·rᵀ) = tr(S)·1 − S with the second moment S = Σ m·r·rᵀ, which moves like r·rᵀ.
  const Eigen::Matrix3d R = X_WB.linear(), I_B = dense(M_B.I);
  const Vector3d p = X_WB.translation(), h_B = R * dense(M_B.h);
  const Eigen::Matrix3d S_B = 0.5 * I_B.trace() * Eigen::Matrix3d::Identity() - I_B;
  const Eigen::Matrix3d S =
      R * S_B * R.transpose() + h_B * p.transpose() + p * h_B.transpose() + M_B.m * p * p.transpose();
  m += M_B.m;
  h += h_B + M_B.m * p;
  I += S.trace() * Eigen::Matrix3d::Identity() - S;
}

Mass total_mass(const Model& model, const Poses& poses) {
  Mass mass;
  const Graph graph(model);
  for (const Item& item : graph.items()) {
    const auto* body = std::get_if<RigidBody>(&item.entity->kind);
    if (body == nullptr) continue;
    mass.add(poses.at({item.path, ""}), mass_properties(*body).value());
  }
  return mass;
}

std::vector<double> to_q(const Mechanism& mech, const Coordinates& q) {
  std::vector<double> all(static_cast<std::size_t>(mech.nq));
  for (const StateBlock& block : mech.layout.blocks) {
    if (block.kind != StateKind::position) continue;
    const std::vector<double>& own = q.at(block.owner);
    if (own.size() != static_cast<std::size_t>(block.range.count)) throw std::invalid_argument(block.owner);
    std::copy(own.begin(), own.end(), all.begin() + block.range.first);
  }
  return all;
}

std::vector<Isometry3d> flat_poses(const Mechanism& mech, const Parameters<double>& par, std::span<const double> q) {
  std::vector<Isometry3d> X_WB(mech.bodies.size(), Isometry3d::Identity());
  for (int i = 1; i < mech.size(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    const auto parent = static_cast<std::size_t>(mech.bodies[k].parent);
    X_WB[k] = X_WB[parent] * dense(joint_motion(mech, par, i, q.data()).X_PB);
  }
  return X_WB;
}

}  // namespace articula::test
