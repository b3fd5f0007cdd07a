#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <articula/formats/internal/urdf_input.h>
#include <articula/formats/internal/urdf_robot.h>

namespace articula::formats {

/// The tree of links and joints of a robot.
class UrdfTree {
 public:
  /// Reports duplicate and unknown names, links with two parents, and other structures that are not a tree. After such
  /// errors the tree must not be used.
  UrdfTree(const UrdfRobot& robot, UrdfInput& input);

  int root() const { return root_; }

  /// The index of the link or joint with this name; −1 if there is none.
  int find_link(std::string_view name) const { return find(links_, name); }
  int find_joint(std::string_view name) const { return find(joints_, name); }
  bool is_joint_or_loop(std::string_view name) const { return find_joint(name) >= 0 || find(loops_, name) >= 0; }

  /// The joint of a link (−1 for the root), and the parent link of a joint.
  int carrier(int link) const { return carrier_[static_cast<std::size_t>(link)]; }
  int parent(int link) const { return parent_[static_cast<std::size_t>(link)]; }
  /// The number of joints from the root to a link.
  int depth(int link) const { return depth_[static_cast<std::size_t>(link)]; }

  /// Reports, as an error, that a link does not exist, and lists the links.
  void report_no_link(const UrdfMention& mention, const std::string& subject);
  /// Reports a missing joint to which only optional content refers: a warning that names the consequence.
  void report_no_joint(const UrdfMention& mention, const std::string& subject, std::string_view consequence);

 private:
  using Index = std::unordered_map<std::string, int>;

  static int find(const Index& index, std::string_view name);
  void number_names();
  bool hang_up();
  void find_root();
  void measure();
  std::string cycle_through(int link) const;

  const UrdfRobot& robot_;
  UrdfInput& input_;
  Index links_, joints_, loops_;
  std::vector<std::string> link_names_, joint_names_;
  std::vector<int> carrier_, parent_, depth_;
  int root_ = -1;
};

}  // namespace articula::formats
