#include "peers/ours.h"

#include <articula/dynamics/forward_dynamics.h>
#include <articula/dynamics/inverse_dynamics.h>
#include <articula/dynamics/mass_matrix.h>

namespace articula::test {

using In = std::span<const double>;

static In in(const VectorXd& x) { return {x.data(), static_cast<std::size_t>(x.size())}; }
static std::span<double> out(MatrixXd& x) { return {x.data(), static_cast<std::size_t>(x.size())}; }
static std::span<double> out(VectorXd& x) { return {x.data(), static_cast<std::size_t>(x.size())}; }

Ours::Ours(const Tree& tree) : built_(build_mechanism(to_model(tree))) {
  const Mechanism& mech = built_.mechanism;
  const std::size_t count = tree.links.size();
  layout_ = {std::vector<Range>(count), std::vector<Range>(count), mech.nq, mech.nv};
  for (std::size_t k = 0; k < count; ++k) {
    frame_.push_back(mech.frame({body_name(static_cast<int>(k)), ""}));
    for (const StateBlock& block : mech.layout.blocks) {
      if (block.owner != joint_name(static_cast<int>(k))) continue;
      if (block.kind == StateKind::position) layout_.q[k] = block.range;
      if (block.kind == StateKind::velocity) layout_.v[k] = block.range;
    }
  }
}

/// Bodies that were merged share one frame, in which their forces add.
std::vector<Force<double>> Ours::on_flat_bodies(const TreeState& state) const {
  if (state.F_B.empty()) return {};
  std::vector<Force<double>> F(built_.mechanism.bodies.size());
  for (std::size_t k = 0; k < state.F_B.size(); ++k) {
    const auto frame = static_cast<std::size_t>(frame_[k]);
    F[static_cast<std::size_t>(built_.mechanism.frames[frame].body)] += built_.parameters.X_BF[frame] * state.F_B[k];
  }
  return F;
}

VectorXd Ours::inverse_dynamics(const TreeState& state) const {
  const Mechanism& mech = built_.mechanism;
  Positions<double> kin(mech);
  NewtonEuler<double> scratch(mech);
  VectorXd tau(mech.nv);
  positions<double, double>(mech, built_.parameters, in(state.q), kin);
  articula::dynamics::inverse_dynamics<double, double>(mech, built_.parameters, kin, in(state.q), in(state.v),
                                                       in(state.vdot), on_flat_bodies(state), scratch, out(tau));
  return tau;
}

VectorXd Ours::forward_dynamics(const TreeState& state) const {
  const Mechanism& mech = built_.mechanism;
  Velocities<double> kin(mech);
  ArticulatedBody<double> scratch(mech);
  VectorXd vdot(mech.nv);
  positions<double, double>(mech, built_.parameters, in(state.q), kin);
  velocities<double, double>(mech, built_.parameters, in(state.q), in(state.v), kin);
  articula::dynamics::forward_dynamics<double, double>(mech, built_.parameters, kin, in(state.tau),
                                                       on_flat_bodies(state), scratch, out(vdot));
  return vdot;
}

MatrixXd Ours::mass_matrix(const TreeState& state) const {
  const Mechanism& mech = built_.mechanism;
  Positions<double> kin(mech);
  CompositeBody<double> scratch(mech);
  MatrixXd M(mech.nv, mech.nv);
  positions<double, double>(mech, built_.parameters, in(state.q), kin);
  articula::dynamics::mass_matrix<double, double>(mech, built_.parameters, kin, scratch, out(M));
  return M;
}

MatrixXd Ours::jacobian(const TreeState& state, int link) const {
  const Mechanism& mech = built_.mechanism;
  const auto frame = static_cast<std::size_t>(frame_[static_cast<std::size_t>(link)]);
  const auto body = static_cast<std::size_t>(mech.frames[frame].body);
  const Matrix3d R_WF =
      flat_poses(mech, built_.parameters, in(state.q))[body].linear() * dense(built_.parameters.X_BF[frame]).linear();
  Velocities<double> kin(mech);
  positions<double, double>(mech, built_.parameters, in(state.q), kin);
  MatrixXd J(6, mech.nv);
  for (int k = 0; k < mech.nv; ++k) {
    const VectorXd v = VectorXd::Unit(mech.nv, k);
    velocities<double, double>(mech, built_.parameters, in(state.q), in(v), kin);
    const Motion<double> V_F = built_.parameters.X_BF[frame].inverse() * kin.V_B[body];
    J.col(k) << R_WF * dense(V_F.w), R_WF * dense(V_F.v);
  }
  return J;
}

TreeState random_state(const Tree& tree, const Layout& layout, std::uint32_t seed, bool forces) {
  Random random(seed);
  const auto numbers = [&](int n) {
    VectorXd x(n);
    for (int k = 0; k < n; ++k) x[k] = 2 * random.number();
    return x;
  };
  TreeState state{numbers(layout.nq), numbers(layout.nv), numbers(layout.nv), 10 * numbers(layout.nv), {}};
  for (std::size_t k = 0; k < tree.links.size(); ++k) {
    const JointKind kind = tree.links[k].joint.kind;
    if (kind != JointKind::spherical && kind != JointKind::free) continue;
    const std::vector<double> turn = random.quaternion();
    const Range own = layout.q[k];
    std::copy(turn.begin(), turn.end(), state.q.data() + own.first + own.count - 4);
  }
  for (std::size_t k = 0; forces && k < tree.links.size(); ++k) {
    state.F_B.emplace_back();
    if (random.chance(0.5)) state.F_B.back() = {10.0 * random.vec3(), 10.0 * random.vec3()};
  }
  return state;
}

}  // namespace articula::test
