#pragma once

#include <memory>

#include "peers/ours.h"

namespace articula::test {

/// Another engine with the same tree. It computes in coordinates r, u of its own; the answers are Articula's:
///
///     u = G·v,   u̇ = G·vdot + drift,   tau = Gᵀ·tau_u,   M = Gᵀ·M_u·G,   J = J_u·G
class Peer {
 public:
  virtual ~Peer() = default;

  /// Takes a state over, into the engine's coordinates.
  void set(const TreeState& state);

  // The engine's own work, from coordinates to results, and nothing else: this is what benchmarks time.
  virtual void compute_inverse_dynamics() = 0;
  virtual void compute_forward_dynamics() = 0;
  virtual void compute_mass_matrix() = 0;
  virtual void compute_jacobian(int link) = 0;

  /// Whether it has forward dynamics for this tree, in as many coordinates.
  virtual bool has_forward_dynamics() const { return nu_ == layout_.nv; }
  virtual bool has_jacobian() const { return true; }

  VectorXd inverse_dynamics();
  VectorXd forward_dynamics();
  MatrixXd mass_matrix();
  MatrixXd jacobian(int link);

 protected:
  Peer(const Tree& tree, const Layout& layout) : tree_(tree), layout_(layout) {}

  /// The engine's coordinates of one link.
  virtual Block block(const Link& link, const double* q, const double* v) const = 0;
  /// r_, u_, udot_, tau_u_ and F_B_ are set: hand them to the engine.
  virtual void take() = 0;
  // What was computed last, in the engine's coordinates; Jacobians as Ours::jacobian().
  virtual VectorXd tau_u() const = 0;
  virtual VectorXd udot() const = 0;
  virtual MatrixXd M_u() const = 0;
  virtual MatrixXd J_u() const = 0;

  int size() const { return static_cast<int>(tree_.links.size()); }

  const Tree tree_;
  const Layout layout_;
  int nr_ = 0, nu_ = 0;                 ///< sizes of r and u, found by the engine's constructor
  std::vector<int> first_r_, first_u_;  ///< where each link's are, likewise
  VectorXd r_, u_, udot_, tau_u_;
  std::vector<Force<double>> F_B_;

 private:
  MatrixXd G_;
  VectorXd drift_;
};

}  // namespace articula::test
