// A solver made of solvers: the inertia that is felt at a point of a robot, and the joint torques that push with a
// given force there.
//
//     Λ(q) = (J·M⁻¹·Jᵀ)⁻¹,    tau = Jᵀ·f
//
// It has the verbs of every solver: a constructor that checks, `update`, `compute`, `report`, `refresh`. After its
// construction it allocates nothing. The closed form for an arm of two links checks it.

#include <cmath>
#include <cstdio>
#include <iostream>

#include <Eigen/Dense>

#include <articula/articula.h>

/// The inertia felt at the origin of a frame, 3 × 3, in World's axes.
class OperationalSpace {
 public:
  OperationalSpace(const articula::Model& model, const articula::PortRef& frame)
      : masses_(model),
        jacobian_(model, frame, articula::JacobianFrame::local_world_aligned),
        J_(3, masses_.nv()),
        M_inverse_(masses_.nv(), masses_.nv()),
        response_(masses_.nv(), 3),
        tau_(masses_.nv()) {}

  /// Each part checks the state, and keeps the old one if it is refused.
  void update(const articula::State& state) {
    masses_.update(state);
    jacobian_.update(state);
  }

  /// New masses, same structure.
  void refresh(const articula::Model& model) {
    masses_.refresh(model);
    jacobian_.refresh(model);
  }

  /// In directions in which the frame cannot move, the inertia felt is infinite; here it is zero there, and
  /// `directions` counts the others.
  const Eigen::Matrix3d& compute() noexcept {
    const articula::MatrixView J = jacobian_.compute(), M_inverse = masses_.compute_inverse();
    for (int k = 0; k < masses_.nv(); ++k) {
      for (int i = 0; i < 3; ++i) J_(i, k) = J(3 + i, k);  // angular rows come first
      for (int i = 0; i < masses_.nv(); ++i) M_inverse_(i, k) = M_inverse(i, k);
    }
    response_.noalias() = M_inverse_ * J_.transpose();
    mobility_.noalias() = J_ * response_;
    eigen_.computeDirect(mobility_);
    inertia_.setZero();
    directions_ = 0;
    for (int k = 0; k < 3; ++k) {
      if (eigen_.eigenvalues()[k] < 1e-9 * eigen_.eigenvalues()[2]) continue;
      const auto u = eigen_.eigenvectors().col(k);
      inertia_ += u * u.transpose() / eigen_.eigenvalues()[k];
      ++directions_;
    }
    return inertia_;
  }

  /// The joint torques that push with a force at the frame's origin, after `compute`.
  const Eigen::VectorXd& torques(const Eigen::Vector3d& force) noexcept {
    tau_.noalias() = J_.transpose() * force;
    return tau_;
  }

  int directions() const { return directions_; }  ///< in which the frame can move
  const articula::Report& report() const { return masses_.report(); }

 private:
  articula::MassMatrix masses_;
  articula::Jacobian jacobian_;
  Eigen::MatrixXd J_, M_inverse_, response_;
  Eigen::Matrix3d mobility_ = Eigen::Matrix3d::Zero(), inertia_ = Eigen::Matrix3d::Zero();
  Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> eigen_;
  Eigen::VectorXd tau_;
  int directions_ = 0;
};

/// Two links of lengths l1 and l2 in the plane x, y, with point masses m1 and m2 at their ends.
static articula::Model two_links(double l1, double m1, double l2, double m2) {
  articula::Model arm("two_links");
  arm.add("upper", articula::RigidBody{.mass = m1, .com = {l1, 0, 0}});
  arm.add("fore", articula::RigidBody{.mass = m2, .com = {l2, 0, 0}});
  arm.add("shoulder", articula::Joint{.axis = articula::z_axis}, "world", "upper");
  arm.add("elbow", articula::Joint{.axis = articula::z_axis}, articula::at("upper", {.xyz = {l1, 0, 0}}), "fore");
  arm.at<articula::RigidBody>("fore").frames.push_back({"tip", {articula::Rotation<double>::identity(), {l2, 0, 0}}});
  return arm;
}

/// m2 moves as the tip does; m1 moves by what of that is along the second link, u: Λ = m2·I + m1/sin²(q2)·u·uᵀ.
static Eigen::Matrix3d closed_form(double m1, double m2, double q1, double q2) {
  const Eigen::Vector3d u(std::cos(q1 + q2), std::sin(q1 + q2), 0);
  Eigen::Matrix3d plane = Eigen::Vector3d(1, 1, 0).asDiagonal();
  return m2 * plane + m1 / std::pow(std::sin(q2), 2) * u * u.transpose();
}

int main() {
  try {
    const double l1 = 0.4, l2 = 0.3, m2 = 0.7;
    double m1 = 1.5, worst = 0;
    articula::Model arm = two_links(l1, m1, l2, m2);
    OperationalSpace at_tip(arm, {"fore", "tip"});
    for (int k = 0; k < 100; ++k) {
      if (k == 50) {  // another mass, in use
        arm.at<articula::RigidBody>("upper").mass = m1 = 2.5;
        at_tip.refresh(arm);
      }
      const Eigen::Vector2d q(0.1 * k, 0.4 + 0.02 * k);
      at_tip.update({.q = q});
      const Eigen::Matrix3d expected = closed_form(m1, m2, q[0], q[1]);
      worst = std::max(worst, (at_tip.compute() - expected).norm() / expected.norm());
    }
    std::cout << "inertia felt at the tip, kg, in " << at_tip.directions() << " directions:\n"
              << at_tip.compute()
              << "\ntorques that push with 10 N along x, N*m: " << at_tip.torques({10, 0, 0}).transpose() << "\n";
    std::printf("largest difference to the closed form: %.1e\n", worst);
    return worst < 1e-11 ? 0 : 1;
  } catch (const articula::Error& error) {
    std::cerr << error.what() << "\n";
    return 3;
  }
}
