#pragma once

#include <map>

#include <articula/mechanism/mechanism.h>
#include <articula/network/causality.h>
#include <articula/network/implementations.h>

namespace articula::network {

/// All of a network that does not change while it computes: the product of its builder, shared by copies.
struct ARTICULA_EXPORT Structure {
  Structure(const Model& model, Representation representation, const Implementations& implementations);

  Representation representation;
  Gravity gravity;
  Mechanism mechanism;  ///< of the flat form: its state, extended by the coordinates of the user's own entities
  Entities entities;
  Causality causality;
  std::vector<Range> q, v;  ///< coordinates of each entity
  std::map<PortRef, int> port_of;
  std::vector<std::string> left_out;  ///< entities without a part in the dynamics

  /// The port of that name; throws and says why not.
  int port(const PortRef& name) const;

 private:
  void find_entities(const Model& flat, const Implementations& implementations);
  void lay_out(const Model& flat, const PortGraph& graph);
  void name_ports(const Model& flat, const PortGraph& graph);
};

}  // namespace articula::network
