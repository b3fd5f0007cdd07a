#pragma once

#include <string_view>
#include <vector>

#include <articula/base/export.h>
#include <articula/model/model.h>

namespace articula::build {

/// The ports of a flat model (without parts), numbered, and their connections.
///
/// Connections are transitive: all ports that are joined, directly or through others, form one node.
class ARTICULA_EXPORT PortGraph {
 public:
  struct Port {
    std::string name;
    PortType type = PortType::spatial;
    int entity = -1;
  };

  /// Unknown references, and connections of a frame with a shaft, become findings and are ignored.
  PortGraph(const Model& model, Findings& findings);

  const std::vector<Port>& ports() const { return ports_; }
  int first_port(int entity) const { return first_[static_cast<std::size_t>(entity)]; }
  int end_port(int entity) const { return first_[static_cast<std::size_t>(entity) + 1]; }

  /// The port of that name; −1 if the entity has none.
  int find(int entity, std::string_view name) const;
  /// The port of a reference; −1 if there is none.
  int find(const PortRef& ref) const;

  /// The node a port belongs to: the smallest port in it.
  int node(int port) const { return node_[static_cast<std::size_t>(port)]; }
  /// The number of ports of its node.
  int node_size(int port) const { return node_size_[static_cast<std::size_t>(node(port))]; }

 private:
  void number_ports();
  void join(const Connection& connection, Findings& findings);
  int root(int port);
  Finding not_found(const PortRef& ref, const Where& where);

  const Model& model_;
  std::vector<Port> ports_;
  std::vector<int> first_;
  std::vector<int> sorted_;  ///< ports of each entity, by name
  std::vector<int> node_, node_size_;
  int suggestions_ = 0;  ///< number given so far
};

}  // namespace articula::build
