#pragma once

#include <string_view>

#include <articula/base/export.h>
#include <articula/build/lower.h>

namespace articula {

/// Where the nodes of the flat model went.
struct PiecePlaces {
  const PortGraph& graph;
  std::vector<int> of_node;

  /// The piece that stands for the node of an entity's port; −1: none, it is connected to nothing rigid.
  int at_port(int entity, std::string_view port) const {
    return of_node[static_cast<std::size_t>(graph.node(graph.find(entity, port)))];
  }
};

/// The rigid connections inside each flat body as trees of pieces, with the pieces of every frame and joint.
///
/// Depth first from where each joint holds its body, so that a connection beyond the tree always leads back to a
/// piece further in: all pieces between are on a cycle. Linear in the number of ports.
///
/// @pre bodies, frames and provenance of `mech` are laid out
ARTICULA_EXPORT PiecePlaces lower_pieces(const Prepared& prepared, Mechanism& mech);

}  // namespace articula
