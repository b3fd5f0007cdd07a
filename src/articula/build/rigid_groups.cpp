#include <articula/build/rigid_groups.h>

#include <algorithm>
#include <cmath>
#include <span>

#include <articula/base/findings.h>
#include <articula/base/index.h>
#include <articula/base/text.h>

namespace articula::build {
namespace {

/// Tolerance for closing a rigid cycle, in metres and radians.
constexpr double closing_tolerance = 1e-9;

bool is_moving_frame(const Entity& entity) {
  const auto* frame = std::get_if<ReferenceFrame>(&entity.kind);
  return frame != nullptr && frame->motion == FrameMotion::prescribed && entity.name != world_name;
}

/// World is fixed, whatever its properties; the check of properties has reported it.
const ReferenceFrame* fixed_frame(const Entity& entity) {
  return is_moving_frame(entity) ? nullptr : std::get_if<ReferenceFrame>(&entity.kind);
}

struct Residual {
  double distance = 0, turn = 0;
};

/// The angle θ between two rotations from |R_a − R_b|² = 8·sin²(θ/2), which keeps small angles.
Residual residual(const Pose<double>& a, const Pose<double>& b) {
  double square = 0;
  for (int i = 0; i < 3; ++i) {
    const Vec3<double> row = a.R.m.row[i] - b.R.m.row[i];
    square += dot(row, row);
  }
  return {norm(a.p - b.p), 2 * std::asin(std::fmin(1.0, std::sqrt(square / 8)))};
}

/// Finds rigidly connected entities and the steps between them, independent of poses.
class Search {
 public:
  Search(const Model& model, const PortGraph& graph, Findings& findings)
      : model_(model), graph_(graph), findings_(findings), ports_at_(ports_by_node()) {
    const std::size_t n = model.entities().size();
    result_.group_of_entity.assign(n, -1);
    result_.group_of_node.assign(graph.ports().size(), -1);
  }

  RigidGroups run() {
    grow_ground();
    // A frame with prescribed motion is attached to World, and represents everything that is fixed to it.
    for (int e = 0; e < static_cast<int>(model_.entities().size()); ++e) {
      if (is_moving_frame(entity(e)) && result_.group_of_entity[at(e)] < 0) grow(e);
    }
    // Outward from World, group by group; then unconnected entities, in the order of the file.
    std::size_t next = 0;
    const auto outward = [&] {
      for (; next < result_.groups.size(); ++next) enter_neighbours(static_cast<int>(next));
    };
    outward();
    for (int e = 0; e < static_cast<int>(model_.entities().size()); ++e) {
      if (!is_rigid(entity(e)) || result_.group_of_entity[at(e)] >= 0) continue;
      grow(e);
      outward();
    }
    for (int p = 0; p < static_cast<int>(graph_.ports().size()); ++p) {
      if (graph_.ports()[at(p)].type == PortType::spatial) enter(graph_.node(p));
    }
    return std::move(result_);
  }

 private:
  const Entity& entity(int e) const { return model_.entities()[at(e)]; }
  int entity_of(int port) const { return graph_.ports()[at(port)].entity; }

  /// Ports in the order of their nodes, with where each node begins.
  struct Buckets {
    std::vector<int> first, ports;
  };
  Buckets ports_by_node() const {
    const int n = static_cast<int>(graph_.ports().size());
    Buckets buckets{std::vector<int>(at(n + 1), 0), std::vector<int>(at(n))};
    for (int p = 0; p < n; ++p) ++buckets.first[at(graph_.node(p) + 1)];
    for (int k = 0; k < n; ++k) buckets.first[at(k + 1)] += buckets.first[at(k)];
    std::vector<int> place(buckets.first.begin(), buckets.first.end() - 1);
    for (int p = 0; p < n; ++p) buckets.ports[at(place[at(graph_.node(p))]++)] = p;
    return buckets;
  }
  std::span<const int> ports_at(int node) const {
    return std::span(ports_at_.ports)
        .subspan(at(ports_at_.first[at(node)]), at(ports_at_.first[at(node + 1)] - ports_at_.first[at(node)]));
  }

  void admit(RigidGroup& group, int index, int e, RigidStep step) {
    step.member = static_cast<int>(group.members.size());
    group.members.push_back(e);
    group.steps.push_back(step);
    result_.group_of_entity[at(e)] = index;
  }

  /// World and every fixed reference frame are one group.
  void grow_ground() {
    RigidGroup group;
    group.ground = true;
    for (int e = 0; e < static_cast<int>(model_.entities().size()); ++e) {
      if (fixed_frame(entity(e)) == nullptr) continue;
      if (entity(e).name == world_name) group.host = e;
      admit(group, 0, e, {});
    }
    spread(group, 0);
    result_.groups.push_back(std::move(group));
  }

  void grow(int host) {
    RigidGroup group;
    group.host = host;
    const int index = static_cast<int>(result_.groups.size());
    admit(group, index, host, {});
    spread(group, index);
    prefer_body_as_host(group);
    result_.groups.push_back(std::move(group));
  }

  /// Breadth first through shared nodes; `members` is the queue.
  void spread(RigidGroup& group, int index) {
    for (std::size_t k = 0; k < group.members.size(); ++k) {
      const int e = group.members[k];
      for (int port = graph_.first_port(e); port < graph_.end_port(e); ++port) {
        if (graph_.ports()[at(port)].type != PortType::spatial) continue;
        const int node = graph_.node(port);
        const bool known = result_.group_of_node[at(node)] >= 0;
        group.steps.push_back({known ? RigidStep::What::closing : RigidStep::What::node, static_cast<int>(k),
                               port - graph_.first_port(e), node});
        if (known) continue;
        result_.group_of_node[at(node)] = index;
        group.nodes.push_back(node);
        for (const int other : ports_at(node)) {
          const int f = entity_of(other);
          if (!is_rigid(entity(f)) || result_.group_of_entity[at(f)] >= 0) continue;
          admit(group, index, f, {RigidStep::What::member, 0, other - graph_.first_port(f), node});
          if (is_moving_frame(entity(f))) refuse_second_motion(f, group.host);
        }
      }
    }
  }

  /// World and the frames with prescribed motion are hosts; one that is not would have the motion of another.
  void refuse_second_motion(int e, int host) {
    add_finding(findings_,
                {Severity::error, "motion-contradiction", entity(e).where,
                 concat(to_text(entity(e)), " is rigidly connected to ", to_text(entity(host)),
                        ", so that its motion is given twice. Put a joint between them, or take one away.")});
  }

  /// A group that was entered through a displacement or fixed joint is still called after its first body.
  void prefer_body_as_host(RigidGroup& group) {
    const auto is_body = [&](int e) { return family_of(entity(e).kind) == Family::body; };
    const auto found = std::find_if(group.members.begin(), group.members.end(), is_body);
    if (found == group.members.begin() || found == group.members.end()) return;
    const int k = static_cast<int>(found - group.members.begin());
    std::swap(group.members[0], group.members[at(k)]);
    for (RigidStep& step : group.steps) step.member = step.member == 0 ? k : step.member == k ? 0 : step.member;
    group.host = group.members[0];
  }

  /// Through every entity that is not rigid to the groups on its other side, in the order of the file.
  void enter_neighbours(int index) {
    std::vector<int> links;
    for (const int node : result_.groups[at(index)].nodes) {
      for (const int port : ports_at(node)) {
        if (!is_rigid(entity(entity_of(port)))) links.push_back(entity_of(port));
      }
    }
    std::sort(links.begin(), links.end());
    links.erase(std::unique(links.begin(), links.end()), links.end());
    for (const int link : links) {
      for (int port = graph_.first_port(link); port < graph_.end_port(link); ++port) {
        if (graph_.ports()[at(port)].type == PortType::spatial) enter(graph_.node(port));
      }
    }
  }

  /// The first body at the node, or else the first rigid entity, becomes host; a node that only joins joints is a
  /// group without members.
  void enter(int node) {
    if (result_.group_of_node[at(node)] >= 0 || ports_at(node).size() < 2) return;
    int host = -1;
    for (const int port : ports_at(node)) {
      const int e = entity_of(port);
      if (!is_rigid(entity(e))) continue;
      if (host < 0 || (family_of(entity(e).kind) == Family::body && family_of(entity(host).kind) != Family::body))
        host = e;
    }
    if (host >= 0) return grow(host);
    RigidGroup bare;
    bare.nodes.push_back(node);
    result_.group_of_node[at(node)] = static_cast<int>(result_.groups.size());
    result_.groups.push_back(std::move(bare));
  }

  const Model& model_;
  const PortGraph& graph_;
  Findings& findings_;
  Buckets ports_at_;
  RigidGroups result_;
};

void check_closing(const Entity& entity, const Pose<double>& X_HN, const Pose<double>& X_known, Findings& findings) {
  const Residual gap = residual(X_HN, X_known);
  const double scale = 1 + norm(X_HN.p);
  if (gap.distance <= closing_tolerance * scale && gap.turn <= closing_tolerance) return;
  add_finding(findings, {Severity::error, "rigid-cycle", entity.where,
                         concat(to_text(entity), ": rigid connections lead around a cycle to two different places, ",
                                gap.distance, " m and ", gap.turn,
                                " rad apart. Correct a placement, or take one "
                                "connection away.")});
}

void place_group(const Model& model, RigidGroup& group, std::vector<Pose<double>>& X_HN, Findings& findings) {
  for (const auto& [what, member, port, node] : group.steps) {
    const Entity& entity = model.entities()[at(group.members[at(member)])];
    Pose<double>& X_HE = group.X_HE[at(member)];
    switch (what) {
      case RigidStep::What::start:
        X_HE = group.ground ? fixed_frame(entity)->placement : Pose<double>::identity();
        break;
      case RigidStep::What::node: X_HN[at(node)] = X_HE * port_pose(entity, port); break;
      case RigidStep::What::member: X_HE = X_HN[at(node)] * inverted(port_pose(entity, port)); break;
      case RigidStep::What::closing:
        check_closing(entity, X_HE * port_pose(entity, port), X_HN[at(node)], findings);
        break;
    }
  }
  // The path began at another member than the host: transform everything to the host.
  if (group.ground || group.members.empty() || group.steps.front().member == 0) return;
  const Pose<double> X_new = inverted(group.X_HE[0]);
  for (Pose<double>& X : group.X_HE) X = X_new * X;
  group.X_HE[0] = Pose<double>::identity();
  for (const int node : group.nodes) X_HN[at(node)] = X_new * X_HN[at(node)];
}

}  // namespace

void place_rigid_groups(const Model& model, RigidGroups& groups, Findings& findings) {
  for (RigidGroup& group : groups.groups) place_group(model, group, groups.X_HN, findings);
}

bool is_rigid(const Entity& entity) {
  if (const auto* joint = std::get_if<Joint>(&entity.kind)) return joint->kind == JointKind::fixed;
  return family_of(entity.kind) == Family::body || std::holds_alternative<Displacement>(entity.kind);
}

Pose<double> port_pose(const Entity& entity, int k) {
  if (k == 0) return Pose<double>::identity();
  if (const auto* displacement = std::get_if<Displacement>(&entity.kind)) return displacement->placement;
  if (const std::vector<Frame>* frames = frames_of(entity.kind)) return (*frames)[at(k - 1)].X_EF;
  return Pose<double>::identity();
}

RigidGroups find_rigid_groups(const Model& model, const PortGraph& graph, Findings& findings) {
  RigidGroups groups = Search(model, graph, findings).run();
  for (RigidGroup& group : groups.groups) group.X_HE.resize(group.members.size());
  groups.X_HN.resize(graph.ports().size());
  place_rigid_groups(model, groups, findings);
  return groups;
}

}  // namespace articula::build
