#include <articula/network/causality.h>

#include <algorithm>

#include <articula/base/index.h>
#include <articula/base/text.h>
#include <articula/network/implementations.h>

namespace articula::network {
namespace {

class Search {
 public:
  Search(const Model& flat, const PortGraph& graph, const Entities& entities)
      : flat_(flat), graph_(graph), entities_(entities) {
    const std::size_t ports = graph.ports().size();
    found_.root.assign(entities.size(), -1);
    found_.role.assign(ports, PortRole::open);
    found_.source.assign(ports, -1);
    feeder_.assign(ports, -1);
    place_.assign(entities.size(), -1);
    for (int e = 0; e < static_cast<int>(entities.size()); ++e) found_.first_port.push_back(graph.first_port(e));
    found_.first_port.push_back(static_cast<int>(ports));
    for (const PortGraph::Port& port : graph.ports()) found_.owner.push_back(port.entity);
    sort_ports_by_node();
  }

  Causality run(std::span<const int> known_shafts) {
    for (int e = 0; e < static_cast<int>(entities_.size()); ++e) {
      if (entity(e).is_reference()) enter(e, graph_.first_port(e));
    }
    // `order` is the queue.
    for (std::size_t k = 0; k < found_.order.size(); ++k) pass_on(found_.order[k]);
    found_.order.insert(found_.order.end(), ends_.begin(), ends_.end());
    turn_shafts(known_shafts);
    list_fed();
    return std::move(found_);
  }

 private:
  const EntityImplementation& entity(int e) const { return *entities_[at(e)]; }
  int local(int port) const { return port - graph_.first_port(owner(port)); }
  int owner(int port) const { return found_.owner[at(port)]; }
  bool is_spatial(int port) const { return graph_.ports()[at(port)].type == PortType::spatial; }

  /// Whether motion that entered entity e by its root leaves it through `port`.
  bool leaves(int e, int port) const {
    if (!is_spatial(port)) return false;
    const int root = found_.root[at(e)];
    return port == root ? entity(e).is_reference() : entity(e).carries(local(root), local(port));
  }
  bool carries_any(int e) const {
    for (int p = graph_.first_port(e); p < graph_.end_port(e); ++p) {
      if (leaves(e, p)) return true;
    }
    return false;
  }

  void enter(int e, int port) {
    found_.root[at(e)] = port;
    const bool carries = carries_any(e);
    place_[at(e)] = carries ? static_cast<int>(found_.order.size()) : -1;
    (carries ? found_.order : ends_).push_back(e);
  }

  /// Through the outports of an entity into their connections. The first to reach a connection feeds it.
  void pass_on(int e) {
    for (int p = graph_.first_port(e); p < graph_.end_port(e); ++p) {
      if (!leaves(e, p) || found_.role[at(p)] != PortRole::open) continue;
      int& feeder = feeder_[at(graph_.node(p))];
      if (feeder >= 0) {
        cut(p, owner(feeder));
        continue;
      }
      feeder = p;
      found_.role[at(p)] = PortRole::out;
      for (int k = first_[at(graph_.node(p))]; k < first_[at(graph_.node(p)) + 1]; ++k) {
        if (const int other = sorted_[at(k)]; other != p) receive(other, p);
      }
    }
  }

  void receive(int port, int from) {
    const int e = owner(port);
    if (found_.root[at(e)] < 0) {
      enter(e, port);
    } else if (place_[at(e)] >= 0) {
      return cut(port, owner(from));
    }
    found_.role[at(port)] = PortRole::in;
    found_.source[at(port)] = from;
  }

  /// Motion came to `port` by two ways. Where all on both ways is rigid, they agree (the builder has checked it), and
  /// one of them is enough.
  void cut(int port, int other) {
    found_.role[at(port)] = PortRole::cut;
    std::vector<int> moving;
    int a = owner(port), b = other;
    while (a != b) {
      int& later = place_[at(a)] > place_[at(b)] ? a : b;
      if (!entity(later).is_rigid()) moving.push_back(later);
      const int source = found_.source[at(found_.root[at(later)])];
      if (source < 0) {  // two reference frames, which World joins
        const int rest = later == a ? b : a;
        if (!entity(rest).is_rigid()) moving.push_back(rest);
        break;
      }
      later = owner(source);
    }
    if (!moving.empty()) refuse(moving);
  }

  [[noreturn]] void refuse(std::vector<int> loop) const {
    const auto closes = [&](int e) {
      const auto* joint = std::get_if<Joint>(&flat_.entities()[at(e)].kind);
      return joint != nullptr && joint->closes_loop;
    };
    if (const auto said = std::find_if(loop.begin(), loop.end(), closes); said != loop.end())
      std::swap(*said, loop.front());
    const Entity& first = flat_.entities()[at(loop.front())];
    std::vector<std::string> others;
    for (std::size_t k = 1; k < loop.size(); ++k) others.push_back(flat_.entities()[at(loop[k])].name);
    throw Error(
        "network-loop", first.where,
        concat(to_text(first), " closes a loop", others.empty() ? "" : " with ", list_of(others),
               ". A network passes motions one way and computes trees only; take it away, or use an algorithm for "
               "closed loops."));
  }

  /// From shafts whose turns are known, through gears. What gives no turn comes last.
  void turn_shafts(std::span<const int> known) {
    for (const int p : known) send_turn(p);
    std::vector<int> rest;
    for (int e = 0; e < static_cast<int>(entities_.size()); ++e) {
      const bool is_joint = std::holds_alternative<Joint>(flat_.entities()[at(e)].kind);
      if (has_shafts(e) && !is_joint && !is_bystander(e)) rest.push_back(e);
    }
    for (bool changes = true; changes;) {
      const auto gives_turns = [&](int e) { return gives(e); };
      const auto waiting = std::stable_partition(rest.begin(), rest.end(), gives_turns);
      changes = waiting != rest.begin();
      found_.shafts.insert(found_.shafts.end(), rest.begin(), waiting);
      rest.erase(rest.begin(), waiting);
    }
    found_.shafts.insert(found_.shafts.end(), rest.begin(), rest.end());
  }
  bool is_bystander(int e) const { return dynamic_cast<const Bystander*>(&entity(e)) != nullptr; }
  bool has_shafts(int e) const {
    for (int p = graph_.first_port(e); p < graph_.end_port(e); ++p) {
      if (!is_spatial(p)) return true;
    }
    return false;
  }
  /// Whether an entity gives turns to shafts; if so, sends them.
  bool gives(int e) {
    const int first = graph_.first_port(e), end = graph_.end_port(e);
    std::vector<int> out;
    for (int p = first; p < end; ++p) {
      if (is_spatial(p) || found_.role[at(p)] != PortRole::open) continue;
      const auto role = std::span(found_.role).subspan(at(first), at(end - first));
      if (entity(e).turns(role, p - first)) out.push_back(p);
    }
    for (const int p : out) send_turn(p);
    return !out.empty();
  }
  void send_turn(int port) {
    found_.role[at(port)] = PortRole::out;
    const int node = graph_.node(port);
    for (int k = first_[at(node)]; k < first_[at(node) + 1]; ++k) {
      const int other = sorted_[at(k)];
      if (found_.role[at(other)] != PortRole::open || is_bystander(owner(other))) continue;
      found_.role[at(other)] = PortRole::in;
      found_.source[at(other)] = port;
    }
  }

  void sort_ports_by_node() {
    const int n = static_cast<int>(graph_.ports().size());
    first_.assign(at(n) + 1, 0);
    sorted_.resize(at(n));
    for (int p = 0; p < n; ++p) ++first_[at(graph_.node(p)) + 1];
    for (int k = 0; k < n; ++k) first_[at(k) + 1] += first_[at(k)];
    std::vector<int> next(first_.begin(), first_.end() - 1);
    for (int p = 0; p < n; ++p) sorted_[at(next[at(graph_.node(p))]++)] = p;
  }

  void list_fed() {
    found_.first_fed.assign(found_.role.size() + 1, 0);
    for (const int source : found_.source) {
      if (source >= 0) ++found_.first_fed[at(source) + 1];
    }
    for (std::size_t p = 1; p < found_.first_fed.size(); ++p) found_.first_fed[p] += found_.first_fed[p - 1];
    found_.fed.resize(at(found_.first_fed.back()));
    std::vector<int> next = found_.first_fed;
    for (int p = 0; p < static_cast<int>(found_.source.size()); ++p) {
      if (found_.source[at(p)] >= 0) found_.fed[at(next[at(found_.source[at(p)])]++)] = p;
    }
  }

  const Model& flat_;
  const PortGraph& graph_;
  const Entities& entities_;
  Causality found_;
  std::vector<int> ends_;            ///< entities that carry nothing
  std::vector<int> place_;           ///< of an entity in `order`; −1 for ends and those not reached
  std::vector<int> feeder_;          ///< by node, the outport that feeds it
  std::vector<int> first_, sorted_;  ///< ports by node
};

}  // namespace

int Causality::inboard(int port) const {
  if (role[at(port)] == PortRole::in) return source[at(port)];
  const int entrance = root[at(owner[at(port)])];
  return entrance == port ? -1 : entrance;
}

Causality derive_causality(const Model& flat, const PortGraph& graph, const Entities& entities,
                           std::span<const int> known_shafts) {
  return Search(flat, graph, entities).run(known_shafts);
}

}  // namespace articula::network
