#include <articula/build/port_graph.h>

#include <algorithm>
#include <numeric>

#include <articula/base/findings.h>
#include <articula/base/index.h>
#include <articula/base/text.h>

namespace articula::build {

PortGraph::PortGraph(const Model& model, Findings& findings) : model_(model) {
  number_ports();
  node_.resize(ports_.size());
  std::iota(node_.begin(), node_.end(), 0);
  for (const Connection& connection : model.connections()) join(connection, findings);
  node_size_.assign(ports_.size(), 0);
  for (int k = 0; k < static_cast<int>(ports_.size()); ++k) {
    node_[at(k)] = root(k);
    ++node_size_[at(node_[at(k)])];
  }
}

void PortGraph::number_ports() {
  const auto& entities = model_.entities();
  first_.reserve(entities.size() + 1);
  for (int e = 0; e < static_cast<int>(entities.size()); ++e) {
    first_.push_back(static_cast<int>(ports_.size()));
    for_each_port(entities[at(e)], [&](std::string_view name, PortType type) {
      ports_.push_back({std::string(name), type, e});
    });
  }
  first_.push_back(static_cast<int>(ports_.size()));
  sorted_.resize(ports_.size());
  std::iota(sorted_.begin(), sorted_.end(), 0);
  const auto by_name = [&](int a, int b) { return ports_[at(a)].name < ports_[at(b)].name; };
  for (std::size_t e = 0; e < entities.size(); ++e) {
    std::sort(sorted_.begin() + first_[e], sorted_.begin() + first_[e + 1], by_name);
  }
}

int PortGraph::find(int entity, std::string_view name) const {
  const auto begin = sorted_.begin() + first_port(entity), end = sorted_.begin() + end_port(entity);
  const auto found = std::lower_bound(
      begin, end, name, [&](int port, std::string_view wanted) { return ports_[at(port)].name < wanted; });
  return found != end && ports_[at(*found)].name == name ? *found : -1;
}

int PortGraph::find(const PortRef& ref) const {
  for (const Family family : {Family::body, Family::joint, Family::element}) {
    const Entity* entity = model_.find(ref.entity, family);
    if (entity == nullptr) continue;
    const int port = find(static_cast<int>(entity - model_.entities().data()), ref.port);
    if (port >= 0) return port;
  }
  return -1;
}

/// Path halving: each step also shortens the path.
int PortGraph::root(int port) {
  while (node_[at(port)] != port) port = node_[at(port)] = node_[at(node_[at(port)])];
  return port;
}

/// Suggestions are expensive, and many unknown names usually have one cause.
static constexpr int most_suggestions = 20;

/// The reason why a reference is unknown: its entity or its port does not exist.
Finding PortGraph::not_found(const PortRef& ref, const Where& where) {
  const bool suggest = ++suggestions_ <= most_suggestions;
  const Entity* named = nullptr;
  std::vector<std::string> names;
  for (const Family family : {Family::body, Family::joint, Family::element}) {
    if (named == nullptr) named = model_.find(ref.entity, family);
    if (!suggest) continue;
    for (std::string& name : model_.names(family)) names.push_back(std::move(name));
  }
  if (named == nullptr) {
    return {Severity::error, "no-such-entity", where,
            concat("connection to ", quoted(ref.entity), ": there is no such entity.",
                   suggest ? choices(ref.entity, "entities", names) : "")};
  }
  if (suggest) names = port_names(*named);
  std::erase(names, "");
  return {Severity::error, "no-such-port", where,
          concat(to_text(*named), " has no port or frame ", quoted(ref.port), ".",
                 suggest ? choices(ref.port, "ports", names) : "")};
}

void PortGraph::join(const Connection& connection, Findings& findings) {
  if (connection.ports.size() < 2) {
    add_finding(findings, {Severity::error, "connection-size", connection.where,
                           concat("a connection joins ", connection.ports.size(),
                                  connection.ports.size() == 1 ? " port" : " ports", ". It needs two or more.")});
  }
  int first = -1;
  for (const PortRef& ref : connection.ports) {
    const int port = find(ref);
    if (port < 0) {
      add_finding(findings, not_found(ref, connection.where));
      continue;
    }
    if (first < 0) {
      first = port;
      continue;
    }
    if (port == first) {
      add_finding(findings,
                  {Severity::error, "connection-self", connection.where,
                   concat("the port ", quoted(to_text(ref)), " is connected with itself. Name two different ports.")});
      continue;
    }
    if (ports_[at(port)].type != ports_[at(first)].type) {
      const auto describe = [](const PortRef& r, PortType type) {
        return concat(quoted(to_text(r)), type == PortType::spatial ? " is a frame" : " is a shaft");
      };
      add_finding(findings, {Severity::error, "connection-type", connection.where,
                             concat("a frame cannot be connected with a shaft: ",
                                    describe(connection.ports.front(), ports_[at(first)].type), ", ",
                                    describe(ref, ports_[at(port)].type), ".")});
      continue;
    }
    const int a = root(first), b = root(port);
    node_[at(std::max(a, b))] = std::min(a, b);
  }
}

}  // namespace articula::build
