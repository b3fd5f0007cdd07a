#pragma once

#include <array>

#include <articula/dynamics/kinematics.h>
#include <articula/scalar/dual.h>

namespace articula {

/// The rate of each axis of a joint that is not sparse, seen from B: Ḣ_k, where the kind itself says only Ḣ·v.
/// Exact: the axes at q + q̇·ε.
template <class T, class P>
void general_axes_rate(const Body& body, const Parameters<P>& par, std::size_t i, const T* q, const T* v,
                       Motion<T>* Hdot) {
  using Moving = DualOver<T>;
  visit_joint(body.joint, [&]<class J>(J) {
    std::array<T, J::q.size()> rate;
    std::array<Moving, J::q.size()> q_moving;
    std::array<Motion<Moving>, J::v.size()> H;
    J::qdot(q, v, rate.data());
    for (std::size_t k = 0; k < rate.size(); ++k) q_moving[k] = {q[k], rate[k]};
    const JointParameters<Moving> numbers{Moving(T(par.joint[i].pitch))};
    J::H_M(numbers, q_moving.data(), H.data());
    const Pose<Moving> X_FM = J::X_FM(numbers, q_moving.data());
    for (std::size_t k = 0; k < H.size(); ++k) {
      if (body.reversed) H[k] = -(X_FM * H[k]);
      Hdot[k] = {{H[k].w.x.dx, H[k].w.y.dx, H[k].w.z.dx}, {H[k].v.x.dx, H[k].v.y.dx, H[k].v.z.dx}};
    }
  });
}

/// The axis as six numbers, whatever it knows of its sparsity.
template <class T, class Axis>
ARTICULA_INLINE Motion<T> dense_axis(const Axis& axis) {
  Motion<T> H;
  add_along(H, axis, T(1));
  return H;
}

/// The rate of each axis in World, expressed in B: Ḣ_k = V_B × H_k, and what the axis moves in B itself.
///
/// @pre `velocities` has filled `kin` at the same q and v
template <class T, class P>
void axes_rate(const Mechanism& mech, const Parameters<P>& par, const Velocities<T>& kin, std::span<const T> q,
               std::span<const T> v, std::span<Motion<T>> Hdot_B) {
  for (int i = 1; i < mech.size(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    const Body& body = mech.bodies[k];
    with_joint(mech, par, kin, i, [&](const auto&, const auto& H) {
      Motion<T>* const Hdot = Hdot_B.data() + body.v.first;
      if constexpr (std::decay_t<decltype(H)>::constant) {
        for (int a = 0; a < H.count(); ++a) Hdot[a] = Motion<T>::zero();
      } else {
        general_axes_rate(body, par, k, q.data() + body.q.first, v.data() + body.v.first, Hdot);
      }
      for (int a = 0; a < H.count(); ++a) Hdot[a] += cross(kin.V_B[k], dense_axis<T>(H.template axis_at<T>(a)));
    });
  }
}

}  // namespace articula
