#include <algorithm>

#include <articula/base/index.h>
#include <articula/build/lower_pieces.h>

namespace articula::build {
namespace {

class Pieces {
 public:
  Pieces(const Prepared& prepared, Mechanism& mech)
      : prepared_(prepared),
        in_(prepared.rigid ? *prepared.rigid : *prepared.merged),
        mech_(mech),
        of_entity_(in_.model->entities().size(), -1),
        of_node_(in_.graph.ports().size(), -1),
        constituent_of_(in_.model->entities().size(), -1) {
    const auto& constituents = mech.provenance.constituents;
    for (int c = 0; c < static_cast<int>(constituents.size()); ++c) constituent_of_[at(constituents[at(c)].entity)] = c;
    sort_ports();
  }

  PiecePlaces run() {
    grow_ground();
    for (int i = 1; i < mech_.size(); ++i) grow(i);
    mark_cycles();
    std::size_t frame = 0;
    for (int e = 0; e < static_cast<int>(in_.model->entities().size()); ++e) {
      if (family_of(entity(e).kind) != Family::body) continue;
      for (int port = in_.graph.first_port(e); port < in_.graph.end_port(e); ++port, ++frame) {
        mech_.frames[frame].piece = of_entity_[at(e)];
        mech_.frames[frame].node = of_node_[at(in_.graph.node(port))];
      }
    }
    return {in_.graph, std::move(of_node_)};
  }

 private:
  /// An entity or a node, how the search came to it, and how far it has looked around.
  struct Visit {
    bool is_node = false;
    int index = -1;    ///< of the entity or node
    int came_by = -1;  ///< the port
    int next = 0, end = 0;
  };

  const Entity& entity(int e) const { return in_.model->entities()[at(e)]; }

  /// The ports of rigid entities in the order of their nodes, with where each node begins.
  void sort_ports() {
    const int n = static_cast<int>(in_.graph.ports().size());
    const auto is_edge = [&](int p) {
      const PortGraph::Port& port = in_.graph.ports()[at(p)];
      return port.type == PortType::spatial && is_rigid(entity(port.entity));
    };
    first_.assign(at(n + 1), 0);
    for (int p = 0; p < n; ++p) first_[at(in_.graph.node(p) + 1)] += is_edge(p) ? 1 : 0;
    for (int k = 0; k < n; ++k) first_[at(k + 1)] += first_[at(k)];
    ports_.resize(at(first_[at(n)]));
    std::vector<int> place(first_.begin(), first_.end() - 1);
    for (int p = 0; p < n; ++p) {
      if (is_edge(p)) ports_[at(place[at(in_.graph.node(p))]++)] = p;
    }
  }

  int add(int parent, int body, int e) {
    mech_.pieces.push_back({parent, body, e < 0 ? -1 : constituent_of_[at(e)], e, false});
    turns_.push_back(0);
    return static_cast<int>(mech_.pieces.size()) - 1;
  }

  /// The ground holds World and every fixed reference frame; one that another leads to is held twice.
  void grow_ground() {
    const int ground = add(-1, 0, -1);
    for (const int e : in_.groups.groups[0].members) {
      if (!std::holds_alternative<ReferenceFrame>(entity(e).kind)) continue;
      if (of_entity_[at(e)] < 0) {
        search(entity_visit(e, -1), ground, 0);
      } else {
        ++turns_[at(of_entity_[at(e)])];
        --turns_[at(ground)];
      }
    }
  }

  /// The root of a body is at its joint; a frame with prescribed motion is its own root.
  void grow(int i) {
    Body& body = mech_.bodies[at(i)];
    const SpanningForest::Branch& branch = prepared_.forest.branches[at(i)];
    if (body.rotor >= 0) {
      const int mount = in_.graph.find(body.entity, "mounted_on");
      body.piece_P = std::max(0, of_node_[at(in_.graph.node(mount))]);
      body.piece = add(-1, i, -1);
      return;
    }
    if (std::holds_alternative<ReferenceFrame>(entity(body.entity).kind)) {
      body.piece_P = 0;
      body.piece = search(entity_visit(body.entity, -1), -1, i);
      return;
    }
    const auto node_at = [&](const char* port) { return in_.graph.node(in_.graph.find(body.entity, port)); };
    body.piece_P = of_node_[at(node_at(branch.reversed ? "to" : "from"))];
    body.piece = search(node_visit(node_at(branch.reversed ? "from" : "to"), -1), -1, i);
  }

  Visit entity_visit(int e, int came_by) const {
    return {false, e, came_by, in_.graph.first_port(e), in_.graph.end_port(e)};
  }
  Visit node_visit(int node, int came_by) const {
    return {true, node, came_by, first_[at(node)], first_[at(node + 1)]};
  }

  int& piece_of(const Visit& visit) { return visit.is_node ? of_node_[at(visit.index)] : of_entity_[at(visit.index)]; }

  /// Everything that `root` leads to, depth first; returns the root's piece.
  int search(const Visit& root, int parent, int body) {
    std::vector<Visit> stack{root};
    const int first = piece_of(root) = add(parent, body, root.is_node ? -1 : root.index);
    while (!stack.empty()) {
      Visit& here = stack.back();
      if (here.next == here.end) {
        stack.pop_back();
        continue;
      }
      const int port = here.is_node ? ports_[at(here.next++)] : here.next++;
      const PortGraph::Port& edge = in_.graph.ports()[at(port)];
      if (port == here.came_by || edge.type != PortType::spatial) continue;
      const int own = piece_of(here);
      const Visit there = here.is_node ? entity_visit(edge.entity, port) : node_visit(in_.graph.node(port), port);
      int& other = piece_of(there);
      if (other < 0) {
        other = add(own, body, there.is_node ? -1 : there.index);
        stack.push_back(there);
      } else if (other < own) {
        ++turns_[at(own)];  // leads back
        --turns_[at(other)];
      }
    }
    return first;
  }

  /// A piece is on a cycle when a connection leads from it, or from beyond it, back to before it.
  void mark_cycles() {
    for (int k = static_cast<int>(mech_.pieces.size()) - 1; k >= 0; --k) {
      Piece& piece = mech_.pieces[at(k)];
      piece.in_cycle = turns_[at(k)] > 0;
      if (piece.parent >= 0) turns_[at(piece.parent)] += turns_[at(k)];
    }
  }

  const Prepared& prepared_;
  const ModelGraph& in_;
  Mechanism& mech_;
  std::vector<int> of_entity_, of_node_;
  std::vector<int> constituent_of_;  ///< by entity; −1: none
  std::vector<int> first_, ports_;
  std::vector<int> turns_;  ///< by piece: connections that lead back from it, less those that lead back to it
};

}  // namespace

PiecePlaces lower_pieces(const Prepared& prepared, Mechanism& mech) { return Pieces(prepared, mech).run(); }

}  // namespace articula::build
