#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include <articula/formats/internal/model_tree.h>
#include <articula/formats/internal/urdf_robot.h>

namespace articula::formats {

/// Converts a model to URDF. Bodies and joints keep their names; inserted links and joints are named after them.
class UrdfComposition {
 public:
  UrdfComposition(const Model& model, Findings& losses);

  const UrdfRobot& robot() const { return robot_; }

 private:
  using Edge = ModelTree::Edge;
  using Role = ModelTree::Role;
  using Side = ModelTree::Side;

  /// One joint of the chain that replaces a joint with several degrees of freedom.
  struct Step {
    JointKind kind;
    Direction axis;
    int dof;  ///< that has the limits; −1: none
    std::string suffix;
    std::optional<double> mimics_first;  ///< follows the first step with this multiplier
  };

  // Reports features that URDF cannot express, or only differently.
  void lost(const std::string& message);
  void changed(const std::string& message);

  void report_surroundings();
  void name_links();
  void decide_on_world();
  void add_links();
  UrdfLink make_link(int body);
  void weigh(const RigidBody& body, const std::string& subject, UrdfLink& link);
  void add_shapes(const RigidBody& body, const std::string& subject, UrdfLink& link);
  void add_roots();
  void add_edges();
  void add_rigid(const Edge& edge, const Side& parent, const Side& child);
  void add_joint(const Edge& edge, const Side& parent, const Side& child);
  void add_loop(const Edge& edge);
  void add_frames();
  void add_gears();
  void add_gear(int item, const Gear& gear);
  void add_drives();
  void add_drive(int item, const Drive& drive);
  void say_actuated(int item);
  void report_rest();
  void report_joint(const Edge& edge, const Joint& joint, const std::string& subject);
  void report_port(const Edge& edge, const Side& side, std::string_view port, const std::string& subject);

  std::string add_massless(const std::string& wish);
  void add_fixed(const std::string& name, const std::string& parent, const std::string& child,
                 const Pose<double>& X_PC);
  std::vector<Step> steps_of(const Joint& joint, bool inward, const std::string& subject);
  static std::vector<Step> turns_and_slides_of(const Joint& joint);
  std::vector<Step> unlike_any_chain(const Joint& joint, const std::string& subject);
  static std::string free_name(std::unordered_set<std::string>& taken, const std::string& wish);
  const ModelTree::Item& item(int number) const { return tree_.items()[static_cast<std::size_t>(number)]; }
  const std::string& link_name(int body) const { return link_of_body_[static_cast<std::size_t>(body)]; }
  bool touches_world(const Edge& edge) const { return edge.from.body == 0 || edge.to.body == 0; }
  bool is_plain_base(const Edge& edge) const;

  const Model& model_;
  Findings& losses_;
  ModelTree tree_;
  UrdfRobot robot_;
  std::vector<std::string> link_of_body_;
  std::unordered_set<std::string> link_names_, joint_names_, transmission_names_;
  std::unordered_map<int, std::size_t> joint_of_item_;  ///< items that became one joint with one shaft
  std::unordered_set<int> leaders_, driven_;            ///< items of joints
  bool has_world_ = true;
};

}  // namespace articula::formats
