#include <articula/network/structure.h>

#include <algorithm>

#include <articula/base/index.h>
#include <articula/base/text.h>
#include <articula/build/build.h>
#include <articula/build/flatten.h>
#include <articula/build/snap_rotations.h>
#include <articula/network/entities/force_element.h>

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

/// Rule: a drive without an axis of its own, mounted on a body  →  one with the axis of its joint.
void give_axes(const Built& built, Model& user) {
  const Mechanism& mech = built.mechanism;
  for (std::size_t r = 0; r < mech.rotors.size(); ++r) {
    const Provenance::Entry& entry = mech.provenance.entities[at(mech.rotors[r].entity)];
    if (entry.kind != Drive::name || mech.rotors[r].frame < 0) continue;
    auto& drive = user.at<Drive>(entry.name);
    if (!drive.rotor_axis) drive.rotor_axis = Direction{built.parameters.rotors[r].axis};
  }
}

/// The chosen of all coordinates.
StateLayout restricted(const StateLayout& all, const std::vector<int>& chosen_q, const std::vector<int>& chosen_v) {
  StateLayout layout;
  for (const int k : chosen_q) layout.q.push_back(all.q[at(k)]);
  for (const int k : chosen_v) layout.v.push_back(all.v[at(k)]);
  for (StateBlock block : all.blocks) {
    const bool is_position = block.kind == StateKind::position || block.kind == StateKind::motor;
    if (!is_position && block.kind != StateKind::velocity) continue;
    const std::vector<int>& chosen = is_position ? chosen_q : chosen_v;
    const auto first = std::lower_bound(chosen.begin(), chosen.end(), block.range.first);
    const auto end = std::lower_bound(chosen.begin(), chosen.end(), block.range.first + block.range.count);
    if (first == end) continue;
    block.range = {static_cast<int>(first - chosen.begin()), static_cast<int>(end - first)};
    layout.blocks.push_back(std::move(block));
  }
  return layout;
}

bool has_custom(const Model& flat) {
  for (const Entity& entity : flat.entities()) {
    if (std::holds_alternative<Custom>(entity.kind)) return true;
  }
  return false;
}

}  // namespace

Structure::Structure(const Model& model, const NetworkOptions& options)
    : representation(options.representation), passive(options.passive), gravity(model.environment.gravity) {
  const CheckOptions choice = with_drives({.drives = options.drives}, passive);
  Model user = dissolved(model);
  const bool own_entities = has_custom(user);
  if (!own_entities) {
    const Built built = build_mechanism(user, choice);  // throws what is wrong with it
    give_axes(built, user);
    mechanism = built.mechanism;
  }
  const Model flat = with_axes_connected(user);
  Findings findings;
  const PortGraph graph(flat, findings);
  throw_if_errors(findings);
  const ActingParts acting{passive, *choice.drives};
  find_entities(flat, options.implementations, acting);
  std::vector<int> place;
  if (own_entities) {
    const Skeleton skeleton(user, graph, entities);
    const Built built = build_mechanism(skeleton.model, choice);
    mechanism = built.mechanism;
    place = skeleton.entity;
    give_axes(built, user);
    for (std::size_t e = 0; e < entities.size(); ++e) {
      const Entity& own = user.entities()[e];
      if (std::holds_alternative<Drive>(own.kind)) entities[e] = options.implementations.make(own, acting);
    }
  }
  leave_out_locked_shafts(flat);
  lay_out(user, graph, place);
  std::vector<int> known;
  for (const ShaftCoordinate& shaft : turned) known.push_back(shaft.port);
  causality = derive_causality(flat, graph, entities, known);
  require_turns(flat);
  name_ports(flat, graph);
}

void Structure::find_entities(const Model& flat, const Implementations& implementations, const ActingParts& acting) {
  for (const Entity& entity : flat.entities()) {
    entities.push_back(implementations.make(entity, acting));
    if (dynamic_cast<const Bystander*>(entities.back().get()) != nullptr) left_out.push_back(entity.name);
  }
}

/// Springs on the shafts of locked rotors, which the flat form has no place for.
void Structure::leave_out_locked_shafts(const Model& flat) {
  for (std::size_t e = 0; e < entities.size(); ++e) {
    const Entity& entity = flat.entities()[e];
    if (dynamic_cast<const BetweenTwo*>(entities[e].get()) == nullptr) continue;
    const Provenance::Entry* entry = mechanism.provenance.find(kind_name(entity.kind), entity.name);
    if (entry == nullptr || entry->place != Provenance::Place::none) continue;
    entities[e] = std::make_shared<const Bystander>();
    left_out.push_back(entity.name);
  }
}

/// The flat form's state first, so that both agree; then the coordinates of the user's own entities.
///
/// @param place by entity of the flat form, that of the network; empty: they are the same
void Structure::lay_out(const Model& flat, const PortGraph& graph, const std::vector<int>& place) {
  q.resize(entities.size());
  v.resize(entities.size());
  for (const Body& body : mechanism.bodies) {
    if (body.entity < 0) continue;
    if (body.rotor >= 0 && mechanism.independent.place[at(body.v.first)] < 0) continue;  // its shaft turns it
    const std::size_t e = at(place.empty() ? body.entity : place[at(body.entity)]);
    q[e] = body.q;
    v[e] = body.v;
  }
  lay_out_shafts(flat, graph);
  independent_q = mechanism.independent.q;
  independent_v = mechanism.independent.v;
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
    for (const int k : q[e]) independent_q.push_back(k);
    for (const int k : v[e]) independent_v.push_back(k);
  }
  mechanism.nq = static_cast<int>(mechanism.layout.q.size());
  mechanism.nv = static_cast<int>(mechanism.layout.v.size());
  layout = restricted(mechanism.layout, independent_q, independent_v);
}

/// The shafts of joints that are connected, and those of rotors that turn freely.
void Structure::lay_out_shafts(const Model& flat, const PortGraph& graph) {
  for (std::size_t e = 0; e < entities.size(); ++e) {
    const bool is_joint = std::holds_alternative<Joint>(flat.entities()[e].kind);
    if (!is_joint && !std::holds_alternative<Rotor>(flat.entities()[e].kind)) continue;
    int k = 0;
    for (int p = graph.first_port(static_cast<int>(e)); p < graph.end_port(static_cast<int>(e)); ++p) {
      if (graph.ports()[at(p)].type != PortType::scalar) continue;
      const int own = k++;
      if (own >= v[e].count || q[e].count != v[e].count || (is_joint && graph.node_size(p) < 2)) continue;
      const ShaftCoordinate shaft{p, q[e].first + own, v[e].first + own};
      const bool independent = mechanism.independent.place[at(shaft.v)] >= 0;
      (independent ? turned : geared).push_back(shaft);
    }
  }
}

/// Every coordinate that follows has to be given by a shaft.
void Structure::require_turns(const Model& flat) const {
  for (const ShaftCoordinate& shaft : geared) {
    if (causality.source[at(shaft.port)] >= 0) continue;
    const Entity& joint = flat.entities()[at(causality.owner[at(shaft.port)])];
    throw Error("network-shaft", joint.where,
                concat(to_text(joint),
                       " follows from several gears together, and from none of them alone. The network passes turns "
                       "from gear to gear only; combine these gears into one with a ratio matrix, or use the flat "
                       "form."));
  }
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
