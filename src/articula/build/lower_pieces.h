#pragma once

#include <string_view>

#include <articula/base/export.h>
#include <articula/build/lower.h>

namespace articula::build {

/// The pieces of the nodes of the flat model.
struct PiecePlaces {
  const PortGraph& graph;
  std::vector<int> of_node;

  /// The piece of the node of an entity's port; −1 if it is not connected to anything rigid.
  int at_port(int entity, std::string_view port) const {
    return of_node[static_cast<std::size_t>(graph.node(graph.find(entity, port)))];
  }
};

/// The rigid connections inside each flat body as trees of pieces, with the pieces of every frame and joint.
///
/// Depth first from the joint of each body, so that a connection outside of the tree always leads to a piece further
/// inward: all pieces between are on a cycle. Linear in the number of ports.
///
/// @pre bodies, frames and provenance of `mech` are laid out
ARTICULA_EXPORT PiecePlaces lower_pieces(const Prepared& prepared, Mechanism& mech);

}  // namespace articula::build
