#include "peers/peer.h"

namespace articula::test {

void Peer::set(const TreeState& state) {
  r_ = VectorXd::Zero(nr_);
  G_ = MatrixXd::Zero(nu_, layout_.nv);
  drift_ = VectorXd::Zero(nu_);
  for (std::size_t k = 0; k < tree_.links.size(); ++k) {
    const Range q = layout_.q[k], v = layout_.v[k];
    if (v.count == 0) continue;
    const Block own = block(tree_.links[k], state.q.data() + q.first, state.v.data() + v.first);
    r_.segment(first_r_[k], own.r.size()) = own.r;
    G_.block(first_u_[k], v.first, own.G.rows(), own.G.cols()) = own.G;
    drift_.segment(first_u_[k], own.drift.size()) = own.drift;
  }
  u_ = G_ * state.v;
  udot_ = G_ * state.vdot + drift_;
  tau_u_ = VectorXd::Zero(nu_);
  if (nu_ == layout_.nv) tau_u_ = G_.transpose().partialPivLu().solve(state.tau);
  F_B_ = state.F_B;
  take();
}

VectorXd Peer::inverse_dynamics() {
  compute_inverse_dynamics();
  return G_.transpose() * tau_u();
}

VectorXd Peer::forward_dynamics() {
  compute_forward_dynamics();
  return G_.partialPivLu().solve(udot() - drift_);
}

MatrixXd Peer::mass_matrix() {
  compute_mass_matrix();
  return G_.transpose() * M_u() * G_;
}

MatrixXd Peer::jacobian(int link) {
  compute_jacobian(link);
  return J_u() * G_;
}

}  // namespace articula::test
