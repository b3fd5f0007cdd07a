#include "peers/mujoco_peer.h"

#include <cstring>
#include <stdexcept>

#include <fmt/format.h>
#include <mujoco/mujoco.h>
#include <Eigen/Eigenvalues>

namespace articula::test {

namespace {

std::string text(const Vector3d& a) { return fmt::format("{:.17g} {:.17g} {:.17g}", a.x(), a.y(), a.z()); }

std::string text(const Matrix3d& R) {
  const Eigen::Quaterniond q(R);
  return fmt::format("{:.17g} {:.17g} {:.17g} {:.17g}", q.w(), q.x(), q.y(), q.z());
}

/// MuJoCo's own free joint: only on World.
bool is_root_free(const Link& link) { return link.joint.kind == JointKind::free && link.parent < 0; }

std::string joints_text(const Link& link) {
  if (is_root_free(link)) return "<freejoint/>";
  constexpr const char* types[]{"slide", "hinge", "ball"};
  std::string all;
  for (const Elementary& joint : elementary_joints(link)) {
    all += fmt::format("<joint type='{}' pos='{}' axis='{}'/>", types[static_cast<int>(joint.kind)],
                       text(Vector3d(link.X_BM.translation())), text(Vector3d(link.X_BM.linear() * joint.axis)));
  }
  return all;
}

std::string body_text(const Tree& tree, int k) {
  const Link& link = tree.links[static_cast<std::size_t>(k)];
  const Isometry3d X_PB = link.X_PF * link.X_BM.inverse();  // where the joint is at rest
  // In principal axes: MuJoCo's own way to them, from `fullinertia`, is good to eight digits only.
  const Eigen::SelfAdjointEigenSolver<Matrix3d> principal(dense(link.body.inertia));
  Matrix3d axes = principal.eigenvectors();
  if (axes.determinant() < 0) axes.col(0) *= -1;
  std::string children;
  for (int c = k + 1; c < static_cast<int>(tree.links.size()); ++c) {
    if (tree.links[static_cast<std::size_t>(c)].parent == k) children += body_text(tree, c);
  }
  return fmt::format(
      "<body name='{}' pos='{}' quat='{}'><inertial mass='{:.17g}' pos='{}' quat='{}' diaginertia='{}'/>"
      "{}{}</body>\n",
      body_name(k), text(Vector3d(X_PB.translation())), text(Matrix3d(X_PB.linear())), link.body.mass,
      text(dense(link.body.com)), text(axes), text(Vector3d(principal.eigenvalues())), joints_text(link), children);
}

std::string mjcf(const Tree& tree) {
  std::string bodies;
  for (int k = 0; k < static_cast<int>(tree.links.size()); ++k) {
    if (tree.links[static_cast<std::size_t>(k)].parent < 0) bodies += body_text(tree, k);
  }
  return fmt::format(
      "<mujoco><compiler angle='radian' coordinate='local'/><option gravity='{}'><flag constraint='disable' "
      "contact='disable'/></option><worldbody>{}</worldbody></mujoco>",
      text(tree.gravity), bodies);
}

mjModel* load(const std::string& xml) {
  const auto files = std::make_unique<mjVFS>();
  mj_defaultVFS(files.get());
  mj_makeEmptyFileVFS(files.get(), "tree.xml", static_cast<int>(xml.size()));
  std::memcpy(files->filedata[0], xml.data(), xml.size());
  char error[1000] = "";
  mjModel* model = mj_loadXML("tree.xml", files.get(), error, sizeof error);
  mj_deleteVFS(files.get());
  if (model == nullptr) throw std::runtime_error(std::string("MuJoCo: ") + error + "\n" + xml);
  return model;
}

class MujocoPeer : public Peer {
 public:
  MujocoPeer(const Tree& tree, const Layout& layout)
      : Peer(tree, layout), m_(load(mjcf(tree)), mj_deleteModel), d_(mj_makeData(m_.get()), mj_deleteData) {
    nr_ = m_->nq, nu_ = m_->nv;
    for (int k = 0; k < size(); ++k) {
      id_.push_back(mj_name2id(m_.get(), mjOBJ_BODY, body_name(k).c_str()));
      const int joint = m_->body_jntadr[id_.back()];
      first_r_.push_back(joint < 0 ? 0 : m_->jnt_qposadr[joint]);
      first_u_.push_back(joint < 0 ? 0 : m_->jnt_dofadr[joint]);
    }
    result_ = VectorXd::Zero(nu_);
    dense_ = RowMajor::Zero(nu_, nu_);
    Jp_ = Jr_ = RowMajor3::Zero(3, nu_);
  }

  void compute_inverse_dynamics() override {
    std::memcpy(d_->qacc, udot_.data(), sizeof(double) * static_cast<std::size_t>(nu_));
    mj_kinematics(m_.get(), d_.get());
    mj_comPos(m_.get(), d_.get());
    mj_comVel(m_.get(), d_.get());
    mj_rne(m_.get(), d_.get(), 1, result_.data());
    if (!F_B_.empty()) result_ -= applied();
  }

  void compute_forward_dynamics() override {
    mj_kinematics(m_.get(), d_.get());
    mj_comPos(m_.get(), d_.get());
    mj_crb(m_.get(), d_.get());
    mj_factorM(m_.get(), d_.get());
    mj_comVel(m_.get(), d_.get());
    mj_rne(m_.get(), d_.get(), 0, d_->qfrc_bias);
    for (int k = 0; k < nu_; ++k) d_->qfrc_smooth[k] = tau_u_[k] - d_->qfrc_bias[k];
    if (!F_B_.empty()) Eigen::Map<VectorXd>(d_->qfrc_smooth, nu_) += applied();
    mj_solveM(m_.get(), d_.get(), result_.data(), d_->qfrc_smooth, 1);
  }

  void compute_mass_matrix() override {
    mj_kinematics(m_.get(), d_.get());
    mj_comPos(m_.get(), d_.get());
    mj_crb(m_.get(), d_.get());
    mj_fullM(m_.get(), dense_.data(), d_->qM);
  }

  void compute_jacobian(int link) override {
    mj_kinematics(m_.get(), d_.get());
    mj_comPos(m_.get(), d_.get());
    mj_jacBody(m_.get(), d_.get(), Jp_.data(), Jr_.data(), id_[static_cast<std::size_t>(link)]);
  }

 protected:
  Block block(const Link& link, const double* q, const double* v) const override {
    Block own = elementary_block(link, q, v);
    const JointKind kind = link.joint.kind;
    if (kind != JointKind::spherical && kind != JointKind::free) return own;
    // The ball turns about axes of the body, not of M: the same turn in other axes.
    const Matrix3d R_BM = link.X_BM.linear();
    own.G.bottomRows<3>() = R_BM * own.G.bottomRows<3>();
    const Vector3d turn = R_BM * own.r.tail<4>().head<3>();
    own.r.tail<4>() = Eigen::Vector4d(q[traits(kind).nq() - 1], turn.x(), turn.y(), turn.z());
    if (is_root_free(link)) root_block(link, q, v, own);
    return own;
  }

  void take() override {
    std::memcpy(d_->qpos, r_.data(), sizeof(double) * static_cast<std::size_t>(nr_));
    std::memcpy(d_->qvel, u_.data(), sizeof(double) * static_cast<std::size_t>(nu_));
  }

  VectorXd tau_u() const override { return result_; }
  VectorXd udot() const override { return result_; }
  MatrixXd M_u() const override { return dense_; }
  MatrixXd J_u() const override {
    MatrixXd J(6, nu_);
    J << Jr_, Jp_;
    return J;
  }

 private:
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  using RowMajor3 = Eigen::Matrix<double, 3, Eigen::Dynamic, Eigen::RowMajor>;

  /// A free joint on World: r = [p_WB, quaternion of B in World], u = [ṗ_WB along World's axes, ω along those of B].
  /// With the joint's frames F and M, where v and ω are those of M in F, along M, and R = R_WM = R_WF·R_FM:
  ///
  ///     p_WB = p_WF + R_WF·(p_FM + R_FM·p_MB)
  ///     ṗ_WB = R·(v + ω × p_MB)
  ///     p̈_WB = R·(v̇ + ω̇ × p_MB + ω × (v + ω × p_MB))
  static void root_block(const Link& link, const double* q, const double* v, Block& own) {
    const Isometry3d X_WM = link.X_PF * joint_pose(link.joint, {q, 7}), X_WB = X_WM * link.X_BM.inverse();
    const Matrix3d R = X_WM.linear();
    const Vector3d p_MB = link.X_BM.inverse().translation();
    const Vector3d linear(v[0], v[1], v[2]), angular(v[3], v[4], v[5]);
    const Eigen::Quaterniond turn(X_WB.linear());
    own.r << X_WB.translation(), turn.w(), turn.x(), turn.y(), turn.z();
    own.G.topRows<3>() << R, -R * tilde(p_MB);
    own.drift << R * angular.cross(linear + angular.cross(p_MB)), Vector3d::Zero();
  }

  /// Σ Jᵀ·F, from forces and moments at the bodies' origins along World's axes.
  VectorXd applied() {
    VectorXd sum = VectorXd::Zero(nu_);
    for (int k = 0; k < size(); ++k) {
      const int id = id_[static_cast<std::size_t>(k)];
      const Eigen::Map<const RowMajor3> R_WB(d_->xmat + 9 * id, 3, 3);
      const Force<double>& F = F_B_[static_cast<std::size_t>(k)];
      const Vector3d force = R_WB * dense(F.f), moment = R_WB * dense(F.n);
      mj_applyFT(m_.get(), d_.get(), force.data(), moment.data(), d_->xpos + 3 * id, id, sum.data());
    }
    return sum;
  }

  std::unique_ptr<mjModel, decltype(&mj_deleteModel)> m_;
  std::unique_ptr<mjData, decltype(&mj_deleteData)> d_;
  std::vector<int> id_;  ///< of each link's body
  VectorXd result_;
  RowMajor dense_;
  RowMajor3 Jp_, Jr_;
};

}  // namespace

std::unique_ptr<Peer> make_mujoco_peer(const Tree& tree, const Layout& layout) {
  return std::make_unique<MujocoPeer>(tree, layout);
}

}  // namespace articula::test
