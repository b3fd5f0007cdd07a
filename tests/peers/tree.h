#pragma once

#include <articula/model/model.h>
#include <Eigen/Geometry>

#include "support/random_model.h"

/// A mechanism without loops, in words that every engine understands: it is built from this here and there.
namespace articula::test {

using Eigen::Isometry3d, Eigen::Matrix3d, Eigen::MatrixXd, Eigen::Vector3d, Eigen::VectorXd;

/// A body and the joint that carries it. The joint stands at X_PF on the parent and at X_BM on the body:
///
///     X_PB = X_PF · X(q) · X_BM⁻¹,    reversed: X_PB = X_PF · X(q)⁻¹ · X_BM⁻¹
struct Link {
  int parent = -1;  ///< earlier in the list; −1: World
  Joint joint;
  bool reversed = false;  ///< the joint leads from the body to its parent; of screws only, whose inverse is a screw
  Isometry3d X_PF = Isometry3d::Identity(), X_BM = Isometry3d::Identity();
  RigidBody body;
};

struct Tree {
  std::string name;
  Vector3d gravity{0, 0, -9.81};
  std::vector<Link> links;

  bool is_chain() const;
  bool has(JointKind kind) const;
};

/// What a random tree is made of.
struct TreeOptions {
  std::vector<JointKind> kinds;  ///< of its joints
  int most_bodies = 10;
  bool chain = false;     ///< no branches
  double floating = 0.3;  ///< share of trees whose first joint is free, whatever `kinds` says
  double moving = 0.3;    ///< share of those whose base moves as it is told
};

/// Skew or aligned axes and placements, full inertias, any gravity. The same for the same seed and options.
Tree random_tree(std::uint32_t seed, const TreeOptions& options);

/// The tree as a user of Articula writes it: bodies b0, b1, ..., on joints j0, j1, ...
Model to_model(const Tree& tree);

/// The tree of a model whose joints connect bodies and World directly, without parts.
Tree to_tree(const Model& model);

std::string body_name(int link);
std::string joint_name(int link);

// --- joints as sequences ------------------------------------------------------------------------------------------

/// A slide along or a turn about an axis of the joint's frame, or a ball.
struct Elementary {
  enum class Kind { slide, turn, ball };
  Kind kind = Kind::turn;
  Vector3d axis = Vector3d::UnitZ();
};

/// A joint as a sequence of elementary ones with no bodies between them.
std::vector<Elementary> elementary_joints(const Link& link);

/// How other coordinates r, u of a joint go with Articula's q, v:
///
///     u = G·v,    du/dt = G·vdot + drift,    tau = Gᵀ·tau_u
struct Block {
  VectorXd r;
  MatrixXd G;
  VectorXd drift;
};

/// The coordinates of the elementary joints; those of a ball are its quaternion x, y, z, w and the angular velocity
/// in M.
Block elementary_block(const Link& link, const double* q, const double* v);

Matrix3d tilde(const Vector3d& a);

}  // namespace articula::test
