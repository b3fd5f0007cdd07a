#include "peers/dart_peer.h"

#include <numbers>
#include <stdexcept>

#include <dart/dynamics/BallJoint.hpp>
#include <dart/dynamics/BodyNode.hpp>
#include <dart/dynamics/FreeJoint.hpp>
#include <dart/dynamics/PlanarJoint.hpp>
#include <dart/dynamics/PrismaticJoint.hpp>
#include <dart/dynamics/RevoluteJoint.hpp>
#include <dart/dynamics/ScrewJoint.hpp>
#include <dart/dynamics/Skeleton.hpp>
#include <dart/dynamics/UniversalJoint.hpp>
#include <dart/dynamics/WeldJoint.hpp>

namespace articula::test {

namespace {

namespace dd = dart::dynamics;

/// A link on its parent, which is none for World. Where names repeat DART finds others and says so.
template <class DartJoint>
std::pair<DartJoint*, dd::BodyNode*> add(dd::Skeleton& skeleton, dd::BodyNode* parent) {
  const int link = static_cast<int>(skeleton.getNumBodyNodes());
  typename DartJoint::Properties joint;
  joint.mName = joint_name(link);
  const auto made =
      skeleton.createJointAndBodyNodePair<DartJoint>(parent, joint, dd::BodyNode::AspectProperties(body_name(link)));
  for (std::size_t k = 0; k < made.first->getNumDofs(); ++k) {
    made.first->setDofName(k, joint_name(link) + "." + std::to_string(k), true);
  }
  return made;
}

template <class DartJoint>
dd::BodyNode* add_with_axis(dd::Skeleton& skeleton, dd::BodyNode* parent, const Vector3d& axis) {
  const auto [joint, body] = add<DartJoint>(skeleton, parent);
  joint->setAxis(axis);
  return body;
}

dd::BodyNode* add_link(dd::Skeleton& skeleton, dd::BodyNode* parent, const Link& link) {
  const std::vector<Elementary> parts = elementary_joints(link);
  switch (link.joint.kind) {
    case JointKind::revolute: return add_with_axis<dd::RevoluteJoint>(skeleton, parent, parts[0].axis);
    case JointKind::prismatic: return add_with_axis<dd::PrismaticJoint>(skeleton, parent, parts[0].axis);
    case JointKind::helical: {
      const auto [joint, body] = add<dd::ScrewJoint>(skeleton, parent);
      joint->setAxis(parts[0].axis);
      joint->setPitch(2 * std::numbers::pi * link.joint.parameters.of<Helical>().pitch);  // per turn
      return body;
    }
    case JointKind::universal: {
      const auto [joint, body] = add<dd::UniversalJoint>(skeleton, parent);
      joint->setAxis1(parts[0].axis);
      joint->setAxis2(parts[1].axis);
      return body;
    }
    case JointKind::planar: {
      const auto [joint, body] = add<dd::PlanarJoint>(skeleton, parent);
      joint->setArbitraryPlane(parts[0].axis, parts[1].axis);
      return body;
    }
    case JointKind::spherical: return add<dd::BallJoint>(skeleton, parent).second;
    case JointKind::free: return add<dd::FreeJoint>(skeleton, parent).second;
    case JointKind::fixed: return add<dd::WeldJoint>(skeleton, parent).second;
    case JointKind::cylindrical: break;
  }
  throw std::invalid_argument("DART has no cylindrical joint");
}

class DartPeer : public Peer {
 public:
  DartPeer(const Tree& tree, const Layout& layout) : Peer(tree, layout), skeleton_(dd::Skeleton::create()) {
    skeleton_->setGravity(tree.gravity);
    for (const Link& link : tree.links) {
      dd::BodyNode* parent = link.parent < 0 ? nullptr : bodies_[static_cast<std::size_t>(link.parent)];
      dd::BodyNode* body = add_link(*skeleton_, parent, link);
      body->getParentJoint()->setTransformFromParentBodyNode(link.X_PF);
      body->getParentJoint()->setTransformFromChildBodyNode(link.X_BM);
      body->setInertia(dd::Inertia(link.body.mass, dense(link.body.com), dense(link.body.inertia)));
      bodies_.push_back(body);
    }
    nr_ = nu_ = static_cast<int>(skeleton_->getNumDofs());
    for (const dd::BodyNode* body : bodies_) {
      const dd::Joint* joint = body->getParentJoint();
      first_r_.push_back(joint->getNumDofs() == 0 ? 0 : static_cast<int>(joint->getIndexInSkeleton(0)));
    }
    first_u_ = first_r_;
  }

  void compute_inverse_dynamics() override {
    forget();
    skeleton_->setAccelerations(udot_);
    skeleton_->computeInverseDynamics(!F_B_.empty());
  }

  void compute_forward_dynamics() override {
    forget();
    skeleton_->setForces(tau_u_);
    skeleton_->computeForwardDynamics();
  }

  void compute_mass_matrix() override {
    forget();
    M_ = &skeleton_->getMassMatrix();
  }

  void compute_jacobian(int link) override {
    forget();
    J_ = skeleton_->getWorldJacobian(bodies_[static_cast<std::size_t>(link)]);
  }

 protected:
  Block block(const Link& link, const double* q, const double* v) const override {
    const JointKind kind = link.joint.kind;
    const int nq = traits(kind).nq(), nv = traits(kind).nv();
    if (kind != JointKind::spherical && kind != JointKind::free) {
      return {Eigen::Map<const VectorXd>(q, nq), MatrixXd::Identity(nv, nv), VectorXd::Zero(nv)};
    }
    // Rotation vectors, and velocities along axes of M, as here; but the angular part comes first.
    const Isometry3d X_FM = joint_pose(link.joint, {q, static_cast<std::size_t>(nq)});
    static_cast<void>(v);
    if (kind == JointKind::spherical) {
      return {dd::BallJoint::convertToPositions(X_FM.linear()), MatrixXd::Identity(3, 3), VectorXd::Zero(3)};
    }
    Block own{dd::FreeJoint::convertToPositions(X_FM), MatrixXd::Zero(6, 6), VectorXd::Zero(6)};
    own.G.topRightCorner<3, 3>().setIdentity();
    own.G.bottomLeftCorner<3, 3>().setIdentity();
    return own;
  }

  void take() override {
    skeleton_->setPositions(r_);
    skeleton_->setVelocities(u_);
    skeleton_->clearExternalForces();
    for (std::size_t k = 0; k < F_B_.size(); ++k) {
      bodies_[k]->addExtForce(dense(F_B_[k].f), Vector3d::Zero(), true, true);
      bodies_[k]->addExtTorque(dense(F_B_[k].n), true);
    }
  }

  VectorXd tau_u() const override { return skeleton_->getForces(); }
  VectorXd udot() const override { return skeleton_->getAccelerations(); }
  MatrixXd M_u() const override { return *M_; }
  MatrixXd J_u() const override { return J_; }

 private:
  /// DART keeps what it computed until a coordinate changes: pretend that all have.
  void forget() {
    for (dd::BodyNode* body : bodies_) {
      body->getParentJoint()->notifyPositionUpdated();
      body->getParentJoint()->notifyVelocityUpdated();
    }
  }

  dd::SkeletonPtr skeleton_;
  std::vector<dd::BodyNode*> bodies_;
  const MatrixXd* M_ = nullptr;
  MatrixXd J_;
};

}  // namespace

std::unique_ptr<Peer> make_dart_peer(const Tree& tree, const Layout& layout) {
  return std::make_unique<DartPeer>(tree, layout);
}

}  // namespace articula::test
