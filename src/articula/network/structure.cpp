#include <articula/network/structure.h>

#include <articula/base/index.h>
#include <articula/base/text.h>
#include <articula/build/build.h>
#include <articula/build/flatten.h>
#include <articula/build/snap_rotations.h>

namespace articula::network {
namespace {

/// What the network works on: the user's entities, none of them merged.
Model dissolved(const Model& model) {
  Model flat = flatten(model).model;
  return has_rotations_to_snap(flat) ? snap_rotations(flat).model : flat;
}

/// Rule: a force expressed in the axes of another body  →  one with a second port, connected to that body's frame.
Model with_axes_connected(const Model& flat) {
  Model result(flat.name);
  for (const Entity& entity : flat.entities()) {
    const auto* force = std::get_if<ExternalForce>(&entity.kind);
    if (entity.name == world_name && std::holds_alternative<ReferenceFrame>(entity.kind)) {
      result.at<ReferenceFrame>(world_name) = std::get<ReferenceFrame>(entity.kind);
    } else if (force == nullptr || force->expressed_in == "world" || force->expressed_in == "local") {
      result.add(entity);
    } else {
      Custom two_ports{"external_force",
                       {{"on", PortType::spatial}, {"axes", PortType::spatial}},
                       {},
                       Implementations().make(entity)};
      result.add(Entity{entity.name, std::move(two_ports), entity.where});
      result.connect({{entity.name, "axes"}, {force->expressed_in, ""}});
    }
  }
  for (const Connection& connection : flat.connections()) result.connect(connection.ports, connection.where);
  return result;
}

bool carries_any(const EntityImplementation& entity, int ports) {
  for (int in = 0; in < ports; ++in) {
    for (int out = 0; out < ports; ++out) {
      if (in != out && entity.carries(in, out)) return true;
    }
  }
  return entity.is_reference();
}

/// What the flat form can count the state of. The user's own entities are taken out; one that carries others leaves a
/// massless body in its place, or a reference frame.
class Skeleton {
 public:
  Skeleton(const Model& flat, const PortGraph& graph, const Entities& entities)
      : flat_(flat), graph_(graph), stand_in_(flat.entities().size()) {
    model.name = flat.name;
    model.environment = flat.environment;
    model.imported = flat.imported;
    model.snap = flat.snap;
    for (std::size_t e = 0; e < flat.entities().size(); ++e) add(e, entities[e].get());
    for (const Connection& connection : flat.connections()) connect(connection);
  }

  Model model;
  std::vector<int> entity;  ///< by place in the skeleton, the place in the flat model; World is first in both

 private:
  void add(std::size_t e, const EntityImplementation* implementation) {
    const Entity& own = flat_.entities()[e];
    stand_in_[e] = own.name;
    if (own.name == world_name && std::holds_alternative<ReferenceFrame>(own.kind)) {
      model.at<ReferenceFrame>(world_name) = std::get<ReferenceFrame>(own.kind);
    } else if (const auto* custom = std::get_if<Custom>(&own.kind); custom == nullptr) {
      model.add(own);
    } else if (carries_any(*implementation, static_cast<int>(custom->custom_ports.size()))) {
      while (flat_.find(stand_in_[e], Family::body) != nullptr) stand_in_[e] += "'";
      Kind kind = implementation->is_reference() ? Kind(ReferenceFrame{}) : Kind(RigidBody{});
      for (const CustomPort& port : custom->custom_ports) {
        if (!port.name.empty() && port.type == PortType::spatial) frames_of(kind)->push_back({port.name, {}});
      }
      model.add(Entity{stand_in_[e], std::move(kind), own.where});
    } else {
      stand_in_[e].clear();
      return;
    }
    entity.push_back(static_cast<int>(e));
  }

  void connect(const Connection& connection) {
    std::vector<PortRef> ports;
    for (const PortRef& ref : connection.ports) {
      const int port = graph_.find(ref);
      const int owner = graph_.ports()[at(port)].entity;
      const bool is_custom = std::holds_alternative<Custom>(flat_.entities()[at(owner)].kind);
      if (is_custom && (stand_in_[at(owner)].empty() || graph_.ports()[at(port)].type == PortType::scalar)) continue;
      ports.push_back({stand_in_[at(owner)], ref.port});
    }
    if (ports.size() > 1) model.connect(std::move(ports), connection.where);
  }

  const Model& flat_;
  const PortGraph& graph_;
  std::vector<std::string> stand_in_;  ///< the name in the skeleton; empty: none
};

bool has_custom(const Model& flat) {
  for (const Entity& entity : flat.entities()) {
    if (std::holds_alternative<Custom>(entity.kind)) return true;
  }
  return false;
}

}  // namespace

Structure::Structure(const Model& model, Representation in, const Implementations& implementations)
    : representation(in), gravity(model.environment.gravity) {
  const Model user = dissolved(model);
  if (!has_custom(user)) mechanism = build_mechanism(user).mechanism;  // throws what is wrong with it
  const Model flat = with_axes_connected(user);
  Findings findings;
  const PortGraph graph(flat, findings);
  throw_if_errors(findings);
  find_entities(flat, implementations);
  lay_out(user, graph);
  causality = derive_causality(flat, graph, entities);
  name_ports(flat, graph);
}

void Structure::find_entities(const Model& flat, const Implementations& implementations) {
  for (const Entity& entity : flat.entities()) {
    entities.push_back(implementations.make(entity));
    if (dynamic_cast<const Bystander*>(entities.back().get()) != nullptr) left_out.push_back(entity.name);
  }
}

/// The flat form's state first, so that both agree; then the coordinates of the user's own entities.
void Structure::lay_out(const Model& flat, const PortGraph& graph) {
  q.resize(entities.size());
  v.resize(entities.size());
  std::vector<int> place;
  if (has_custom(flat)) {
    const Skeleton skeleton(flat, graph, entities);
    mechanism = build_mechanism(skeleton.model).mechanism;
    place = skeleton.entity;
  }
  for (const Body& body : mechanism.bodies) {
    if (body.entity < 0) continue;
    const std::size_t e = at(place.empty() ? body.entity : place[at(body.entity)]);
    q[e] = body.q;
    v[e] = body.v;
  }
  const auto append = [](const std::string& owner, const std::vector<std::string>& names,
                         std::vector<std::string>& all) {
    const Range range{static_cast<int>(all.size()), static_cast<int>(names.size())};
    for (const std::string& name : names) all.push_back(concat(owner, ".", name));
    return range;
  };
  for (std::size_t e = 0; e < entities.size(); ++e) {
    const Entity& own = flat.entities()[e];
    if (!std::holds_alternative<Custom>(own.kind)) continue;
    const OwnCoordinates names = entities[e]->coordinates();
    if (names.q.empty() && names.v.empty()) continue;
    q[e] = append(own.name, names.q, mechanism.layout.q);
    v[e] = append(own.name, names.v, mechanism.layout.v);
    mechanism.layout.blocks.push_back({StateKind::position, own.name, q[e]});
    mechanism.layout.blocks.push_back({StateKind::velocity, own.name, v[e]});
  }
  mechanism.nq = static_cast<int>(mechanism.layout.q.size());
  mechanism.nv = static_cast<int>(mechanism.layout.v.size());
}

void Structure::name_ports(const Model& flat, const PortGraph& graph) {
  // A name may mean a body, a joint and an element; a reference means the first of them that has such a port.
  for (const Family family : {Family::body, Family::joint, Family::element}) {
    for (int p = 0; p < static_cast<int>(graph.ports().size()); ++p) {
      const PortGraph::Port& port = graph.ports()[at(p)];
      const Entity& owner = flat.entities()[at(port.entity)];
      if (family_of(owner.kind) == family) port_of.try_emplace({owner.name, port.name}, p);
    }
  }
}

int Structure::port(const PortRef& name) const {
  const auto found = port_of.find(name);
  if (found == port_of.end()) {
    std::vector<std::string> names;
    for (const auto& [ref, port] : port_of) names.push_back(to_text(ref));
    throw Error("no-such-port", {},
                concat("port ", quoted(to_text(name)), " not found.", choices(to_text(name), "ports", names)));
  }
  if (causality.role[at(found->second)] == PortRole::open) {
    throw Error("network-port-open", {},
                concat("port ", quoted(to_text(name)),
                       " is a shaft, or nothing leads to it from a reference frame. "
                       "Name a frame that World leads to."));
  }
  return found->second;
}

}  // namespace articula::network
