#pragma once

#include <articula/build/build.h>

#include "peers/tree.h"

namespace articula::test {

/// Where each link's coordinates are in q and v.
struct Layout {
  std::vector<Range> q, v;
  int nq = 0, nv = 0;
};

/// A state and what is asked of it, in Articula's coordinates.
struct TreeState {
  VectorXd q, v;
  VectorXd vdot;                   ///< for inverse dynamics
  VectorXd tau;                    ///< for forward dynamics
  std::vector<Force<double>> F_B;  ///< on each link, in its body's own frame; empty: none
};

/// The tree in Articula, and its answers.
class Ours {
 public:
  explicit Ours(const Tree& tree);

  const Built& built() const { return built_; }
  const Layout& layout() const { return layout_; }

  VectorXd inverse_dynamics(const TreeState& state) const;
  VectorXd forward_dynamics(const TreeState& state) const;
  MatrixXd mass_matrix(const TreeState& state) const;

  /// The velocity of a link's own frame for each rate: [angular; linear] at the frame's origin, along World's axes.
  MatrixXd jacobian(const TreeState& state, int link) const;

 private:
  std::vector<Force<double>> on_flat_bodies(const TreeState& state) const;

  Built built_;
  Layout layout_;
  std::vector<int> frame_;  ///< of each link's body
};

/// Values of the order of one; forces on about half of the bodies, or on none.
TreeState random_state(const Tree& tree, const Layout& layout, std::uint32_t seed, bool forces);

}  // namespace articula::test
