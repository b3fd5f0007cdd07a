#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include <articula/mechanism/joint_motion.h>
#include <articula/model/model.h>
#include <Eigen/Dense>
#include <Eigen/Geometry>

#include "support/names.h"

/// Where everything of a model is, found twice: by walking the graph of entities as the user wrote it, and from the
/// flat form. The walk knows nothing of build/ and computes with Eigen alone.
namespace articula::test {

using Eigen::Isometry3d;

Isometry3d dense(const Pose<double>& X);
Eigen::Matrix3d dense(const SymMat3<double>& S);
inline Eigen::Vector3d dense(const Vec3<double>& a) { return {a.x, a.y, a.z}; }

/// The largest difference between the entries of two poses.
double gap(const Isometry3d& a, const Isometry3d& b);

/// The coordinates of joints and of moving reference frames, by their path: "elbow", "arm/elbow".
using Coordinates = std::map<std::string, std::vector<double>>;

/// The pose of a joint's port `to` in its port `from`, as its axes are written.
Isometry3d joint_pose(const Joint& joint, std::span<const double> q);

using Poses = std::map<PortRef, Isometry3d>;

/// The pose in World of every frame of every body and reference frame, by path, that World leads to through rigid
/// entities and through joints that have coordinates.
Poses walk(const Model& model, const Coordinates& q);

/// The neutral coordinates of all joints that move, and the placements of moving frames.
Coordinates neutral_coordinates(const Model& model);

/// Mass, first and second moment about World's origin.
struct Mass {
  double m = 0;
  Eigen::Vector3d h = Eigen::Vector3d::Zero();
  Eigen::Matrix3d I = Eigen::Matrix3d::Zero();

  void add(const Isometry3d& X_WB, const Inertia<double>& M_B);
};
double gap(const Mass& a, const Mass& b);

/// Of all bodies of a model where they stand.
Mass total_mass(const Model& model, const Poses& poses);

// --- the same from the flat form ----------------------------------------------------------------------------------

/// q of a mechanism from the coordinates of its joints; what the tree does not have is left out.
std::vector<double> to_q(const Mechanism& mech, const Coordinates& q);

/// The pose of every body: products of X_PB along the tree.
std::vector<Isometry3d> flat_poses(const Mechanism& mech, const Parameters<double>& par, std::span<const double> q);

}  // namespace articula::test
