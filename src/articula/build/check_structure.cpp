#include <algorithm>
#include <set>
#include <unordered_set>

#include <articula/base/findings.h>
#include <articula/base/text.h>
#include <articula/build/check.h>
#include <articula/build/rigid_groups.h>

namespace articula::build {
namespace {

/// Ports that may stay open: frames of bodies, shafts of joints, the far side of a torsional element, a mount; the shaft of a
/// rotor, which then spins freely.
bool may_stay_open(const Entity& entity, const PortGraph::Port& port) {
  if (family_of(entity.kind) == Family::body || std::holds_alternative<Custom>(entity.kind)) return true;
  if (std::holds_alternative<Displacement>(entity.kind)) return true;
  if (std::holds_alternative<Joint>(entity.kind)) return port.type == PortType::scalar;
  if (std::holds_alternative<Drive>(entity.kind)) return port.name == "mounted_on";
  if (std::holds_alternative<Rotor>(entity.kind)) return true;
  return port.type == PortType::scalar && port.name == "to";
}

/// After the first ones they are only counted, without their text.
void check_open_ports(const Model& flat, const PortGraph& graph, Findings& findings) {
  std::size_t count = 0;
  Where where;
  for (int p = 0; p < static_cast<int>(graph.ports().size()); ++p) {
    const PortGraph::Port& port = graph.ports()[static_cast<std::size_t>(p)];
    const Entity& entity = flat.entities()[static_cast<std::size_t>(port.entity)];
    if (graph.node_size(p) > 1 || may_stay_open(entity, port)) continue;
    if (++count > most_findings) continue;
    add_finding(findings, {Severity::error, "port-open", entity.where,
                           concat(to_text(entity), ": its port `", port.name,
                                  "` is not connected. Say where it is attached, "
                                  "e.g. ",
                                  port.name, port.type == PortType::spatial ? ": some_body." : ": some_joint.")});
    where = entity.where;
  }
  count_findings(findings, {Severity::error, "port-open", where, ""}, count - std::min(count, most_findings));
}

void check_frame_names(const Model& flat, Findings& findings) {
  for (const Entity& entity : flat.entities()) {
    const std::vector<Frame>* frames = frames_of(entity.kind);
    if (frames == nullptr || frames->empty()) continue;
    std::unordered_set<std::string_view> seen;
    for (const Frame& frame : *frames) {
      if (const std::string why = why_no_name(frame.name); !why.empty()) {
        add_finding(findings,
                    {Severity::error, "name-invalid", entity.where, concat(to_text(entity), ": frame: ", why, ".")});
      }
      if (!seen.insert(frame.name).second) {
        add_finding(findings, {Severity::error, "name-duplicate", entity.where,
                               concat(to_text(entity), ": the frame name ", quoted(frame.name),
                                      " occurs twice. Names are unique; rename one of them.")});
      }
    }
  }
}

/// Names in properties rather than connections.
void check_mentions(const Model& flat, Findings& findings) {
  // Suggestions are expensive, and many unknown names usually have one cause.
  int suggestions = 20;
  const auto suggest = [&](const std::string& name, std::string_view what, Family family) {
    return suggestions-- > 0 ? choices(name, what, flat.names(family)) : std::string();
  };
  for (const Entity& entity : flat.entities()) {
    const auto* force = std::get_if<ExternalForce>(&entity.kind);
    if (force == nullptr || force->expressed_in == "local") continue;
    if (flat.find(force->expressed_in, Family::body) != nullptr) continue;
    add_finding(findings, {Severity::error, "no-such-frame", entity.where,
                           concat(to_text(entity), ": expressed_in is ", quoted(force->expressed_in),
                                  ", which is neither \"world\", \"local\" nor a body.",
                                  suggest(force->expressed_in, "bodies", Family::body))});
  }
  for (const std::string& joint : flat.exterior.joints) {
    if (flat.find(joint, Family::joint) != nullptr) continue;
    add_finding(findings,
                {Severity::error,
                 "no-such-joint",
                 {},
                 concat("exterior: joint ", quoted(joint), " not found.", suggest(joint, "joints", Family::joint))});
  }
}

std::string name_of(const std::string& joint) { return joint; }
std::string name_of(const PortRef& frame) { return to_text(frame); }

/// Exterior ports are listed only once.
template <class Port>
void check_once(const std::vector<Port>& ports, std::string_view what, Findings& findings) {
  std::set<Port> met;
  for (const Port& port : ports) {
    if (met.insert(port).second) continue;
    add_finding(findings, {Severity::error,
                           "exterior-twice",
                           {},
                           concat("exterior ", what, " ", quoted(name_of(port)), " is listed twice. Each ", what,
                                  " may be exposed once.")});
  }
}

}  // namespace

void check_structure(const Model& flat, const PortGraph& graph, Findings& findings) {
  check_frame_names(flat, findings);
  check_mentions(flat, findings);
  check_open_ports(flat, graph, findings);
  for (const PortRef& frame : flat.exterior.frames) {
    if (graph.find(frame) >= 0) continue;
    add_finding(findings,
                {Severity::error,
                 "no-such-frame",
                 {},
                 concat("exterior: frame ", quoted(to_text(frame)), " not found. Name a body or one of its frames.")});
  }
  check_once(flat.exterior.joints, "joint", findings);
  check_once(flat.exterior.frames, "frame", findings);
  bool contacts = false;
  for (const Entity& entity : flat.entities()) contacts |= std::holds_alternative<ContactPoint>(entity.kind);
  if (contacts && !flat.environment.ground) {
    add_finding(findings,
                {Severity::warning,
                 "ground-missing",
                 {},
                 "there are contact points but no ground to touch. Give environment: {ground: {normal: z}}."});
  }
}

}  // namespace articula::build
