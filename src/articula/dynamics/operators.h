#pragma once

#include <span>
#include <vector>

#include <Eigen/Core>

#include <articula/base/export.h>
#include <articula/mechanism/parameters.h>
#include <articula/spatial/representation.h>

/// The stacked spatial operators as matrices, for study and for checking: the recursions of this room are these
/// products, done without the zeros.  [UNI 2.3, 3.1; LWR 2]
///
/// Six rows and columns for each moving body, in the order of the mechanism and without World; angular part first.
/// `in` says in which representation: of the bodies, inertial, or absolute.
namespace articula::dynamics {

/// A matrix of a stack of bodies or ports. It owns its numbers; `matrix()` looks at them with Eigen.
struct StackedMatrix {
  int rows = 0, cols = 0;
  std::vector<double> entries;  ///< column by column

  StackedMatrix() = default;
  explicit StackedMatrix(const Eigen::MatrixXd& A)
      : rows(static_cast<int>(A.rows())), cols(static_cast<int>(A.cols())), entries(A.data(), A.data() + A.size()) {}

  Eigen::Map<const Eigen::MatrixXd> matrix() const { return {entries.data(), rows, cols}; }
};

/// The tree as ports: port 0 is World's; joint and body i together have the inport 2i − 1, where they are joined to the
/// parent, and the outport 2i, the body's frame.  [UNI 2.3]
struct PortOperators {
  StackedMatrix C;      ///< connectivity: 1 where two ports are connected           (2.28)
  StackedMatrix O, I;   ///< the outports and the inports, as unit vectors
  StackedMatrix T_phi;  ///< rigid-body transformations between the ports of one pair, both ways
  StackedMatrix E_phi;  ///< outboard shift: Ô·T_φ·Î + Î·C·Ô                         (2.33)
  StackedMatrix Phi;    ///< (1 − E_φ)⁻¹                                             (2.36)
};
ARTICULA_EXPORT PortOperators port_operators(const Mechanism& mech, const Parameters<double>& par,
                                             std::span<const double> q, Representation in);

/// What depends on q alone.
struct SpatialOperators {
  Representation in = Representation::body;
  StackedMatrix E_phi;           ///< shift: φ from each body's parent to it
  StackedMatrix Phi;             ///< (1 − E_φ)⁻¹: V = Φ·H·v                                 (2.36)
  StackedMatrix H;               ///< axes of the joints, 6n × nv
  StackedMatrix M;               ///< inertias
  std::vector<double> armature;  ///< J, diagonal: inertia of rotors along each degree of freedom
  StackedMatrix P;               ///< articulated inertias: P = E_ψᵀ·P·E_ψ + Kᵀ·J·K + M      (3.7)
  StackedMatrix D;               ///< Hᵀ·P·H + J                                             (3.8)
  StackedMatrix G;               ///< D⁻¹·Hᵀ·P                                               (3.9)
  StackedMatrix tau_bar;         ///< 1 − H·G                                                (3.10)
  StackedMatrix E_psi;           ///< τ̄·E_φ                                                  (3.11)
  StackedMatrix K;               ///< G·E_φ                                                  (3.12)
  StackedMatrix Psi;             ///< (1 − E_ψ)⁻¹                                            (3.13)
};
/// @pre every joint moves some inertia, for all from D onward
ARTICULA_EXPORT SpatialOperators spatial_operators(const Mechanism& mech, const Parameters<double>& par,
                                                   std::span<const double> q, Representation in);

/// What depends on q and v.
struct MotionOperators {
  StackedMatrix V;            ///< velocities, Φ·H·v
  StackedMatrix V_tilde;      ///< their cross products V ×, on the diagonal
  StackedMatrix Delta_tilde;  ///< those of Δ = H·v
  StackedMatrix H_ring;       ///< rates of the axes, seen from their bodies: zero but for axes that depend on q
  StackedMatrix V_g;          ///< acceleration that lifts every body against gravity
  StackedMatrix L;            ///< internal momenta
};
ARTICULA_EXPORT MotionOperators motion_operators(const Mechanism& mech, const Parameters<double>& par,
                                                 const SpatialOperators& at_q, std::span<const double> q,
                                                 std::span<const double> v);

/// Inverse dynamics as one product.
///
///     u = Hᵀ·Φᵀ·( M·(Φ·(H·vdot − Δ̃·V + H̊·v) + V̇g) − Ṽᵀ·(M·V + L) ) + J·vdot      [UNI (3.2)]
ARTICULA_EXPORT std::vector<double> inverse_dynamics_of(const SpatialOperators& at_q, const MotionOperators& at_v,
                                                        std::span<const double> v, std::span<const double> vdot);

/// Forward dynamics as one product, with b the bracket of inverse dynamics at vdot = 0.
///
///     vdot = (1 − K·Ψ·H)·D⁻¹·( u − Hᵀ·Ψᵀ·(Kᵀ·u + b) )                          [UNI (3.14), corrected]
ARTICULA_EXPORT std::vector<double> forward_dynamics_of(const SpatialOperators& at_q, const MotionOperators& at_v,
                                                        std::span<const double> v, std::span<const double> u);

/// The derivatives of inverse dynamics u(q, v, vdot) and of forward dynamics vdot(q, v, u), nv × nv each.
///
///     ∂u/∂q    = Hᵀ·Φᵀ·( −f̃⊗·H + M·Ṽ̇g·Φ·H + 2·M̌·Φ·Ḣ + M·Φ·Ḧ )               [UNI (3.51)]
///     ∂u/∂v    = Hᵀ·Φᵀ·( 2·M̌·Φ·H + 2·M·Φ·Ḣ )                                    [UNI (3.52), corrected]
///     ∂vdot/∂· = −(1 − K·Ψ·H)·D⁻¹·Hᵀ·Ψᵀ·( the same brackets )                    [UNI (3.54)-(3.56), corrected]
///
/// with 2·M̌ = Ṁ − (M·V + L)~⊗ (3.57), in absolute representation.
struct OperatorDerivatives {
  StackedMatrix u_q, u_v, u_vdot;
  StackedMatrix vdot_q, vdot_v, vdot_u;
};
/// Throws, naming the joint, unless every joint has one degree of freedom: the formulas are made for those.
ARTICULA_EXPORT OperatorDerivatives operator_derivatives(const Mechanism& mech, const Parameters<double>& par,
                                                         std::span<const double> q, std::span<const double> v,
                                                         std::span<const double> vdot);

/// The joint-space matrices by stacked matrices about the centres of mass, in axes of World.
///
///     D = HᵀΦᵀMΦH,  C = HᵀΦᵀ(MΦ(ḂΦH + Ḣ) − ΩΦH),  G = −HᵀΦᵀF_G,  Q = −HᵀΦᵀF_Q      [LWR (24)-(27)]
///
/// The same D, G, Q and C·v as joint_space_matrices. Ḋ − 2·C is skew-symmetric for both, and the two matrices C differ
/// by Σ J_ωᵀ·½·tr(I_c)·ω̃·J_ω, which vanishes on v.
struct StackedJointSpace {
  StackedMatrix D, C, G, Q;
};
ARTICULA_EXPORT StackedJointSpace stacked_joint_space(const Mechanism& mech, const Parameters<double>& par,
                                                      std::span<const double> q, std::span<const double> v,
                                                      std::span<const Force<double>> F_applied_B);

}  // namespace articula::dynamics
