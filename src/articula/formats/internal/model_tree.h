#pragma once

#include <array>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <articula/model/model.h>

namespace articula::formats {

/// A model as a tree of bodies, for formats with a direction from parent to child.
///
/// Parts are flattened, their entities named by their path. Rigid connections are kept, and joints keep their order. If
/// there is no body between two joints, a massless one is inserted. O(n log n).
class ModelTree {
 public:
  struct Item {
    std::string name;  ///< "arm/hand" in a part
    const Kind* kind = nullptr;
  };
  struct Body {
    std::string name;  ///< empty if inserted
    int item = -1;     ///< −1 if inserted
  };
  /// A placement on a body, and the port at it.
  struct Side {
    int body = -1;
    Pose<double> X_BP;
    std::string port;
  };
  enum class Role {
    outward,  ///< `from` is the parent of `to`
    inward,   ///< `to` is the parent of `from`
    loop,     ///< closes a loop
  };
  /// A joint, a displacement, or bodies that are connected directly.
  struct Edge {
    int item = -1;  ///< −1 if connected directly
    Side from, to;
    Role role = Role::loop;
  };
  /// A frame of a body without connections.
  struct FreeFrame {
    int body = -1;
    const Frame* frame = nullptr;
  };
  /// One degree of freedom of a joint.
  struct Shaft {
    int item = -1;
    int number = 0;
  };

  /// Unknown references are reported in `findings` and ignored.
  ModelTree(const Model& model, Findings& findings);

  const std::vector<Item>& items() const { return items_; }
  const std::vector<Body>& bodies() const { return bodies_; }  ///< the first is World
  const std::vector<Edge>& edges() const { return edges_; }    ///< in the order of their items, direct ones last
  const std::vector<FreeFrame>& free_frames() const { return free_frames_; }

  /// The bodies without a parent: World, and one for each component that is not connected to World.
  const std::vector<int>& roots() const { return roots_; }

  /// The shafts of joints that rotate together with a port of an item.
  const std::vector<Shaft>& shafts_at(int item, std::string_view port) const;
  /// Whether anything is connected to the port.
  bool is_connected(int item, std::string_view port) const;
  /// Sets of joint shafts that are connected directly: one shaft of each set.
  const std::vector<Shaft>& shafts_together() const { return shafts_together_; }

 private:
  struct Port {
    std::string name;
    PortType type = PortType::spatial;
    int item = -1;
    Pose<double> X;  ///< on its body
  };

  void gather(const Model& model);
  void number_ports();
  void connect(Findings& findings);
  int find(int item, std::string_view port) const;
  int find(const PortRef& ref) const;
  int node_of(int port);
  void add_bodies();
  void add_edges();
  void choose_tree();
  void turn_outward();
  void list_shafts();
  bool joins_bodies(int item) const;
  Side side_at(int port) const;
  int priority(const Edge& edge) const;

  std::vector<Item> items_;
  std::vector<Connection> connections_;
  std::unordered_map<std::string, std::array<int, 3>> index_;  ///< by name and family
  std::vector<Port> ports_;
  std::vector<int> first_port_, by_name_;
  std::vector<int> node_;                   ///< of each port, the smallest port of its node
  std::vector<int> beside_;                 ///< of each port, a body's port in the same connection, or −1
  std::vector<std::vector<int>> ports_at_;  ///< of each node
  std::vector<Body> bodies_;
  std::vector<int> body_of_item_;
  std::vector<Side> side_of_node_;
  std::vector<Edge> edges_;
  std::vector<FreeFrame> free_frames_;
  std::vector<int> roots_;
  std::unordered_map<int, std::vector<Shaft>> shafts_;  ///< by node
  std::vector<Shaft> shafts_together_;
};

}  // namespace articula::formats
