#pragma once

#include <vector>

#include <articula/base/export.h>
#include <articula/build/port_graph.h>

namespace articula::build {

/// One step of the path through a group, from port to port, along which its poses are computed.
struct RigidStep {
  enum class What : unsigned char {
    start,   ///< X_HE of the first member, or of a frame fixed in World
    node,    ///< X_HN = X_HE·X_EN, out of the member through one of its ports
    member,  ///< X_HE = X_HN·X_EN⁻¹, into the member
    closing  ///< a node that was reached before; both paths must give the same pose
  };
  What what = What::start;
  int member = 0;  ///< in the group's `members`
  int port = 0;    ///< of the member, counted from its first
  int node = -1;
};

/// Entities that are rigidly connected: bodies, reference frames, displacements, fixed joints.
struct RigidGroup {
  int host = -1;             ///< the entity whose frame and name represent the group; −1 for a node without entities
  std::vector<int> members;  ///< entities, the host first
  std::vector<Pose<double>> X_HE;  ///< pose of each member in the host
  std::vector<int> nodes;          ///< nodes that belong to the group
  std::vector<RigidStep> steps;    ///< computation of the poses
  bool ground = false;             ///< it contains World
};

/// All rigid groups of a flat model, World's first, then outward from it: the host of a group is the body by which
/// the search entered it, so that merged bodies keep the name of the one nearest to World.
struct RigidGroups {
  std::vector<RigidGroup> groups;
  std::vector<int> group_of_entity;  ///< −1 for entities that are not rigid
  std::vector<int> group_of_node;    ///< by node; −1 where there is none
  std::vector<Pose<double>> X_HN;    ///< pose of each node in its group's host
};

/// Rigid cycles that do not close become findings with their residual.
ARTICULA_EXPORT RigidGroups find_rigid_groups(const Model& model, const PortGraph& graph, Findings& findings);

/// Recomputes X_HE and X_HN from new numbers in a model of the same structure. Allocates only for findings.
ARTICULA_EXPORT void place_rigid_groups(const Model& model, RigidGroups& groups, Findings& findings);

/// The pose of an entity's k-th port in that entity's frame. @pre the entity is rigid
ARTICULA_EXPORT Pose<double> port_pose(const Entity& entity, int k);

ARTICULA_EXPORT bool is_rigid(const Entity& entity);

}  // namespace articula::build
