#include <articula/build/merge_rigid.h>

#include <algorithm>
#include <unordered_set>

#include <articula/base/index.h>
#include <articula/base/text.h>
#include <articula/build/renumber.h>

namespace articula::build {
namespace {

/// Whether the host's entity differs from what it was before merging.
bool absorbs(const Model& model, const RigidGroup& group) {
  return group.members.size() > 1 || frames_of(model.entities()[at(group.host)].kind) == nullptr;
}

/// The host's own numbers. If the host is not a body, a massless body without numbers replaces it.
void copy_own(const Kind& own, bool sums, Kind& host) {
  if (const std::vector<Frame>* frames = frames_of(own)) {
    for (std::size_t k = 0; k < frames->size(); ++k) (*frames_of(host))[k].X_EF = (*frames)[k].X_EF;
  }
  if (const auto* frame = std::get_if<ReferenceFrame>(&own))
    std::get<ReferenceFrame>(host).placement = frame->placement;
  const auto* body = std::get_if<RigidBody>(&own);
  if (body == nullptr) return;
  auto& whole = std::get<RigidBody>(host);
  whole.internal_momentum = body->internal_momentum;
  if (sums) return;
  whole.mass = body->mass;
  whole.com = body->com;
  whole.inertia = body->inertia;
  whole.density = body->density;
  whole.shapes = body->shapes;
  whole.constituents = body->constituents;
}

void add_up(RigidBody& body) {
  Inertia<double> sum;
  for (const Constituent& c : body.constituents) sum += c.X_BC * c.M_C;
  body.mass = sum.m;
  body.com = sum.m > 0 ? sum.h * (1 / sum.m) : Vec3<double>::zero();
  body.inertia = sum.m > 0 ? inertia_about_center(sum) : sum.I;
}

int bodies_in(const Model& model, const RigidGroup& group) {
  return static_cast<int>(std::count_if(group.members.begin(), group.members.end(), [&](int e) {
    return std::holds_alternative<RigidBody>(model.entities()[at(e)].kind);
  }));
}

/// All numbers of a host that absorbed its group: its own, a frame for each port of each member, the constituents
/// with their sum. Only the shapes of a sum, which are not used for its inertia, are not updated.
void number_host(const Model& model, const PortGraph& graph, const RigidGroup& group, Kind& host) {
  const Kind& own = model.entities()[at(group.host)].kind;
  auto* whole = std::get_if<RigidBody>(&host);
  const bool sums = whole != nullptr && bodies_in(model, group) > 1;
  copy_own(own, sums, host);
  std::vector<Constituent>& constituents =
      whole == nullptr ? std::get<ReferenceFrame>(host).constituents : whole->constituents;
  std::vector<Frame>& frames = *frames_of(host);
  std::size_t frame = frames_of(own) == nullptr ? 0 : frames_of(own)->size(), constituent = 0;
  for (std::size_t k = 0; k < group.members.size(); ++k) {
    const int e = group.members[k];
    const Entity& member = model.entities()[at(e)];
    const auto* body = std::get_if<RigidBody>(&member.kind);
    if (body != nullptr && (sums || whole == nullptr)) {
      Constituent& c = constituents[constituent++];
      c.X_BC = group.X_HE[k];
      c.M_C = mass_properties(*body).value_or(Inertia<double>{});
    }
    if (e == group.host && frames_of(own) != nullptr) continue;
    const int ports = graph.end_port(e) - graph.first_port(e);  // all of a rigid entity's are frames
    for (int port = 0; port < ports; ++port) frames[frame++].X_EF = group.X_HE[k] * port_pose(member, port);
    if (whole != nullptr && body != nullptr) whole->internal_momentum += group.X_HE[k].R * body->internal_momentum;
  }
  if (sums) add_up(*whole);
}

class Merge {
 public:
  Merge(const Model& model, const PortGraph& graph, const RigidGroups& groups)
      : model_(model), graph_(graph), groups_(groups) {}

  Merged run() {
    out_.model.name = model_.name;
    out_.model.environment = model_.environment;
    out_.model.imported = model_.imported;
    out_.model.snap = model_.snap;
    out_.origin.push_back(groups_.groups.front().host);     // World
    std::vector<int> hosted(model_.entities().size(), -1);  // group that an entity is the host of
    for (int g = 0; g < static_cast<int>(groups_.groups.size()); ++g) {
      const RigidGroup& group = groups_.groups[at(g)];
      if (group.host >= 0) hosted[at(group.host)] = g;
    }
    for (int e = 0; e < static_cast<int>(model_.entities().size()); ++e) {
      if (hosted[at(e)] >= 0) {
        add_merged(groups_.groups[at(hosted[at(e)])]);
      } else if (groups_.group_of_entity[at(e)] < 0) {
        out_.model.add(entity(e));
        out_.origin.push_back(e);
      }
    }
    for (const RigidGroup& group : groups_.groups) {
      if (group.host < 0) add_bare(group);
    }
    for (const Connection& connection : model_.connections()) add_connection(connection);
    out_.model.exterior.joints = model_.exterior.joints;
    for (const PortRef& frame : model_.exterior.frames) out_.model.exterior.frames.push_back(moved(frame));
    return std::move(out_);
  }

 private:
  const Entity& entity(int e) const { return model_.entities()[at(e)]; }
  const std::string& host_name(const RigidGroup& group) { return entity(group.host).name; }

  bool is_taken(const std::string& name) const {
    return model_.find(name, Family::body) != nullptr || out_.model.find(name, Family::body) != nullptr;
  }

  PortRef moved(const PortRef& ref) const {
    const auto found = out_.moved.find(ref);
    return found == out_.moved.end() ? ref : found->second;
  }

  /// The host with everything of its group in it.
  void add_merged(const RigidGroup& group) {
    Entity host = entity(group.host);
    if (frames_of(host.kind) == nullptr) host = massless_in_place_of(host);
    if (absorbs(model_, group)) absorb(group, host);
    if (group.ground) {
      out_.model.at<ReferenceFrame>(world_name) = std::get<ReferenceFrame>(host.kind);
    } else {
      out_.model.add(std::move(host));
      out_.origin.push_back(group.host);
    }
  }

  /// A group of displacements and fixed joints only still needs a body to carry it.
  Entity massless_in_place_of(const Entity& first) {
    std::string name = first.name;
    while (is_taken(name)) name += "_link";
    out_.explanations.push_back({"merge", concat("massless body ", quoted(name), " stands for ", to_text(first))});
    return {name, RigidBody{}, first.where};
  }

  void absorb(const RigidGroup& group, Entity& host) {
    std::vector<Frame>& frames = *frames_of(host.kind);
    std::unordered_set<std::string> taken;
    for (const Frame& frame : frames) taken.insert(frame.name);
    std::vector<std::string> merged;
    std::vector<Constituent> constituents;
    for (std::size_t k = 0; k < group.members.size(); ++k) {
      const Entity& member = entity(group.members[k]);
      if (std::holds_alternative<RigidBody>(member.kind)) constituents.push_back({member.name, {}, {}});
      if (group.members[k] == group.host && host.name == member.name && frames_of(member.kind) != nullptr) continue;
      merged.push_back(to_text(member));
      move_ports(group.members[k], host.name, frames, taken);
      if (auto* whole = std::get_if<RigidBody>(&host.kind)) {
        if (const auto* body = std::get_if<RigidBody>(&member.kind))
          take_shapes(*body, member.name, group.X_HE[k], *whole);
      }
    }
    keep_constituents(host, std::move(constituents));
    number_host(model_, graph_, group, host.kind);
    if (!merged.empty()) {
      out_.explanations.push_back({"merge", concat(enumeration(merged), " merged into ", to_text(host))});
    }
  }

  /// `body "a", joint "b" and 3 more`: of texts that hold their quotes already.
  static std::string enumeration(const std::vector<std::string>& members) {
    constexpr std::size_t most = 12;
    std::string text;
    for (std::size_t k = 0; k < std::min(most, members.size()); ++k) text += concat(k > 0 ? ", " : "", members[k]);
    return members.size() > most ? concat(text, " and ", members.size() - most, " more") : text;
  }

  /// Each port of a member becomes a frame of the host.
  void move_ports(int e, const std::string& host, std::vector<Frame>& frames, std::unordered_set<std::string>& taken) {
    for (int port = graph_.first_port(e); port < graph_.end_port(e); ++port) {
      const PortRef old{entity(e).name, graph_.ports()[at(port)].name};
      const bool is_body = family_of(entity(e).kind) == Family::body;
      if (graph_.ports()[at(port)].type != PortType::spatial) continue;
      std::string name = is_body ? to_text(old) : concat(to_text(old), "'");
      while (!taken.insert(name).second) name += "'";
      frames.push_back({name, {}});
      // A name may mean a body and an element; the reference means one of them.
      if (graph_.find(old) == port) out_.moved[old] = {host, name};
    }
  }

  static void take_shapes(const RigidBody& from, const std::string& name, const Pose<double>& X_HE, RigidBody& to) {
    for (Shape shape : from.shapes) {
      shape.name = shape.name.empty() ? name : name + "." + shape.name;
      shape.X_BS = X_HE * shape.X_BS;
      to.shapes.push_back(std::move(shape));
    }
  }

  static void keep_constituents(Entity& host, std::vector<Constituent> constituents) {
    if (auto* ground = std::get_if<ReferenceFrame>(&host.kind)) {
      ground->constituents = std::move(constituents);
      return;
    }
    auto& body = std::get<RigidBody>(host.kind);
    if (constituents.size() < 2) return;
    body.density.reset();
    body.constituents = std::move(constituents);
  }

  /// A node that only joins joints.
  void add_bare(const RigidGroup& group) {
    const PortGraph::Port& port = graph_.ports()[at(group.nodes.front())];
    std::string name = concat(entity(port.entity).name, ".", port.name);
    while (is_taken(name)) name += "_link";
    out_.model.add(Entity{name, RigidBody{}, entity(port.entity).where});
    out_.origin.push_back(-1);
    out_.model.connect({{name, ""}, {entity(port.entity).name, port.name}});
    out_.explanations.push_back({"merge", concat("massless body ", quoted(name), " put between joints")});
  }

  /// Ports of one group are equivalent; connections within a group are redundant.
  void add_connection(const Connection& connection) {
    std::vector<PortRef> ports;
    std::vector<int> seen;
    for (const PortRef& ref : connection.ports) {
      const int port = graph_.find(ref);
      const int group = groups_.group_of_entity[at(graph_.ports()[at(port)].entity)];
      if (group >= 0) {
        if (std::find(seen.begin(), seen.end(), group) != seen.end()) continue;
        seen.push_back(group);
      }
      ports.push_back(moved(ref));
    }
    if (ports.size() > 1) out_.model.connect(std::move(ports), connection.where);
  }

  const Model& model_;
  const PortGraph& graph_;
  const RigidGroups& groups_;
  Merged out_;
};

}  // namespace

Merged merge_rigid(const Model& model, const PortGraph& graph, const RigidGroups& groups) {
  return Merge(model, graph, groups).run();
}

Merged merge_rigid(const Model& model) {
  Findings findings;
  const PortGraph graph(model, findings);
  throw_if_errors(findings);
  const RigidGroups groups = find_rigid_groups(model, graph, findings);
  throw_if_errors(findings);
  return merge_rigid(model, graph, groups);
}

void renumber_merged(const Model& model, const PortGraph& graph, const RigidGroups& groups,
                     const std::vector<int>& origin, Model& merged) {
  for (int m = 0; m < static_cast<int>(origin.size()); ++m) {
    const int e = origin[at(m)];
    if (e < 0) continue;
    const int g = groups.group_of_entity[at(e)];
    if (g >= 0 && absorbs(model, groups.groups[at(g)])) {
      number_host(model, graph, groups.groups[at(g)], kind_of(merged, m));
    } else {
      copy_numbers(model.entities()[at(e)].kind, kind_of(merged, m));
    }
  }
}

bool is_merged(const Model& model, const RigidGroups& groups) {
  return std::all_of(groups.groups.begin(), groups.groups.end(), [&](const RigidGroup& group) {
    return group.host >= 0 && group.members.size() == 1 && frames_of(model.entities()[at(group.host)].kind) != nullptr;
  });
}

}  // namespace articula::build
