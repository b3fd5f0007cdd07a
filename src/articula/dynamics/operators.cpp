#include <articula/dynamics/operators.h>

#include <Eigen/Dense>

#include <articula/base/error.h>
#include <articula/base/text.h>
#include <articula/dynamics/axes_rate.h>
#include <articula/mechanism/joint_motion.h>

namespace articula::dynamics {

using Eigen::Index, Eigen::MatrixXd, Eigen::VectorXd;
using Matrix3 = Eigen::Matrix3d;
using Matrix6 = Eigen::Matrix<double, 6, 6>;
using Vector6 = Eigen::Matrix<double, 6, 1>;

// --- spatial quantities as matrices --------------------------------------------------------------------------------

static Matrix3 matrix(const Mat3<double>& a) {
  Matrix3 A;
  for (int i = 0; i < 3; ++i) A.row(i) << a(i, 0), a(i, 1), a(i, 2);
  return A;
}
static Matrix3 skew(const Vec3<double>& a) { return matrix(tilde(a)); }

static Vector6 column(const Vec3<double>& upper, const Vec3<double>& lower) {
  return (Vector6() << upper.x, upper.y, upper.z, lower.x, lower.y, lower.z).finished();
}
static Vector6 column(const Motion<double>& V) { return column(V.w, V.v); }
static Vector6 column(const Force<double>& F) { return column(F.n, F.f); }

static Vec3<double> upper(const Vector6& a) { return {a(0), a(1), a(2)}; }
static Vec3<double> lower(const Vector6& a) { return {a(3), a(4), a(5)}; }

/// φ: what a pose does to motions.
static Matrix6 motion_matrix(const Pose<double>& X) {
  const Matrix3 R = matrix(X.R.m);
  return (Matrix6() << R, Matrix3::Zero(), skew(X.p) * R, R).finished();
}
static Matrix6 inertia_matrix(const Inertia<double>& M) {
  return (Matrix6() << matrix(M.I.dense()), skew(M.h), -skew(M.h), M.m * Matrix3::Identity()).finished();
}
/// Ṽ·W = V × W.  [UNI (2.13)]
static Matrix6 cross_matrix(const Vector6& V) {
  return (Matrix6() << skew(upper(V)), Matrix3::Zero(), skew(lower(V)), skew(upper(V))).finished();
}
/// F̃⊗·W = −W ×* F.  [UNI, after (3.56)]
static Matrix6 co_cross_matrix(const Vector6& F) {
  return (Matrix6() << skew(upper(F)), skew(lower(F)), skew(lower(F)), Matrix3::Zero()).finished();
}

/// The 6×6 matrices of the entries of a stack, on the diagonal.
static MatrixXd on_diagonal(const VectorXd& stack, Matrix6 (*of)(const Vector6&)) {
  MatrixXd A = MatrixXd::Zero(stack.size(), stack.size());
  for (Index i = 0; i < stack.size(); i += 6) A.block<6, 6>(i, i) = of(stack.segment<6>(i));
  return A;
}

/// (1 − E)⁻¹ of a shift operator, which is strictly lower triangular by blocks.
static MatrixXd fundamental_inverse(const MatrixXd& E) {
  const MatrixXd one = MatrixXd::Identity(E.rows(), E.cols());
  return (one - E).triangularView<Eigen::UnitLower>().solve(one);
}

static Eigen::Map<const VectorXd> as_vector(std::span<const double> x) {
  return {x.data(), static_cast<Index>(x.size())};
}
static std::vector<double> as_numbers(const VectorXd& x) { return {x.data(), x.data() + x.size()}; }

/// The first row of body i in a stack.
static Index row_of(int i) { return 6 * (static_cast<Index>(i) - 1); }

static const Body& body_at(const Mechanism& mech, int i) { return mech.bodies[static_cast<std::size_t>(i)]; }

// --- operators ------------------------------------------------------------------------------------------------------

/// Where the bodies are and how their joints can move, found densely and without the room's kinematics.
struct Placement {
  std::vector<Pose<double>> X_WB;
  std::vector<Motion<double>> H_B;  ///< by degree of freedom
};
static Placement placement(const Mechanism& mech, const Parameters<double>& par, std::span<const double> q) {
  Placement place{{Pose<double>::identity()}, std::vector<Motion<double>>(static_cast<std::size_t>(mech.nv))};
  for (int i = 1; i < mech.size(); ++i) {
    const Body& body = body_at(mech, i);
    const JointMotion<double> joint = joint_motion(mech, par, i, q.data());
    place.X_WB.push_back(place.X_WB[static_cast<std::size_t>(body.parent)] * joint.X_PB);
    for (int k : body.v) place.H_B[static_cast<std::size_t>(k)] = joint.H_B[static_cast<std::size_t>(k - body.v.first)];
  }
  return place;
}

PortOperators port_operators(const Mechanism& mech, const Parameters<double>& par, std::span<const double> q,
                             Representation in) {
  const Placement place = placement(mech, par, q);
  const Index ports = 2 * static_cast<Index>(mech.size()) - 1;
  MatrixXd C = MatrixXd::Zero(ports, ports), T = MatrixXd::Zero(6 * ports, 6 * ports);
  MatrixXd O = MatrixXd::Zero(ports, mech.size()), I = MatrixXd::Zero(ports, mech.size() - 1);
  O(0, 0) = 1;
  for (int i = 1; i < mech.size(); ++i) {
    const int parent = body_at(mech, i).parent;
    const Index inport = 2 * static_cast<Index>(i) - 1, outport = 2 * static_cast<Index>(i);
    O(outport, i) = I(inport, i - 1) = 1;
    C(inport, 2 * parent) = C(2 * parent, inport) = 1;
    const Pose<double>& X_WP = place.X_WB[static_cast<std::size_t>(parent)];
    const Pose<double> X = shift_between(in, place.X_WB[static_cast<std::size_t>(i)], X_WP);
    T.block<6, 6>(6 * outport, 6 * inport) = motion_matrix(X);
    T.block<6, 6>(6 * inport, 6 * outport) = motion_matrix(inverted(X));
  }
  const auto sixfold = [](const MatrixXd& A) {
    MatrixXd B = MatrixXd::Zero(6 * A.rows(), 6 * A.cols());
    for (Index i = 0; i < A.rows(); ++i) {
      for (Index j = 0; j < A.cols(); ++j) B.block<6, 6>(6 * i, 6 * j) = A(i, j) * Matrix6::Identity();
    }
    return B;
  };
  const MatrixXd O_hat = sixfold(O * O.transpose()), I_hat = sixfold(I * I.transpose());
  const MatrixXd E = O_hat * T * I_hat + I_hat * sixfold(C) * O_hat;
  return {StackedMatrix(C), StackedMatrix(O), StackedMatrix(I),
          StackedMatrix(T), StackedMatrix(E), StackedMatrix(fundamental_inverse(E))};
}

/// From the articulated inertia of each body to that of its parent: P, D, G, τ̄ and E_ψ.  [UNI (3.7)-(3.11)]
static void articulate(const Mechanism& mech, SpatialOperators& op) {
  const auto E_phi = op.E_phi.matrix(), H = op.H.matrix();
  MatrixXd P = op.M.matrix(), E_psi = MatrixXd::Zero(P.rows(), P.cols());
  MatrixXd D = MatrixXd::Zero(mech.nv, mech.nv), G = MatrixXd::Zero(mech.nv, P.rows());
  MatrixXd tau_bar = MatrixXd::Identity(P.rows(), P.cols());
  for (int i = mech.size() - 1; i > 0; --i) {
    const Body& body = body_at(mech, i);
    const Index at = row_of(i), first = body.v.first, count = body.v.count;
    const Matrix6 P_i = P.block<6, 6>(at, at);
    const MatrixXd H_i = H.block(at, first, 6, count);
    const VectorXd armature = as_vector(op.armature).segment(first, count);
    MatrixXd D_i = H_i.transpose() * P_i * H_i;
    D_i.diagonal() += armature;
    const MatrixXd G_i = D_i.llt().solve(H_i.transpose() * P_i);
    D.block(first, first, count, count) = D_i;
    G.block(first, at, count, 6) = G_i;
    tau_bar.block<6, 6>(at, at) -= H_i * G_i;
    if (body.parent == 0) continue;
    const Index parent = row_of(body.parent);
    const Matrix6 psi = tau_bar.block<6, 6>(at, at) * E_phi.block<6, 6>(at, parent);
    E_psi.block<6, 6>(at, parent) = psi;
    P.block<6, 6>(parent, parent) += psi.transpose() * P_i * psi;
    if (!body.has_armature) continue;
    const MatrixXd K_i = G_i * E_phi.block<6, 6>(at, parent);
    P.block<6, 6>(parent, parent) += K_i.transpose() * armature.asDiagonal() * K_i;
  }
  op.P = StackedMatrix(P);
  op.D = StackedMatrix(D);
  op.G = StackedMatrix(G);
  op.tau_bar = StackedMatrix(tau_bar);
  op.E_psi = StackedMatrix(E_psi);
  op.K = StackedMatrix(G * E_phi);
  op.Psi = StackedMatrix(fundamental_inverse(E_psi));
}

SpatialOperators spatial_operators(const Mechanism& mech, const Parameters<double>& par, std::span<const double> q,
                                   Representation in) {
  const Placement place = placement(mech, par, q);
  const Index size = row_of(mech.size());
  MatrixXd E = MatrixXd::Zero(size, size), M = MatrixXd::Zero(size, size), H = MatrixXd::Zero(size, mech.nv);
  for (int i = 1; i < mech.size(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    const Body& body = body_at(mech, i);
    const Index at = row_of(i);
    const Pose<double> X = pose_to(in, place.X_WB[k]);
    if (body.parent > 0) {
      const Pose<double>& X_WP = place.X_WB[static_cast<std::size_t>(body.parent)];
      E.block<6, 6>(at, row_of(body.parent)) = motion_matrix(shift_between(in, place.X_WB[k], X_WP));
    }
    M.block<6, 6>(at, at) = inertia_matrix(X * par.M_B[k]);
    for (int d : body.v) H.block<6, 1>(at, d) = column(X * place.H_B[static_cast<std::size_t>(d)]);
  }
  SpatialOperators op;
  op.in = in;
  op.E_phi = StackedMatrix(E);
  op.Phi = StackedMatrix(fundamental_inverse(E));
  op.H = StackedMatrix(H);
  op.M = StackedMatrix(M);
  op.armature = par.armature;
  articulate(mech, op);
  return op;
}

MotionOperators motion_operators(const Mechanism& mech, const Parameters<double>& par, const SpatialOperators& at_q,
                                 std::span<const double> q, std::span<const double> v) {
  const Placement place = placement(mech, par, q);
  const VectorXd Delta = at_q.H.matrix() * as_vector(v), V = at_q.Phi.matrix() * Delta;
  MatrixXd H_ring = MatrixXd::Zero(V.size(), mech.nv);
  VectorXd V_g = VectorXd::Zero(V.size()), L = VectorXd::Zero(V.size());
  for (int i = 1; i < mech.size(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    const Body& body = body_at(mech, i);
    const Pose<double> X = pose_to(at_q.in, place.X_WB[k]);
    const Vec3<double> lift_B = place.X_WB[k].rotate_back(-par.gravity_W);
    V_g.segment<6>(row_of(i)) = column(X * Motion<double>{Vec3<double>::zero(), lift_B});
    L.segment<6>(row_of(i)) = column(X * Force<double>{par.internal_momentum[k], Vec3<double>::zero()});
    if (body.axis != AxisForm::general) continue;
    Motion<double> rate[6];
    general_axes_rate(body, par, k, q.data() + body.q.first, v.data() + body.v.first, rate);
    for (int d : body.v) H_ring.block<6, 1>(row_of(i), d) = column(X * rate[d - body.v.first]);
  }
  const MatrixXd V_tilde = on_diagonal(V, cross_matrix), Delta_tilde = on_diagonal(Delta, cross_matrix);
  return {StackedMatrix(V),      StackedMatrix(V_tilde), StackedMatrix(Delta_tilde),
          StackedMatrix(H_ring), StackedMatrix(V_g),     StackedMatrix(L)};
}

// --- dynamics -------------------------------------------------------------------------------------------------------

/// The forces that the bodies need where no joint accelerates:  b = M·(Φ·(−Δ̃·V + H̊·v) + V̇g) − Ṽᵀ·(M·V + L).
static VectorXd bias_forces(const SpatialOperators& at_q, const MotionOperators& at_v, std::span<const double> v) {
  const auto M = at_q.M.matrix(), Phi = at_q.Phi.matrix();
  const auto V = at_v.V.matrix(), V_tilde = at_v.V_tilde.matrix(), Delta_tilde = at_v.Delta_tilde.matrix();
  const VectorXd bias = at_v.H_ring.matrix() * as_vector(v) - Delta_tilde * V;
  return M * (Phi * bias + at_v.V_g.matrix()) - V_tilde.transpose() * (M * V + at_v.L.matrix());
}

std::vector<double> inverse_dynamics_of(const SpatialOperators& at_q, const MotionOperators& at_v,
                                        std::span<const double> v, std::span<const double> vdot) {
  const auto H = at_q.H.matrix(), M = at_q.M.matrix(), Phi = at_q.Phi.matrix();
  const VectorXd A = Phi * (H * as_vector(vdot));
  const VectorXd along_joints = as_vector(at_q.armature).cwiseProduct(as_vector(vdot));
  return as_numbers(H.transpose() * (Phi.transpose() * (M * A + bias_forces(at_q, at_v, v))) + along_joints);
}

std::vector<double> forward_dynamics_of(const SpatialOperators& at_q, const MotionOperators& at_v,
                                        std::span<const double> v, std::span<const double> u) {
  const auto H = at_q.H.matrix(), D = at_q.D.matrix(), K = at_q.K.matrix(), Psi = at_q.Psi.matrix();
  const VectorXd b = bias_forces(at_q, at_v, v);
  const VectorXd left = as_vector(u) - H.transpose() * (Psi.transpose() * (K.transpose() * as_vector(u) + b));
  const VectorXd d = D.llt().solve(left);
  return as_numbers(d - K * (Psi * (H * d)));
}

static void check_one_dof(const Mechanism& mech) {
  for (int i = 1; i < mech.size(); ++i) {
    const Body& body = body_at(mech, i);
    if (body.v.count == 1) continue;
    const std::string name =
        body.entity < 0 ? "" : mech.provenance.entities[static_cast<std::size_t>(body.entity)].name;
    throw Error("single-dof-needed", {},
                concat("joint ", quoted(name), " is ", traits(body.joint).name, ", with ", body.v.count,
                       " degrees of freedom. The operator formulas of derivatives are those of joints with one; "
                       "differentiate inverse_dynamics with dual numbers instead."));
  }
}

OperatorDerivatives operator_derivatives(const Mechanism& mech, const Parameters<double>& par,
                                         std::span<const double> q, std::span<const double> v,
                                         std::span<const double> vdot) {
  check_one_dof(mech);
  const SpatialOperators at_q = spatial_operators(mech, par, q, Representation::absolute);
  const MotionOperators at_v = motion_operators(mech, par, at_q, q, v);
  const auto H = at_q.H.matrix(), M = at_q.M.matrix(), Phi = at_q.Phi.matrix(), Psi = at_q.Psi.matrix();
  const auto K = at_q.K.matrix(), D = at_q.D.matrix();
  const auto V = at_v.V.matrix(), V_tilde = at_v.V_tilde.matrix();

  // The motion, the forces in the joints, and the rates of the axes.
  const VectorXd V_dot = Phi * (H * as_vector(vdot) - at_v.Delta_tilde.matrix() * V);
  const VectorXd momentum = M * V + at_v.L.matrix();
  const VectorXd f = Phi.transpose() * (M * (V_dot + at_v.V_g.matrix()) - V_tilde.transpose() * momentum);
  const MatrixXd H_dot = V_tilde * H;
  const MatrixXd H_ddot = on_diagonal(V_dot, cross_matrix) * H + V_tilde * H_dot;
  const MatrixXd M_check_twice = -V_tilde.transpose() * M - M * V_tilde - on_diagonal(momentum, co_cross_matrix);

  const MatrixXd by_q = M * (on_diagonal(at_v.V_g.matrix(), cross_matrix) * (Phi * H)) -
                        on_diagonal(f, co_cross_matrix) * H + M_check_twice * (Phi * H_dot) + M * (Phi * H_ddot);
  const MatrixXd by_v = M_check_twice * (Phi * H) + 2 * (M * (Phi * H_dot));

  const MatrixXd one = MatrixXd::Identity(mech.nv, mech.nv);
  const MatrixXd HtPhit = (Phi * H).transpose(), HtPsit = (Psi * H).transpose();
  const MatrixXd factor = one - K * (Psi * H);
  const auto solved = [&](const MatrixXd& A) -> MatrixXd { return factor * D.llt().solve(A); };
  MatrixXd mass = HtPhit * M * Phi * H;
  mass.diagonal() += as_vector(at_q.armature);
  return {StackedMatrix(HtPhit * by_q),
          StackedMatrix(HtPhit * by_v),
          StackedMatrix(mass),
          StackedMatrix(-solved(HtPsit * by_q)),
          StackedMatrix(-solved(HtPsit * by_v)),
          StackedMatrix(solved(factor.transpose()))};
}

// --- joint-space matrices about the centres of mass -----------------------------------------------------------------

/// The stacked matrices of [LWR, appendix].
struct CenterStack {
  explicit CenterStack(const Mechanism& mech)
      : B(MatrixXd::Zero(row_of(mech.size()), row_of(mech.size()))),
        H(MatrixXd::Zero(B.rows(), mech.nv)),
        F_G(VectorXd::Zero(B.rows())),
        X_CB(mech.bodies.size()) {}

  MatrixXd B, B_dot = B, M = B, Omega = B, Phi = B;
  MatrixXd H, H_dot = H;
  VectorXd F_G, F_Q = F_G;
  std::vector<Pose<double>> X_CB;  ///< from a body's frame to its centre of mass, in axes of World
};

/// What depends on q and the applied forces: H, B, Φ, M, F_G, F_Q.  [LWR (36), (37), (42), (45), (49), (50)]
static void place_stack(const Mechanism& mech, const Parameters<double>& par, const Placement& place,
                        std::span<const Force<double>> F_applied_B, CenterStack& stack) {
  const auto center = [&](std::size_t k) { return place.X_WB[k].p - stack.X_CB[k].p; };
  for (int i = 1; i < mech.size(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    const Body& body = body_at(mech, i);
    const Index at = row_of(i);
    const Inertia<double>& M_B = par.M_B[k];
    const Rotation<double>& R = place.X_WB[k].R;
    Pose<double>& X_CB = stack.X_CB[k];
    X_CB = {R, M_B.m == 0 ? Vec3<double>::zero() : -(R * (M_B.h * (1 / M_B.m)))};
    stack.M.block<6, 6>(at, at) = inertia_matrix(X_CB * M_B);
    for (int d : body.v) stack.H.block<6, 1>(at, d) = column(X_CB * place.H_B[static_cast<std::size_t>(d)]);
    if (body.parent > 0) {
      const Vec3<double> r = center(k) - center(static_cast<std::size_t>(body.parent));
      stack.B.block<6, 6>(at, row_of(body.parent)) = motion_matrix({Rotation<double>::identity(), -r});
    }
    stack.F_G.segment<3>(at + 3) = M_B.m * Eigen::Vector3d(par.gravity_W.x, par.gravity_W.y, par.gravity_W.z);
    if (!F_applied_B.empty()) stack.F_Q.segment<6>(at) = column(X_CB * F_applied_B[k]);
  }
  stack.Phi = fundamental_inverse(stack.B);
}

/// What depends on q and v: Ḃ, Ḣ, Ω. A vector fixed in a body turns with it.  [LWR (38), (39), (47)]
static void move_stack(const Mechanism& mech, const Parameters<double>& par, const Placement& place,
                       std::span<const double> q, std::span<const double> v, CenterStack& stack) {
  const VectorXd V = stack.Phi * stack.H * as_vector(v);
  for (int i = 1; i < mech.size(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    const Index at = row_of(i);
    const Body& body = body_at(mech, i);
    const Vec3<double> w = upper(V.segment<6>(at));
    const Matrix6 turning = cross_matrix(column(w, Vec3<double>::zero()));
    Motion<double> rate[6];
    if (body.axis == AxisForm::general) {
      general_axes_rate(body, par, k, q.data() + body.q.first, v.data() + body.v.first, rate);
    }
    for (int d : body.v) {
      const Vector6 H_ring = column(stack.X_CB[k] * rate[d - body.v.first]);
      stack.H_dot.block<6, 1>(at, d) = turning * stack.H.block<6, 1>(at, d) + H_ring;
    }
    if (body.parent > 0) {
      const Vec3<double> r_dot = lower(V.segment<6>(at)) - lower(V.segment<6>(row_of(body.parent)));
      stack.B_dot.block<3, 3>(at + 3, row_of(body.parent)) = -skew(r_dot);
    }
    const Matrix3 J = stack.M.block<3, 3>(at, at);
    stack.Omega.block<3, 3>(at, at) = skew(place.X_WB[k].R * par.internal_momentum[k]) - skew(w) * J;
  }
}

StackedJointSpace stacked_joint_space(const Mechanism& mech, const Parameters<double>& par, std::span<const double> q,
                                      std::span<const double> v, std::span<const Force<double>> F_applied_B) {
  const Placement place = placement(mech, par, q);
  CenterStack stack(mech);
  place_stack(mech, par, place, F_applied_B, stack);
  move_stack(mech, par, place, q, v, stack);
  const auto& [B, B_dot, M, Omega, Phi, H, H_dot, F_G, F_Q, X_CB] = stack;
  const MatrixXd J = Phi * H, Jt = J.transpose();
  MatrixXd D = Jt * M * J;
  D.diagonal() += as_vector(par.armature);
  return {StackedMatrix(D), StackedMatrix(Jt * (M * (Phi * (B_dot * J + H_dot)) - Omega * J)), StackedMatrix(-Jt * F_G),
          StackedMatrix(-Jt * F_Q)};
}

}  // namespace articula::dynamics
