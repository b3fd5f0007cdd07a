#include <articula/build/spanning_forest.h>

#include <algorithm>
#include <unordered_map>

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/kruskal_min_spanning_tree.hpp>

#include <articula/base/findings.h>
#include <articula/base/index.h>
#include <articula/base/text.h>

namespace articula::build {
namespace {

/// An edge between two groups: a joint or beam that can be in the tree.
struct Edge {
  int entity = -1, from = 0, to = 0;
  long weight = 0;
};

using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS, boost::no_property,
                                    boost::property<boost::edge_weight_t, long>>;

class Forest {
 public:
  Forest(const Model& model, const PortGraph& graph, const RigidGroups& groups, Findings& findings)
      : model_(model), graph_(graph), groups_(groups), findings_(findings) {}

  SpanningForest run() {
    collect_edges();
    choose_tree();
    walk();
    find_unconnected();
    find_loops();
    return std::move(forest_);
  }

 private:
  const Entity& entity(int e) const { return model_.entities()[at(e)]; }

  int group_at(int e, std::string_view port) const {
    return groups_.group_of_node[at(graph_.node(graph_.find(e, port)))];
  }

  void collect_edges() {
    const std::vector<bool> actuated = actuated_entities(model_, graph_);
    for (int e = 0; e < static_cast<int>(model_.entities().size()); ++e) {
      const Kind& kind = entity(e).kind;
      if (const auto* joint = std::get_if<Joint>(&kind)) {
        const long passive = actuated[at(e)] ? 0 : 1, declared = joint->closes_loop ? 1 : 0;
        add_edge(e, (passive * 2 + declared) * 8 + traits(joint->kind).nv());
      } else if (std::holds_alternative<Beam>(kind)) {
        add_edge(e, 64);
      } else if (const auto* frame = std::get_if<ReferenceFrame>(&kind); frame != nullptr && !is_ground(e)) {
        edges_.push_back({e, 0, groups_.group_of_entity[at(e)], 0});
      }
    }
    // Kind by kind, as text has them: models that are equal get the same order.
    std::stable_sort(edges_.begin(), edges_.end(), [&](const Edge& a, const Edge& b) {
      return entity(a.entity).kind.index() < entity(b.entity).kind.index();
    });
  }

  bool is_ground(int e) const { return groups_.group_of_entity[at(e)] == 0; }

  void add_edge(int e, long weight) {
    const int from = group_at(e, "from"), to = group_at(e, "to");
    if (from < 0 || to < 0) return;  // an open port, which the structure's check has reported
    if (from == to) return report_self(e, from);
    edges_.push_back({e, from, to, weight});
  }

  void report_self(int e, int group) {
    add_finding(findings_, {Severity::error, "joint-self", entity(e).where,
                            concat(to_text(entity(e)), " connects ", group_name(group),
                                   " with itself. It needs two bodies "
                                   "that are not rigidly connected.")});
  }

  std::string group_name(int g) const {
    const int host = groups_.groups[at(g)].host;
    return host < 0 ? "a node" : to_text(entity(host));
  }

  /// Kruskal's minimum spanning forest; among equals the first in the file stays.
  void choose_tree() {
    Graph boost_graph(groups_.groups.size());
    std::unordered_map<long, int> edge_of_weight;
    const long n = static_cast<long>(edges_.size()) + 1;
    for (int k = 0; k < static_cast<int>(edges_.size()); ++k) {
      const Edge& edge = edges_[at(k)];
      const long weight = edge.weight * n + k;
      edge_of_weight.emplace(weight, k);
      boost::add_edge(at(edge.from), at(edge.to), weight, boost_graph);
    }
    std::vector<Graph::edge_descriptor> chosen;
    chosen.reserve(groups_.groups.size());
    boost::kruskal_minimum_spanning_tree(boost_graph, std::back_inserter(chosen));
    in_tree_.assign(edges_.size(), false);
    for (const auto& edge : chosen) {
      in_tree_[at(edge_of_weight.at(boost::get(boost::edge_weight, boost_graph, edge)))] = true;
    }
  }

  bool is_floating_base(const Edge& edge) const {
    const auto* joint = std::get_if<Joint>(&entity(edge.entity).kind);
    return joint != nullptr && joint->kind == JointKind::free && (edge.from == 0 || edge.to == 0);
  }

  /// Depth first from World with a stack of our own.
  void walk() {
    std::vector<std::vector<int>> edges_at(groups_.groups.size());
    for (int k = 0; k < static_cast<int>(edges_.size()); ++k) {
      if (!in_tree_[at(k)]) continue;
      edges_at[at(edges_[at(k)].from)].push_back(k);
      edges_at[at(edges_[at(k)].to)].push_back(k);
    }
    std::stable_partition(edges_at[0].begin(), edges_at[0].end(),
                          [&](int k) { return is_floating_base(edges_[at(k)]); });
    branch_of_group_.assign(groups_.groups.size(), -1);
    struct Visit {
      int group, parent, edge;
    };
    std::vector<Visit> stack{{0, -1, -1}};
    while (!stack.empty()) {
      const Visit visit = stack.back();
      stack.pop_back();
      const int index = static_cast<int>(forest_.branches.size());
      branch_of_group_[at(visit.group)] = index;
      const bool reversed = visit.edge >= 0 && edges_[at(visit.edge)].from == visit.group;
      forest_.branches.push_back(
          {visit.group, visit.parent, visit.edge < 0 ? -1 : edges_[at(visit.edge)].entity, reversed});
      const auto& edges = edges_at[at(visit.group)];
      for (auto k = edges.rbegin(); k != edges.rend(); ++k) {
        if (*k == visit.edge) continue;
        const Edge& edge = edges_[at(*k)];
        stack.push_back({edge.from == visit.group ? edge.to : edge.from, index, *k});
      }
    }
  }

  /// One finding for each group of bodies that no joint connects to World.
  void find_unconnected() {
    std::vector<int> island(groups_.groups.size(), -1);
    std::vector<std::vector<int>> neighbours(groups_.groups.size());
    for (const Edge& edge : edges_) {
      neighbours[at(edge.from)].push_back(edge.to);
      neighbours[at(edge.to)].push_back(edge.from);
    }
    for (int g = 1; g < static_cast<int>(groups_.groups.size()); ++g) {
      if (branch_of_group_[at(g)] >= 0 || island[at(g)] >= 0) continue;
      std::vector<int> members{g};
      island[at(g)] = g;
      for (std::size_t k = 0; k < members.size(); ++k) {
        for (const int other : neighbours[at(members[k])]) {
          if (island[at(other)] >= 0) continue;
          island[at(other)] = g;
          members.push_back(other);
        }
      }
      report_island(members);
    }
  }

  void report_island(const std::vector<int>& members) {
    const int host = groups_.groups[at(members.front())].host;
    if (host < 0) return;
    const std::string others = members.size() > 1 ? concat(" and ", members.size() - 1, " more that hang on it") : "";
    add_finding(findings_,
                {Severity::error, "body-unconnected", entity(host).where,
                 concat(to_text(entity(host)), others, members.size() > 1 ? " have" : " has",
                        " no joint that leads to World. Connect it by a joint; for a body that floats, one with "
                        "{type: free, from: world, to: ",
                        entity(host).name, "}.")});
  }

  /// Every edge outside the tree closes one loop, and so does every connecting rod.
  void find_loops() {
    for (int k = 0; k < static_cast<int>(edges_.size()); ++k) {
      if (!in_tree_[at(k)]) add_loop(edges_[at(k)]);
    }
    for (int e = 0; e < static_cast<int>(model_.entities().size()); ++e) {
      if (!std::holds_alternative<ConnectingRod>(entity(e).kind)) continue;
      const Edge rod{e, group_at(e, "from"), group_at(e, "to"), 0};
      if (rod.from < 0 || rod.to < 0) continue;
      if (rod.from == rod.to) {
        report_self(e, rod.from);
      } else {
        add_loop(rod);
      }
    }
  }

  /// From both ends inward to the common ancestor.
  void add_loop(const Edge& edge) {
    int a = branch_of_group_[at(edge.from)], b = branch_of_group_[at(edge.to)];
    if (a < 0 || b < 0) return;
    SpanningForest::Loop loop{edge.entity, {edge.entity}};
    from_a_.clear();
    // Parents come first: the end with the larger index moves inward, so that the cost is the length of the loop.
    while (a != b) {
      int& lower = a > b ? a : b;
      (a > b ? from_a_ : loop.joints).push_back(forest_.branches[at(lower)].joint);
      lower = forest_.branches[at(lower)].parent;
    }
    loop.joints.insert(loop.joints.end(), from_a_.begin(), from_a_.end());
    require_declared(loop);
    shorten(loop);
    forest_.loops.push_back(std::move(loop));
  }

  /// Nested loops could need memory quadratic in the model: after a total number of joints, only the first joints of
  /// each loop are listed.
  void shorten(SpanningForest::Loop& loop) {
    constexpr std::size_t most_listed = 200'000, first_ones = 12;
    loop.length = loop.joints.size();
    if (loop.length > first_ones && listed_ + loop.length > most_listed) {
      loop.joints.resize(first_ones);
      loop.joints.shrink_to_fit();
    }
    listed_ += loop.joints.size();
  }

  void require_declared(const SpanningForest::Loop& loop) {
    std::vector<std::string> names;
    for (const int e : loop.joints) {
      const auto* joint = std::get_if<Joint>(&entity(e).kind);
      if (joint == nullptr || joint->closes_loop) return;
      names.push_back(entity(e).name);
    }
    const std::string first = std::move(names.front());
    names.erase(names.begin());
    add_finding(findings_, {Severity::error, "loop-undeclared", entity(loop.cut).where,
                            concat("joint ", quoted(first), " closes a loop with ", list_of(names),
                                   ": a body has two parents. If the loop is meant, put one of these joints under "
                                   "`loops:`; otherwise take one away.")});
  }

  const Model& model_;
  const PortGraph& graph_;
  const RigidGroups& groups_;
  Findings& findings_;
  std::vector<Edge> edges_;
  std::vector<bool> in_tree_;
  std::vector<int> branch_of_group_;
  std::vector<int> from_a_;  ///< workspace
  std::size_t listed_ = 0;   ///< joints of all loops so far
  SpanningForest forest_;
};

}  // namespace

std::vector<bool> actuated_entities(const Model& model, const PortGraph& graph) {
  std::vector<bool> driven_node(graph.ports().size(), false);
  for (int p = 0; p < static_cast<int>(graph.ports().size()); ++p) {
    const PortGraph::Port& port = graph.ports()[at(p)];
    const Kind& kind = model.entities()[at(port.entity)].kind;
    const bool drives = std::holds_alternative<Drive>(kind) || std::holds_alternative<Rotor>(kind);
    if (drives && port.type == PortType::scalar) driven_node[at(graph.node(p))] = true;
  }
  std::vector<bool> actuated(model.entities().size(), false);
  for (int e = 0; e < static_cast<int>(model.entities().size()); ++e) {
    const auto* joint = std::get_if<Joint>(&model.entities()[at(e)].kind);
    if (joint == nullptr) continue;
    actuated[at(e)] = joint->actuated || joint->prescribed;
    for (int p = graph.first_port(e); p < graph.end_port(e); ++p) {
      if (driven_node[at(graph.node(p))]) actuated[at(e)] = true;
    }
  }
  return actuated;
}

SpanningForest make_spanning_forest(const Model& merged, const PortGraph& graph, const RigidGroups& groups,
                                    Findings& findings) {
  return Forest(merged, graph, groups, findings).run();
}

}  // namespace articula::build
