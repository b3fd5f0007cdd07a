#include "peers/kdl_peer.h"

#include <stdexcept>

#include <kdl/chaindynparam.hpp>
#include <kdl/chainfdsolver_recursive_newton_euler.hpp>
#include <kdl/chainidsolver_recursive_newton_euler.hpp>
#include <kdl/chainjnttojacsolver.hpp>
#include <kdl/tree.hpp>
#include <kdl/treeidsolver_recursive_newton_euler.hpp>
#include <kdl/treejnttojacsolver.hpp>

namespace articula::test {

namespace {

KDL::Vector vector(const Vector3d& a) { return {a.x(), a.y(), a.z()}; }

KDL::Frame frame(const Isometry3d& X) {
  return {KDL::Rotation(X(0, 0), X(0, 1), X(0, 2), X(1, 0), X(1, 1), X(1, 2), X(2, 0), X(2, 1), X(2, 2)),
          vector(X.translation())};
}

KDL::RigidBodyInertia inertia(const RigidBody& body) {
  const SymMat3<double>& I = body.inertia;
  const KDL::RotationalInertia about_com(I.xx, I.yy, I.zz, I.xy, I.xz, I.yz);
  return KDL::RigidBodyInertia(body.mass, vector(dense(body.com)), about_com);
}

KDL::JntArray array(const VectorXd& x) {
  KDL::JntArray a(static_cast<unsigned>(x.size()));
  a.data = x;
  return a;
}

/// The slides and turns of a link, each ball as three turns about x, y and z.
std::vector<Elementary> single_joints(const Link& link) {
  std::vector<Elementary> all;
  for (const Elementary& joint : elementary_joints(link)) {
    if (joint.kind != Elementary::Kind::ball) {
      all.push_back(joint);
      continue;
    }
    for (int k = 0; k < 3; ++k) all.push_back({Elementary::Kind::turn, Vector3d::Unit(k)});
  }
  return all;
}

/// Angles of R = Rx(a)·Ry(b)·Rz(c), how their rates follow from the angular velocity along the turned axes, and their
/// second derivatives when that does not change:
///
///     ω = E·(ȧ, ḃ, ċ),   E = [Rz(c)ᵀ·Ry(b)ᵀ·e_x   Rz(c)ᵀ·e_y   e_z],   (ä, b̈, c̈) = E⁻¹·(ω̇ − Ė·(ȧ, ḃ, ċ))
struct ThreeTurns {
  Vector3d angles;
  Matrix3d inverse_E;
  Vector3d drift;

  ThreeTurns(const Matrix3d& R, const Vector3d& w) {
    angles = {std::atan2(-R(1, 2), R(2, 2)), std::asin(R(0, 2)), std::atan2(-R(0, 1), R(0, 0))};
    const double sb = std::sin(angles[1]), cb = std::cos(angles[1]);
    const double sc = std::sin(angles[2]), cc = std::cos(angles[2]);
    Matrix3d E, E_b, E_c;  // and its derivatives by b and c
    E << cb * cc, sc, 0, -cb * sc, cc, 0, sb, 0, 1;
    E_b << -sb * cc, 0, 0, sb * sc, 0, 0, cb, 0, 0;
    E_c << -cb * sc, cc, 0, -cb * cc, -sc, 0, 0, 0, 0;
    inverse_E = E.inverse();
    const Vector3d rates = inverse_E * w;
    drift = -inverse_E * (E_b * rates[1] + E_c * rates[2]) * rates;
  }
};

class KdlPeer : public Peer {
 public:
  KdlPeer(const Tree& tree, const Layout& layout) : Peer(tree, layout) {
    KDL::Tree grown("world");
    for (int k = 0; k < size(); ++k) add_link(k, grown);
    // A copy counts its joints depth first, and some solvers copy: begin with one, of which all copies are alike.
    kdl_ = grown;
    for (const std::string& name : first_segment_) {
      first_r_.push_back(static_cast<int>(GetTreeElementQNr(kdl_.getSegment(name)->second)));
      first_u_.push_back(first_r_.back());
    }
    nr_ = nu_ = static_cast<int>(kdl_.getNrOfJoints());
    const auto n = static_cast<unsigned>(nu_);
    result_.resize(n);
    zero_.resize(n);
    H_.resize(n);
    J_.resize(n);
    inverse_ = std::make_unique<KDL::TreeIdSolver_RNE>(kdl_, vector(tree.gravity));
    weightless_ = std::make_unique<KDL::TreeIdSolver_RNE>(kdl_, KDL::Vector::Zero());
    jacobian_ = std::make_unique<KDL::TreeJntToJacSolver>(kdl_);
    if (!tree.is_chain()) return;
    kdl_.getChain("world", body_name(size() - 1), chain_);
    matrices_ = std::make_unique<KDL::ChainDynParam>(chain_, vector(tree.gravity));
    forward_ = std::make_unique<KDL::ChainFdSolver_RNE>(chain_, vector(tree.gravity));
    chain_inverse_ = std::make_unique<KDL::ChainIdSolver_RNE>(chain_, vector(tree.gravity));
    chain_jacobian_ = std::make_unique<KDL::ChainJntToJacSolver>(chain_);
  }

  bool has_forward_dynamics() const override { return forward_ != nullptr && Peer::has_forward_dynamics(); }

  // Chains have solvers of their own, which are faster.
  void compute_inverse_dynamics() override {
    check(chain_inverse_ != nullptr ? chain_inverse_->CartToJnt(q_, qdot_, qdotdot_, F_of_segment_, result_)
                                    : inverse_->CartToJnt(q_, qdot_, qdotdot_, F_, result_));
  }

  void compute_forward_dynamics() override { check(forward_->CartToJnt(q_, qdot_, tau_, F_of_segment_, result_)); }

  /// KDL has the mass matrix of chains. That of other trees are the torques of unit accelerations.
  void compute_mass_matrix() override {
    if (matrices_ != nullptr) return check(matrices_->JntToMass(q_, H_));
    KDL::JntArray unit(static_cast<unsigned>(nu_));
    for (unsigned k = 0; k < static_cast<unsigned>(nu_); ++k) {
      unit(k) = 1;
      check(weightless_->CartToJnt(q_, zero_, unit, {}, result_));
      unit(k) = 0;
      H_.data.col(k) = result_.data;
    }
  }

  void compute_jacobian(int link) override {
    const int segments = static_cast<int>(last_segment_[static_cast<std::size_t>(link)]) + 1;
    check(chain_jacobian_ != nullptr ? chain_jacobian_->JntToJac(q_, J_, segments)
                                     : jacobian_->JntToJac(q_, J_, body_name(link)));
  }

 protected:
  Block block(const Link& link, const double* q, const double* v) const override {
    Block own = elementary_block(link, q, v);
    const JointKind kind = link.joint.kind;
    if (kind != JointKind::spherical && kind != JointKind::free) return own;
    const Eigen::Map<const Vector3d> w(v + traits(kind).nv() - 3);
    const ThreeTurns turns(joint_pose(link.joint, {q, static_cast<std::size_t>(traits(kind).nq())}).linear(), w);
    own.r.conservativeResize(own.r.size() - 1);
    own.r.tail<3>() = turns.angles;
    own.G.bottomRightCorner<3, 3>() = turns.inverse_E;
    own.drift.tail<3>() = turns.drift;
    return own;
  }

  void take() override {
    q_ = array(r_), qdot_ = array(u_), qdotdot_ = array(udot_), tau_ = array(tau_u_);
    F_.clear();
    F_of_segment_.assign(chain_.getNrOfSegments(), KDL::Wrench::Zero());
    for (std::size_t k = 0; k < F_B_.size(); ++k) {
      const KDL::Wrench F(vector(dense(F_B_[k].f)), vector(dense(F_B_[k].n)));
      F_[body_name(static_cast<int>(k))] = F;
      if (forward_ != nullptr) F_of_segment_[last_segment_[k]] = F;
    }
  }

  VectorXd tau_u() const override { return result_.data; }
  VectorXd udot() const override { return result_.data; }
  MatrixXd M_u() const override { return H_.data; }
  /// KDL's has the linear part first.
  MatrixXd J_u() const override {
    MatrixXd J(6, nu_);
    J << J_.data.bottomRows<3>(), J_.data.topRows<3>();
    return J;
  }

 private:
  static void check(int error) {
    if (error != 0) throw std::runtime_error("KDL: error " + std::to_string(error));
  }

  /// The frame of the last segment is the body's; those before it have no mass.
  void add_link(int k, KDL::Tree& grown) {
    const Link& link = tree_.links[static_cast<std::size_t>(k)];
    std::vector<KDL::Joint> joints;
    Isometry3d X = link.X_PF;  // the joint's frame in that of the segment before
    for (const Elementary& joint : single_joints(link)) {
      const auto type = joint.kind == Elementary::Kind::slide ? KDL::Joint::TransAxis : KDL::Joint::RotAxis;
      joints.emplace_back(vector(X.translation()), vector(X.linear() * joint.axis), type);
      X = Isometry3d::Identity();
    }
    if (joints.empty()) joints.emplace_back(KDL::Joint::Fixed);
    std::string hook = link.parent < 0 ? "world" : body_name(link.parent);
    for (std::size_t j = 0; j < joints.size(); ++j) {
      const bool last = j + 1 == joints.size();
      const Isometry3d X_in = j == 0 ? link.X_PF : Isometry3d::Identity();
      const Isometry3d X_out = last ? link.X_BM.inverse() : Isometry3d::Identity();
      const std::string name = last ? body_name(k) : body_name(k) + "." + std::to_string(j);
      const KDL::RigidBodyInertia own = last ? inertia(link.body) : KDL::RigidBodyInertia::Zero();
      grown.addSegment(KDL::Segment(name, joints[j], frame(X_in * X_out), own), hook);
      if (j == 0) first_segment_.push_back(name);
      hook = name;
    }
    last_segment_.push_back(grown.getNrOfSegments() - 1);
  }

  KDL::Tree kdl_;
  KDL::Chain chain_;
  std::vector<std::string> first_segment_;  ///< of each link
  std::vector<unsigned> last_segment_;      ///< of each link, counted along a chain
  std::unique_ptr<KDL::TreeIdSolver_RNE> inverse_, weightless_;
  std::unique_ptr<KDL::TreeJntToJacSolver> jacobian_;
  std::unique_ptr<KDL::ChainDynParam> matrices_;
  std::unique_ptr<KDL::ChainIdSolver_RNE> chain_inverse_;
  std::unique_ptr<KDL::ChainFdSolver_RNE> forward_;
  std::unique_ptr<KDL::ChainJntToJacSolver> chain_jacobian_;
  KDL::JntArray q_, qdot_, qdotdot_, tau_, result_, zero_;
  KDL::WrenchMap F_;
  KDL::Wrenches F_of_segment_;
  KDL::JntSpaceInertiaMatrix H_;
  KDL::Jacobian J_;
};

}  // namespace

std::unique_ptr<Peer> make_kdl_peer(const Tree& tree, const Layout& layout) {
  return std::make_unique<KdlPeer>(tree, layout);
}

}  // namespace articula::test
