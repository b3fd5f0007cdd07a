#include <articula/build/restructure.h>

#include <algorithm>
#include <set>

#include <articula/base/error.h>
#include <articula/base/text.h>
#include <articula/build/flatten.h>
#include <articula/build/port_graph.h>

namespace articula::build {
namespace {

Model flat(const Model& model) { return model.parts().empty() ? model : flatten(model).model; }

/// Connected bodies, by joints, beams, displacements and rigid connections.
class Ways {
 public:
  explicit Ways(const Model& model) : model_(model), graph_(model, findings_) {}

  const PortGraph& graph() const { return graph_; }
  const Entity& entity(int e) const { return model_.entities()[static_cast<std::size_t>(e)]; }
  int count() const { return static_cast<int>(model_.entities().size()); }

  int find(std::string_view name, Family family) const {
    for (int e = 0; e < count(); ++e) {
      if (entity(e).name == name && family_of(entity(e).kind) == family) return e;
    }
    return -1;
  }
  int node(int e, std::string_view port) const {
    const int at = graph_.find(e, port);
    return at < 0 ? -1 : graph_.node(at);
  }

  /// The nodes that can be reached from one, without passing the entities in `without`.
  std::set<int> reached(int from, const std::set<int>& without) const {
    std::set<int> seen{from};
    for (bool more = true; more;) {
      more = false;
      for (int e = 0; e < count(); ++e) {
        if (without.contains(e) || !carries(e)) continue;
        const std::vector<int> nodes = nodes_of(e);
        if (std::none_of(nodes.begin(), nodes.end(), [&](int n) { return seen.contains(n); })) continue;
        for (const int n : nodes) more |= seen.insert(n).second;
      }
    }
    return seen;
  }
  bool on_ground(const std::set<int>& nodes) const {
    for (int e = 0; e < count(); ++e) {
      if (!std::holds_alternative<ReferenceFrame>(entity(e).kind)) continue;
      for (const int n : nodes_of(e)) {
        if (nodes.contains(n)) return true;
      }
    }
    return false;
  }
  /// A body at that node, or otherwise the first one of the model that is connected to it.
  std::string body_at(int node, const std::set<int>& hanging) const {
    std::string any;
    for (int e = 0; e < count(); ++e) {
      if (!std::holds_alternative<RigidBody>(entity(e).kind)) continue;
      for (const int n : nodes_of(e)) {
        if (n == node) return entity(e).name;
        if (any.empty() && hanging.contains(n)) any = entity(e).name;
      }
    }
    return any;
  }
  bool has_shaft(int e) const {
    for (int p = graph_.first_port(e); p < graph_.end_port(e); ++p) {
      if (graph_.ports()[static_cast<std::size_t>(p)].type == PortType::scalar && graph_.node_size(p) > 1) return true;
    }
    return false;
  }

 private:
  bool carries(int e) const {
    const Kind& kind = entity(e).kind;
    return std::holds_alternative<RigidBody>(kind) || std::holds_alternative<ReferenceFrame>(kind) ||
           std::holds_alternative<Displacement>(kind) || std::holds_alternative<Joint>(kind) ||
           std::holds_alternative<Beam>(kind);
  }
  std::vector<int> nodes_of(int e) const {
    std::vector<int> nodes;
    for (int p = graph_.first_port(e); p < graph_.end_port(e); ++p) {
      if (graph_.ports()[static_cast<std::size_t>(p)].type == PortType::spatial) nodes.push_back(graph_.node(p));
    }
    return nodes;
  }

  const Model& model_;
  Findings findings_;
  PortGraph graph_;
};

/// The model without an entity and its connections.
Model without(const Model& model, int gone) {
  Model left(model.name);
  left.environment = model.environment;
  left.exterior = model.exterior;
  left.imported = model.imported;
  left.snap = model.snap;
  const Entity& entity = model.entities()[static_cast<std::size_t>(gone)];
  for (const Entity& each : model.entities()) {
    if (&each == &entity) continue;
    if (each.name == world_name && std::holds_alternative<ReferenceFrame>(each.kind)) {
      left.at<ReferenceFrame>(world_name) = std::get<ReferenceFrame>(each.kind);
    } else {
      left.add(each);
    }
  }
  for (const Connection& connection : model.connections()) {
    std::vector<PortRef> ports;
    for (const PortRef& port : connection.ports) {
      if (model.find(port) != &entity) ports.push_back(port);
    }
    if (ports.size() > 1) left.connect(std::move(ports), connection.where);
  }
  std::erase(left.exterior.joints, entity.name);
  return left;
}

/// A choice of joints goes on to name all that move.
void expose(const Model& before, Model& after, const std::string& joint) {
  if (!before.exterior.joints.empty()) after.exterior.joints.push_back(joint);
}

void release(const Model& before, Model& after, int joint, std::string_view port) {
  // Ports are found in the old model, since nodes that lose their last connection split up.
  const Ways old(before);
  const std::set<int> hanging = old.reached(old.node(joint, port), {joint});
  if (old.on_ground(hanging)) return;
  const std::string body = old.body_at(old.node(joint, port), hanging);
  if (body.empty()) return;
  std::string name = body;
  while (after.find(name, Family::joint) != nullptr) name += "_free";
  after.add(name, Joint{.kind = JointKind::free}, std::string(world_name), body);
  expose(before, after, name);
}

int joint_at(const Ways& ways, const Model& model, std::string_view name, std::string_view what) {
  const int joint = ways.find(name, Family::joint);
  if (joint < 0) {
    const std::vector<std::string> names = model.names(Family::joint);
    throw Error("no-such-joint", {},
                concat(what, ": joint ", quoted(name), " not found in ", quoted(model.name), ".",
                       choices(name, "Joints", names)));
  }
  return joint;
}

/// The free joint from World that alone carries the node; −1: none.
int carrier_of(const Ways& ways, int node, int other) {
  for (int e = 0; e < ways.count(); ++e) {
    const auto* joint = std::get_if<Joint>(&ways.entity(e).kind);
    if (joint == nullptr || joint->kind != JointKind::free || joint->prescribed || ways.has_shaft(e)) continue;
    const std::set<int> hanging = ways.reached(node, {e});
    if (ways.on_ground(hanging) || hanging.contains(other)) continue;
    if (hanging.contains(ways.node(e, "from")) || hanging.contains(ways.node(e, "to"))) return e;
  }
  return -1;
}

}  // namespace

Model disconnected(const Model& model, std::string_view joint) {
  const Model whole = flat(model);
  const Ways ways(whole);
  const int at = joint_at(ways, whole, joint, "disconnect");
  const Entity& entity = ways.entity(at);
  if (std::get<Joint>(entity.kind).kind == JointKind::free) {
    throw Error("disconnect-free", entity.where,
                concat("disconnect: joint ", quoted(joint),
                       " is free: it holds nothing that could be released. Name a joint that holds."));
  }
  if (ways.has_shaft(at)) {
    throw Error("disconnect-shaft", entity.where,
                concat("disconnect: a drive, gear, spring or damper sits on the shaft of joint ", quoted(joint),
                       ", and would drive nothing. Take it from the model, or put it on a joint that stays."));
  }
  Model left = without(whole, at);
  release(whole, left, at, "to");
  release(whole, left, at, "from");
  return left;
}

Model connected(const Model& model, const std::string& name, const Joint& joint, const PortRef& from,
                const PortRef& to) {
  const Model whole = flat(model);
  const Ways ways(whole);
  if (ways.find(name, Family::joint) >= 0) {
    throw Error("joint-connected", {},
                concat("connect: joint ", quoted(name), " is connected already. Disconnect it first."));
  }
  std::array<int, 2> nodes{};
  const std::array ends{std::pair{"from", &from}, std::pair{"to", &to}};
  for (std::size_t side = 0; side < 2; ++side) {
    const int port = ways.graph().find(*ends[side].second);
    if (port < 0) {
      std::vector<std::string> frames;
      for (int e = 0; e < ways.count(); ++e) {
        if (family_of(ways.entity(e).kind) != Family::body) continue;
        for (const std::string& each : port_names(ways.entity(e)))
          frames.push_back(to_text({ways.entity(e).name, each}));
      }
      const std::string text = to_text(*ends[side].second);
      throw Error("no-such-frame", {},
                  concat("connect ", quoted(name), ": ", ends[side].first, ": frame ", quoted(text), " not found.",
                         choices(text, "Frames", frames)));
    }
    nodes[side] = ways.graph().node(port);
  }
  int carrier = carrier_of(ways, nodes[1], nodes[0]);
  if (carrier < 0) carrier = carrier_of(ways, nodes[0], nodes[1]);
  if (carrier < 0) {
    throw Error(
        "loop-not-computed", {},
        concat("connect: joint ", quoted(name), " between ", quoted(to_text(from)), " and ", quoted(to_text(to)),
               " would close a loop, since neither side is free to move, and this version computes trees only. "
               "Disconnect the joint that holds one of them first."));
  }
  Model whole_again = without(whole, carrier);
  whole_again.add(name, joint, {from.entity, from.port}, {to.entity, to.port});
  expose(whole, whole_again, name);
  return whole_again;
}

Model connected(const Model& model, const Model& original, std::string_view joint) {
  const Model whole = flat(original);
  const Ways ways(whole);
  const int at = joint_at(ways, whole, joint, "connect");
  // The body's port that each of its ports is connected to.
  const auto held_by = [&](std::string_view port) {
    const int node = ways.node(at, port);
    for (int e = 0; e < ways.count(); ++e) {
      if (family_of(ways.entity(e).kind) != Family::body) continue;
      for (int p = ways.graph().first_port(e); p < ways.graph().end_port(e); ++p) {
        if (ways.graph().node(p) == node)
          return PortRef{ways.entity(e).name, ways.graph().ports()[static_cast<std::size_t>(p)].name};
      }
    }
    throw Error("connect-port", ways.entity(at).where,
                concat("connect: port ", quoted(port), " of joint ", quoted(joint),
                       " is connected to no body directly. Attach the joint to a frame of a body."));
  };
  return connected(model, ways.entity(at).name, std::get<Joint>(ways.entity(at).kind), held_by("from"), held_by("to"));
}

}  // namespace articula::build
