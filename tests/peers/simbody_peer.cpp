#include "peers/simbody_peer.h"

#include "peers/simbody_engine.h"

namespace articula::test {

namespace {

SimbodyEngine::Kind kind_of(JointKind kind) {
  switch (kind) {
    case JointKind::revolute: return SimbodyEngine::Kind::pin;
    case JointKind::prismatic: return SimbodyEngine::Kind::slider;
    case JointKind::helical: return SimbodyEngine::Kind::screw;
    case JointKind::cylindrical: return SimbodyEngine::Kind::cylinder;
    case JointKind::universal: return SimbodyEngine::Kind::universal;
    case JointKind::spherical: return SimbodyEngine::Kind::ball;
    case JointKind::planar: return SimbodyEngine::Kind::planar;
    case JointKind::free: return SimbodyEngine::Kind::free;
    case JointKind::fixed: break;
  }
  return SimbodyEngine::Kind::weld;
}

/// Simbody's joints turn about z and slide along x of their own frames, a universal joint turns about x and y: those
/// axes in the joint's frame.
Isometry3d own_axes(const Link& link) {
  const std::vector<Elementary> parts = elementary_joints(link);
  Isometry3d X = Isometry3d::Identity();
  switch (link.joint.kind) {
    case JointKind::revolute:
    case JointKind::helical:
    case JointKind::cylindrical: X = Eigen::Quaterniond::FromTwoVectors(Vector3d::UnitZ(), parts[0].axis); break;
    case JointKind::prismatic: X = Eigen::Quaterniond::FromTwoVectors(Vector3d::UnitX(), parts[0].axis); break;
    case JointKind::universal:
    case JointKind::planar: X.linear() << parts[0].axis, parts[1].axis, parts[0].axis.cross(parts[1].axis); break;
    default: break;
  }
  return X;
}

std::vector<SimbodyEngine::Link> links_of(const Tree& tree) {
  std::vector<SimbodyEngine::Link> links;
  for (const Link& link : tree.links) {
    const Isometry3d X_FJ = own_axes(link);
    const Vector3d c = dense(link.body.com);
    const Matrix3d about_origin = dense(link.body.inertia) - link.body.mass * tilde(c) * tilde(c);
    links.push_back({link.parent, kind_of(link.joint.kind), link.joint.parameters.of<Helical>().pitch, link.X_PF * X_FJ,
                     link.X_BM * X_FJ, link.body.mass, c, about_origin});
  }
  return links;
}

class SimbodyPeer : public Peer {
 public:
  SimbodyPeer(const Tree& tree, const Layout& layout) : Peer(tree, layout), engine_(tree.gravity, links_of(tree)) {
    nr_ = engine_.nq(), nu_ = engine_.nu();
    for (int k = 0; k < size(); ++k) {
      first_r_.push_back(engine_.first_q(k));
      first_u_.push_back(engine_.first_u(k));
    }
  }

  void compute_inverse_dynamics() override { engine_.compute_inverse_dynamics(); }
  void compute_forward_dynamics() override { engine_.compute_forward_dynamics(); }
  void compute_mass_matrix() override { engine_.compute_mass_matrix(); }
  void compute_jacobian(int link) override { engine_.compute_jacobian(link); }

 protected:
  /// The angle comes first in Simbody's cylindrical and planar joints, w in its quaternions, and the angular part in
  /// u of free joints. Those velocities are along axes of F:
  ///
  ///     u = [R·ω, R·v],   u̇ = [R·ω̇, R·(v̇ + ω × v)],   R = R_FM
  Block block(const Link& link, const double* q, const double* v) const override {
    const JointKind kind = link.joint.kind;
    const int nq = traits(kind).nq(), nv = traits(kind).nv();
    Block own{Eigen::Map<const VectorXd>(q, nq), MatrixXd::Identity(nv, nv), VectorXd::Zero(nv)};
    if (kind == JointKind::cylindrical || kind == JointKind::planar) {
      own.G.setZero();
      own.G(0, nv - 1) = 1;
      own.G.bottomLeftCorner(nv - 1, nv - 1).setIdentity();
      own.r = (own.G * own.r).eval();
    }
    if (kind != JointKind::spherical && kind != JointKind::free) return own;
    const Matrix3d R = joint_pose(link.joint, {q, static_cast<std::size_t>(nq)}).linear();
    const double* turn = q + nq - 4;
    own.G.setZero();
    own.G.topRightCorner<3, 3>() = R;
    own.r.head<4>() << turn[3], turn[0], turn[1], turn[2];
    if (kind == JointKind::free) {
      const Vector3d linear(v[0], v[1], v[2]), angular(v[3], v[4], v[5]);
      own.r.tail<3>() << q[0], q[1], q[2];
      own.G.bottomLeftCorner<3, 3>() = R;
      own.drift.tail<3>() = R * angular.cross(linear);
    }
    return own;
  }

  void take() override {
    Eigen::Matrix<double, 6, Eigen::Dynamic> F(6, static_cast<Eigen::Index>(F_B_.size()));
    for (std::size_t k = 0; k < F_B_.size(); ++k) {
      F.col(static_cast<Eigen::Index>(k)) << dense(F_B_[k].n), dense(F_B_[k].f);
    }
    engine_.set(r_, u_, udot_, tau_u_, F);
  }

  VectorXd tau_u() const override { return engine_.result(); }
  VectorXd udot() const override { return engine_.result(); }
  MatrixXd M_u() const override { return engine_.M(); }
  MatrixXd J_u() const override { return engine_.J(); }

 private:
  SimbodyEngine engine_;
};

}  // namespace

std::unique_ptr<Peer> make_simbody_peer(const Tree& tree, const Layout& layout) {
  return std::make_unique<SimbodyPeer>(tree, layout);
}

}  // namespace articula::test
