#pragma once

#include <array>

#include <articula/model/entities/joint.h>
#include <articula/network/entity_implementation.h>
#include <articula/network/friction.h>

namespace articula::network {

/// A joint of any kind, entered from either side: `out` moves in `in` with H·v, where H is the motion of `to` in
/// `from`, or backwards.  [UNI tables 3.3, 3.6, 3.11]
///
///     V_out = φ·V_in + H·v
///     A_out = φ·A_in + φ̇·V + Ḣ·v + V_out × (H·v) + H·vdot
///     F_in  = φᵀ·F_out,   tau = Hᵀ·F_out
///
/// With D = Hᵀ·P·H, G = D⁻¹·Hᵀ·P, τ̄ = 1 − H·G, and b what A_out is without A_in and vdot:
///
///     P_in = φᵀ·τ̄ᵀ·P·τ̄·φ,   z_in = φᵀ·(τ̄ᵀ·(z + P·b) + Gᵀ·tau)
///     vdot = D⁻¹·(tau − Hᵀ·(z + P·(φ·A_in + b)))
///
/// Where its motion is prescribed, H·vdot is part of b, and P passes as through a rigid thing.
template <>
class ARTICULA_EXPORT Implementation<Joint> final : public EntityImplementation {
 public:
  explicit Implementation(const Joint& joint);

  bool carries(int in, int out) const override { return in + out == from + to; }
  bool is_rigid() const override { return nv_ == 0; }

  void position(const Site& site) const override;
  void velocity(const Site& site) const override;
  void acceleration(const Site& site) const override;
  void action(const Site& site) const override;
  void articulated_action(const Site& site) const override;
  void joint_acceleration(const Site& site) const override;

 private:
  static constexpr int from = 0, to = 1;
  static constexpr int most_dofs = 6;

  static int out(const Site& site) { return from + to - site.root; }

  /// The joint where it stands: φ, the motion axes at `out`, and Ḣ·v, all in the network's representation.
  struct Stance {
    Pose<double> phi;
    std::array<Motion<double>, most_dofs> H;
    Motion<double> Hdot_v;
  };
  Stance stance(const Site& site) const;
  Pose<double> X_from_to(const Site& site) const;

  /// H·x.
  Motion<double> along(const Stance& at, std::span<const double> x) const;
  /// What A_out is without A_in and without vdot, unless that is prescribed.
  Motion<double> bias(const Site& site, const Stance& at) const;

  /// Damping and friction along its k-th degree of freedom.
  double resistance(const Site& site, std::size_t k) const {
    return site.passive ? damping_ * site.v[k] + friction_ * direction_of(site.v[k]) : 0;
  }

  JointKind kind_;
  AnyJointParameters parameters_;
  bool prescribed_;
  std::size_t nv_;
  double damping_, friction_;
  Pose<double> X_PC_;  ///< of the joint's canonical frame at either port
};

}  // namespace articula::network
