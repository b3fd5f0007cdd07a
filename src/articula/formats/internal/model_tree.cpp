#include <articula/formats/internal/model_tree.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include <articula/base/findings.h>
#include <articula/base/index.h>
#include <articula/base/text.h>

namespace articula::formats {

ModelTree::ModelTree(const Model& model, Findings& findings) {
  gather(model);
  number_ports();
  connect(findings);
  add_bodies();
  add_edges();
  choose_tree();
  turn_outward();
  list_shafts();
}

/// Collects entities and connections of the model and its parts, iteratively.
void ModelTree::gather(const Model& model) {
  struct Pending {
    const Assembly* assembly;
    std::string path;
  };
  std::vector<Pending> pending{{&model, ""}};
  while (!pending.empty()) {
    const Pending next = std::move(pending.back());
    pending.pop_back();
    for (const Entity& entity : next.assembly->entities()) {
      auto [place, added] = index_.try_emplace(next.path + entity.name, std::array{-1, -1, -1});
      place->second[static_cast<std::size_t>(family_of(entity.kind))] = static_cast<int>(items_.size());
      items_.push_back({place->first, &entity.kind});
    }
    for (Connection connection : next.assembly->connections()) {
      for (PortRef& ref : connection.ports) ref.entity = next.path + ref.entity;
      connections_.push_back(std::move(connection));
    }
    const auto& parts = next.assembly->parts();
    for (auto part = parts.rbegin(); part != parts.rend(); ++part) {
      pending.push_back({&part->assembly, concat(next.path, part->name, "/")});
    }
  }
}

void ModelTree::number_ports() {
  for (int i = 0; i < static_cast<int>(items_.size()); ++i) {
    first_port_.push_back(static_cast<int>(ports_.size()));
    const std::vector<Frame>* frames = frames_of(*items_[at(i)].kind);
    std::size_t place = 0;  // 0 is the frame of the body itself, then its frames in order
    std::visit(
        [&](const auto& kind) {
          kind.ports([&](std::string_view name, PortType type) {
            const Pose<double> X =
                frames == nullptr || place == 0 ? Pose<double>::identity() : (*frames)[place - 1].X_EF;
            ports_.push_back({std::string(name), type, i, X});
            ++place;
          });
        },
        *items_[at(i)].kind);
  }
  first_port_.push_back(static_cast<int>(ports_.size()));
  by_name_.resize(ports_.size());
  std::iota(by_name_.begin(), by_name_.end(), 0);
  const auto less = [&](int a, int b) { return ports_[at(a)].name < ports_[at(b)].name; };
  for (std::size_t i = 0; i < items_.size(); ++i) {
    std::stable_sort(by_name_.begin() + first_port_[i], by_name_.begin() + first_port_[i + 1], less);
  }
}

int ModelTree::find(int item, std::string_view port) const {
  const auto begin = by_name_.begin() + first_port_[at(item)], end = by_name_.begin() + first_port_[at(item) + 1];
  const auto less = [&](int a, std::string_view wanted) { return ports_[at(a)].name < wanted; };
  const auto found = std::lower_bound(begin, end, port, less);
  return found != end && ports_[at(*found)].name == port ? *found : -1;
}

int ModelTree::find(const PortRef& ref) const {
  const auto place = index_.find(ref.entity);
  if (place == index_.end()) return -1;
  for (const int item : place->second) {
    if (item < 0) continue;
    if (const int port = find(item, ref.port); port >= 0) return port;
  }
  return -1;
}

/// Union-find with path halving.
int ModelTree::node_of(int port) {
  while (node_[at(port)] != port) port = node_[at(port)] = node_[at(node_[at(port)])];
  return port;
}

void ModelTree::connect(Findings& findings) {
  node_.resize(ports_.size());
  std::iota(node_.begin(), node_.end(), 0);
  beside_.assign(ports_.size(), -1);
  std::vector<int> together;
  for (const Connection& connection : connections_) {
    int first = -1, body = -1;
    together.clear();
    for (const PortRef& ref : connection.ports) {
      const int port = find(ref);
      const bool fits = port >= 0 && (first < 0 || ports_[at(port)].type == ports_[at(first)].type);
      if (!fits) {
        add_finding(findings, {Severity::warning, "not-expressed", connection.where,
                               concat("connection to ", quoted(to_text(ref)),
                                      ": there is no such port to connect; it was left out.")});
        continue;
      }
      if (first < 0) first = port;
      if (body < 0 && frames_of(*items_[at(ports_[at(port)].item)].kind) != nullptr) body = port;
      together.push_back(port);
      const int a = node_of(first), b = node_of(port);
      node_[at(std::max(a, b))] = std::min(a, b);
    }
    for (const int port : together) {
      if (beside_[at(port)] < 0) beside_[at(port)] = body;
    }
  }
  ports_at_.resize(ports_.size());
  for (int port = 0; port < static_cast<int>(ports_.size()); ++port) {
    node_[at(port)] = node_of(port);
    ports_at_[at(node_[at(port)])].push_back(port);
  }
}

bool ModelTree::joins_bodies(int item) const {
  const Kind& kind = *items_[at(item)].kind;
  return std::holds_alternative<Joint>(kind) || std::holds_alternative<Displacement>(kind);
}

/// Adds the bodies, and for each node of frames its body and its pose on that body.
void ModelTree::add_bodies() {
  body_of_item_.assign(items_.size(), -1);
  for (int i = 0; i < static_cast<int>(items_.size()); ++i) {
    if (frames_of(*items_[at(i)].kind) == nullptr) continue;
    body_of_item_[at(i)] = static_cast<int>(bodies_.size());
    bodies_.push_back({items_[at(i)].name, i});
  }
  side_of_node_.resize(ports_.size());
  for (std::size_t node = 0; node < ports_.size(); ++node) {
    if (ports_at_[node].empty() || ports_[node].type != PortType::spatial) continue;
    Side& side = side_of_node_[node];
    bool hangs = false;
    for (const int p : ports_at_[node]) {
      const Port& port = ports_[at(p)];
      const int body = body_of_item_[at(port.item)];
      hangs = hangs || joins_bodies(port.item);
      if (body >= 0 && side.body < 0) side = {body, port.X, port.name};
    }
    if (side.body >= 0 || !hangs) continue;
    side.body = static_cast<int>(bodies_.size());
    bodies_.push_back({});
  }
}

/// The attachment of a joint's port: the body that it was connected to, or any body at its node.
ModelTree::Side ModelTree::side_at(int port) const {
  const int beside = beside_[at(port)];
  if (beside < 0) return side_of_node_[at(node_[at(port)])];
  const Port& other = ports_[at(beside)];
  return {body_of_item_[at(other.item)], other.X, other.name};
}

void ModelTree::add_edges() {
  for (int i = 0; i < static_cast<int>(items_.size()); ++i) {
    if (!joins_bodies(i)) continue;
    edges_.push_back({i, side_at(find(i, "from")), side_at(find(i, "to"))});
  }
  // Reference frames are placed in World.
  for (int body = 1; body < static_cast<int>(bodies_.size()); ++body) {
    const int item = bodies_[at(body)].item;
    const auto* frame = item < 0 ? nullptr : std::get_if<ReferenceFrame>(items_[at(item)].kind);
    if (frame != nullptr) edges_.push_back({-1, {0, frame->placement, ""}, {body, Pose<double>::identity(), ""}});
  }
  for (std::size_t node = 0; node < ports_.size(); ++node) {
    if (ports_at_[node].empty() || ports_[node].type != PortType::spatial) continue;
    const Side& first = side_of_node_[node];
    const bool hangs = std::any_of(ports_at_[node].begin(), ports_at_[node].end(),
                                   [&](int port) { return joins_bodies(ports_[at(port)].item); });
    int first_port = -1, bodies = 0;
    for (const int p : ports_at_[node]) {
      const Port& port = ports_[at(p)];
      const int body = body_of_item_[at(port.item)];
      if (body < 0) continue;
      if (++bodies == 1) {
        first_port = p;
      } else {
        edges_.push_back({-1, first, {body, port.X, port.name}});
      }
    }
    if (bodies != 1 || hangs || first.port.empty()) continue;
    const int item = ports_[at(first_port)].item;
    free_frames_.push_back(
        {first.body, &(*frames_of(*items_[at(item)].kind))[at(first_port - first_port_[at(item)] - 1)]});
  }
}

/// Rigid connections are preferred for the tree, then joints, then joints that are declared to close loops.
int ModelTree::priority(const Edge& edge) const {
  const auto* joint = edge.item < 0 ? nullptr : std::get_if<Joint>(items_[at(edge.item)].kind);
  if (joint == nullptr || joint->kind == JointKind::fixed) return 0;
  return joint->closes_loop ? 2 : 1;
}

/// A spanning forest: an edge is in the tree if it joins two components.
void ModelTree::choose_tree() {
  std::vector<int> order(edges_.size()), piece(bodies_.size());
  std::iota(order.begin(), order.end(), 0);
  std::iota(piece.begin(), piece.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return priority(edges_[at(a)]) < priority(edges_[at(b)]); });
  const auto piece_of = [&](int body) {
    while (piece[at(body)] != body) body = piece[at(body)] = piece[at(piece[at(body)])];
    return body;
  };
  for (const int k : order) {
    Edge& edge = edges_[at(k)];
    const int a = piece_of(edge.from.body), b = piece_of(edge.to.body);
    if (a == b) continue;
    piece[at(std::max(a, b))] = std::min(a, b);
    edge.role = Role::outward;
  }
}

/// Determines the direction of edges, by a search from World and then from the first body of every other component.
void ModelTree::turn_outward() {
  std::vector<std::vector<int>> edges_at(bodies_.size());
  for (int k = 0; k < static_cast<int>(edges_.size()); ++k) {
    if (edges_[at(k)].role == Role::loop) continue;
    edges_at[at(edges_[at(k)].from.body)].push_back(k);
    edges_at[at(edges_[at(k)].to.body)].push_back(k);
  }
  std::vector<bool> reached(bodies_.size());
  std::vector<int> queue;
  for (int root = 0; root < static_cast<int>(bodies_.size()); ++root) {
    if (reached[at(root)]) continue;
    roots_.push_back(root);
    reached[at(root)] = true;
    queue.assign(1, root);
    for (std::size_t next = 0; next < queue.size(); ++next) {
      const int body = queue[next];
      for (const int k : edges_at[at(body)]) {
        Edge& edge = edges_[at(k)];
        const bool outward = edge.from.body == body;
        const int other = outward ? edge.to.body : edge.from.body;
        if (reached[at(other)]) continue;
        reached[at(other)] = true;
        edge.role = outward ? Role::outward : Role::inward;
        queue.push_back(other);
      }
    }
  }
}

const std::vector<ModelTree::Shaft>& ModelTree::shafts_at(int item, std::string_view port) const {
  static const std::vector<Shaft> none;
  const int number = find(item, port);
  const auto found = number < 0 ? shafts_.end() : shafts_.find(node_[at(number)]);
  return found == shafts_.end() ? none : found->second;
}

bool ModelTree::is_connected(int item, std::string_view port) const {
  const int number = find(item, port);
  return number >= 0 && ports_at_[at(node_[at(number)])].size() > 1;
}

void ModelTree::list_shafts() {
  for (int p = 0; p < static_cast<int>(ports_.size()); ++p) {
    const Port& port = ports_[at(p)];
    if (port.type != PortType::scalar || !std::holds_alternative<Joint>(*items_[at(port.item)].kind)) continue;
    std::vector<Shaft>& shafts = shafts_[node_[at(p)]];
    shafts.push_back({port.item, p - first_port_[at(port.item)] - 2});
    if (shafts.size() == 2) shafts_together_.push_back(shafts.front());
  }
}

}  // namespace articula::formats
