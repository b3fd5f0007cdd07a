#pragma once

#include <memory>
#include <span>
#include <vector>

#include <articula/build/port_graph.h>
#include <articula/network/entity_implementation.h>

namespace articula::network {

/// By their place in the flattened model.
using Entities = std::vector<std::shared_ptr<const EntityImplementation>>;

/// Which way motions go through every port, and in which order entities pass them on.  [UNI 2.3]
///
/// The user writes none of it: it is found by a search outward from the reference frames, breadth first. What the
/// thesis writes as stacked operators is here in lists: T↑ leads from the root of an entity to its outports, C↑ from
/// an outport to the inports of its connection, however many they are.
struct ARTICULA_EXPORT Causality {
  std::vector<int> order;       ///< entities, each after those that give it motion; what carries nothing comes last
  std::vector<int> shafts;      ///< entities that act on shafts, each after those that give it turns
  std::vector<int> root;        ///< by entity, the port through which motion enters it; −1: never
  std::vector<PortRole> role;   ///< by port
  std::vector<int> source;      ///< by port, the outport that an inport is fed by; −1
  std::vector<int> first_port;  ///< by entity, with one more at the end
  std::vector<int> owner;       ///< by port, its entity

  /// The inports that an outport feeds.
  std::span<const int> fed_by(int port) const {
    const auto p = static_cast<std::size_t>(port);
    return std::span(fed).subspan(static_cast<std::size_t>(first_fed[p]),
                                  static_cast<std::size_t>(first_fed[p + 1] - first_fed[p]));
  }
  std::vector<int> first_fed, fed;

  /// One step inboard: from an inport to its source, from an outport to the root of its entity; −1 at a reference.
  int inboard(int port) const;
};

/// Throws when joints make a loop, and names them.
///
/// @param known_shafts ports whose turns are coordinates
ARTICULA_EXPORT Causality derive_causality(const Model& flat, const PortGraph& graph, const Entities& entities,
                                           std::span<const int> known_shafts);

}  // namespace articula::network
