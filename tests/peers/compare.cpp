#include "peers/compare.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <Eigen/Eigenvalues>

namespace articula::test {

/// Normwise, relative. Both sides work in doubles on trees up to thirty bodies deep; 1e-14 is what is seen, more where
/// an engine's angles come near a singularity.
constexpr double agreement = 1e-11;

constexpr int states_per_tree = 3;

static double distance(const MatrixXd& a, const MatrixXd& b) { return (a - b).norm() / b.norm(); }

void Coverage::print(const std::string& engine) const {
  std::string kinds;
  for (const auto& [kind, count] : joints) kinds += fmt::format("{}{} {}", kinds.empty() ? "" : ", ", count, kind);
  fmt::print(
      "[ {} ] seeds {}: {} trees ({} with branches, {} with a floating base, {} with a moving base), {} "
      "bodies; "
      "joints: {}; {} reversed\n"
      "[ {} ] {} states, {} of them with forces on bodies; forward dynamics of {} trees\n"
      "[ {} ] worst differences: tau {:.1e}, vdot/cond(M) {:.1e}, M {:.1e}, Jacobians {:.1e}\n",
      engine, seeds, trees, branched, floating, moving, bodies, kinds, reversed, engine, states, forces,
      with_forward_dynamics, engine, tau, vdot, M, J);
}

static void count(const Tree& tree, Coverage& coverage) {
  ++coverage.trees;
  coverage.bodies += static_cast<int>(tree.links.size());
  coverage.branched += tree.is_chain() ? 0 : 1;
  for (const Link& link : tree.links) {
    ++coverage.joints[std::string(traits(link.joint.kind).name)];
    coverage.reversed += link.reversed ? 1 : 0;
  }
  const Joint& base = tree.links[0].joint;
  if (base.kind == JointKind::free) ++(base.prescribed ? coverage.moving : coverage.floating);
}

static void compare_state(const Ours& ours, Peer& peer, const TreeState& state, bool forward, Coverage& coverage) {
  const auto note = [](double& worst, double now) {
    worst = std::max(worst, now);
    return now;
  };
  peer.set(state);
  EXPECT_LT(note(coverage.tau, distance(ours.inverse_dynamics(state), peer.inverse_dynamics())), agreement);
  const MatrixXd M = ours.mass_matrix(state);
  EXPECT_LT(note(coverage.M, distance(M, peer.mass_matrix())), agreement);
  if (forward) {
    const VectorXd eigenvalues = Eigen::SelfAdjointEigenSolver<MatrixXd>(M, Eigen::EigenvaluesOnly).eigenvalues();
    const double condition = eigenvalues.maxCoeff() / eigenvalues.minCoeff();
    const double apart = distance(ours.forward_dynamics(state), peer.forward_dynamics());
    EXPECT_LT(note(coverage.vdot, apart / condition), agreement) << "condition " << condition;
  }
}

/// Of a body that cannot move there is nothing to compare.
static void compare_jacobians(const Tree& tree, const Ours& ours, Peer& peer, const TreeState& state,
                              Coverage& coverage) {
  for (int k = 0; k < static_cast<int>(tree.links.size()); ++k) {
    const MatrixXd J = ours.jacobian(state, k);
    if (J.norm() == 0) continue;
    const double apart = distance(J, peer.jacobian(k));
    coverage.J = std::max(coverage.J, apart);
    EXPECT_LT(apart, agreement) << body_name(k);
  }
}

void compare_with_peer(std::uint32_t first_seed, int trees, const TreeOptions& options, const MakePeer& make,
                       Coverage& coverage) {
  const std::uint32_t last_seed = first_seed + static_cast<std::uint32_t>(trees) - 1;
  const std::string seeds = fmt::format("{}-{}", first_seed, last_seed);
  if (!coverage.seeds.ends_with(seeds)) coverage.seeds += (coverage.seeds.empty() ? "" : ", ") + seeds;
  for (std::uint32_t seed = first_seed; seed <= last_seed; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Tree tree = random_tree(seed, options);
    const Ours ours(tree);
    if (ours.layout().nv == 0) continue;
    count(tree, coverage);
    const std::unique_ptr<Peer> peer = make(tree, ours.layout());
    const bool forward = peer->has_forward_dynamics() && !tree.links[0].joint.prescribed;
    coverage.with_forward_dynamics += forward ? 1 : 0;
    for (int k = 0; k < states_per_tree; ++k) {
      const bool forces = k > 0;
      const TreeState state = random_state(tree, ours.layout(), 1000 * seed + static_cast<std::uint32_t>(k), forces);
      ++coverage.states;
      coverage.forces += forces ? 1 : 0;
      compare_state(ours, *peer, state, forward, coverage);
      if (k == 0 && peer->has_jacobian()) compare_jacobians(tree, ours, *peer, state, coverage);
    }
  }
}

}  // namespace articula::test
