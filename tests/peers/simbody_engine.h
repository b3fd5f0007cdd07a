#pragma once

#include <memory>
#include <vector>

#include <Eigen/Geometry>

#include "support/names.h"

/// Simbody behind a wall: its headers are C++17, and C++20 does not compile them. No header of Articula's is included
/// here.
namespace articula::test {

class SimbodyEngine {
 public:
  enum class Kind { pin, slider, screw, cylinder, universal, ball, planar, free, weld };

  struct Link {
    int parent = -1;
    Kind kind = Kind::weld;
    double pitch = 0;
    Eigen::Isometry3d X_PF, X_BM;
    double mass = 0;
    Eigen::Vector3d com;
    Eigen::Matrix3d inertia;  ///< about the body's origin
  };

  SimbodyEngine(const Eigen::Vector3d& gravity, const std::vector<Link>& links);
  ~SimbodyEngine();

  int nq() const;
  int nu() const;
  int first_q(int link) const;
  int first_u(int link) const;

  /// What is to be computed with; F: [moment; force] on each link, in its own frame, or no columns.
  void set(const Eigen::VectorXd& q, const Eigen::VectorXd& u, const Eigen::VectorXd& udot, const Eigen::VectorXd& tau,
           const Eigen::Matrix<double, 6, Eigen::Dynamic>& F);

  void compute_inverse_dynamics();
  void compute_forward_dynamics();
  void compute_mass_matrix();
  void compute_jacobian(int link);

  Eigen::VectorXd result() const;  ///< forces or accelerations, as computed last
  Eigen::MatrixXd M() const;
  Eigen::MatrixXd J() const;  ///< [angular; linear], in Ground

 private:
  struct Inside;
  std::unique_ptr<Inside> in_;
};

}  // namespace articula::test
