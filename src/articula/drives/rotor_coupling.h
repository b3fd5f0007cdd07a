#pragma once

#include <span>
#include <vector>

#include <articula/drives/elastic_inverse_dynamics.h>

namespace articula::drives {

/// How rotors and joints act on each other, in the equations of motion of elastic joints:
///
///     M·q̈ + C + G = u − u_rotor,    u_rotor = S·θ̈ + C_rotor,    Sᵀ·q̈ + C_carrier + J·θ̈ + R⁻ᵀ·u = tau
///
/// [UNI (3.15)-(3.18); (3.41), (3.42), (3.46)]
template <class T>
struct RotorCoupling {
  RotorCoupling(const Mechanism& mech, const ElasticChain& chain)
      : S(static_cast<std::size_t>(mech.nv) * chain.rotors.size()),
        C_rotor(static_cast<std::size_t>(mech.nv)),
        C_carrier(chain.rotors.size()),
        wdot(mech.bodies.size()) {}

  std::vector<T> S;             ///< nv × rotors, row by row: Hᵀ·Φᵀ·H_r·J
  std::vector<T> C_rotor;       ///< along each degree of freedom: Hᵀ·Φᵀ·Ω̃·H_r·J·θ̇
  std::vector<T> C_carrier;     ///< of each rotor: J·a·ω̇_c, where joints do not accelerate
  std::vector<Motion<T>> wdot;  ///< acceleration of each body, where joints do not accelerate
};

/// @param thetadot speeds of the rotors
/// @pre built with locked drives; `positions` and `velocities` have filled `kin`
template <class T, class P>
void rotor_coupling(const Mechanism& mech, const Parameters<P>& par, const ElasticChain& chain,
                    const Velocities<T>& kin, std::span<const T> thetadot, RotorCoupling<T>& s) {
  const std::size_t n = chain.rotors.size();
  std::fill(s.S.begin(), s.S.end(), T(0));
  std::fill(s.C_rotor.begin(), s.C_rotor.end(), T(0));
  s.wdot[0] = Motion<T>::zero();
  for (int i = 1; i < mech.size(); ++i) {
    const auto b = static_cast<std::size_t>(i), p = static_cast<std::size_t>(mech.bodies[b].parent);
    with_joint(mech, par, kin, i,
               [&](const auto& X_PB, const auto&) { s.wdot[b] = X_PB.inverse() * s.wdot[p] + kin.A_bias_B[b]; });
  }
  for (std::size_t j = 0; j < n; ++j) {
    const ElasticRotor& rotor = chain.rotors[j];
    s.C_carrier[j] = T(0);
    if (rotor.carrier == 0) continue;
    const auto c = static_cast<std::size_t>(rotor.carrier);
    const P J = par.rotors[static_cast<std::size_t>(rotor.element)].inertia;
    const Vec3<T> a = over<T>(rotor_axis(mech, par, rotor));
    s.C_carrier[j] = J * dot(a, s.wdot[c].w);
    // Couples, carried inward.
    Vec3<T> accelerated = a * T(J), turned = cross(kin.V_B[c].w, a) * (J * thetadot[j]);
    for (int i = rotor.carrier; i > 0; i = mech.bodies[static_cast<std::size_t>(i)].parent) {
      const Range dofs = mech.bodies[static_cast<std::size_t>(i)].v;
      std::array<T, most_joint_dofs> u;
      with_joint(mech, par, kin, i, [&](const auto& X_PB, const auto& H) {
        H.project(Force<T>{accelerated, Vec3<T>::zero()}, u.data());
        for (int k = 0; k < dofs.count; ++k)
          s.S[static_cast<std::size_t>(dofs.first + k) * n + j] = u[static_cast<std::size_t>(k)];
        H.project(Force<T>{turned, Vec3<T>::zero()}, u.data());
        for (int k = 0; k < dofs.count; ++k)
          s.C_rotor[static_cast<std::size_t>(dofs.first + k)] += u[static_cast<std::size_t>(k)];
        accelerated = X_PB.rotate(accelerated), turned = X_PB.rotate(turned);
      });
    }
  }
}

}  // namespace articula::drives
