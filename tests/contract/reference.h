#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <Eigen/Dense>

#include <articula/articula.h>
#include <articula/network/network.h>

#include "support/names.h"

/// A small tree, what can be added to it, and what must come out then, found without the flat form: from the network of
/// entities, from closed forms of springs and rotors, and from differences.
namespace articula::test {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// One thing that a model, a state or an option can hold.
struct Feature {
  std::string name;
  Model model;                         ///< with it
  Model bare;                          ///< what of it the network computes: no gears, springs, drives, contacts
  bool passive = false;                ///< computed with passive forces
  std::optional<Drives> drives = {};   ///< how drives are computed
  bool loads = false;                  ///< loads act
  std::vector<double> rotor, damping;  ///< of each joint, where passive forces act
  double gear = 0;                     ///< of a rotor that is joint "motor" of `bare` and drives j3; 0: none
  double drive_stiffness = 0;          ///< between the two; 0: rigid
  double stiffness = 0, rest = 0, line_damping = 0;  ///< of a spring and damper from World's origin to body c
};

/// All of them; the first is the tree by itself. Joints j1, j2, j3, j4 carry bodies a, b, c, d.
std::vector<Feature> features();

/// Wrenches on c: in World's axes, in its own, in those of d. By name, since each solver counts frames itself.
struct NamedLoad {
  std::string on, axes;
  Force<double> wrench;
};
std::vector<NamedLoad> loads_of(const Feature& feature);
std::vector<Load> loads_of(const Feature& feature, const Solver& solver);

/// What a computation gives, as numbers one after another.
class Reference {
 public:
  explicit Reference(const Feature& feature);

  std::size_t nv() const { return names_.size(); }
  const std::vector<std::string>& names() const { return names_; }  ///< of the variables that are exposed

  VectorXd tau(const VectorXd& q, const VectorXd& v, const VectorXd& vdot);
  MatrixXd mass_matrix(const VectorXd& q);
  MatrixXd inverse_mass_matrix(const VectorXd& q);  ///< of what is free
  VectorXd vdot(const VectorXd& q, const VectorXd& v, const VectorXd& prescribed, const VectorXd& tau);
  VectorXd frame_motion(const VectorXd& q, const VectorXd& v, const VectorXd& vdot, bool with_acceleration);  ///< of c
  MatrixXd jacobian(const VectorXd& q);                  ///< of c, in World's axes at its origin
  VectorXd whole(const VectorXd& q, const VectorXd& v);  ///< mass, centre of mass and its velocity, both energies

  /// Central differences of f along each entry of x.
  static MatrixXd along(const VectorXd& x, const std::function<VectorXd(const VectorXd&)>& f);

  bool is_prescribed(std::size_t k) const { return names_[k] == prescribed_; }

 private:
  Eigen::Index size() const { return static_cast<Eigen::Index>(joints_.size()); }
  Eigen::Index place(const std::string& joint) const;
  void add_passive_forces(const VectorXd& q_all, const VectorXd& v_all, const VectorXd& vdot_all, VectorXd& tau) const;
  VectorXd all_q(const VectorXd& shown) const { return q_held_ + G_ * shown; }
  void kinematics(const VectorXd& q, const VectorXd& v, const VectorXd& vdot);

  Feature feature_;
  network::Network network_;
  std::vector<std::string> joints_;  ///< as the network counts them
  std::vector<std::string> names_;
  std::string prescribed_;
  MatrixXd G_;  ///< all joints from those that are exposed
  VectorXd q_held_;
};

}  // namespace articula::test
