#pragma once

#include <articula/dynamics/axes_derivatives.h>

namespace articula::dynamics {

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
        general_axes_rate(body, par, i, q.data() + body.q.first, v.data() + body.v.first, Hdot);
      }
      for (int a = 0; a < H.count(); ++a) Hdot[a] += cross(kin.V_B[k], dense_axis<T>(H.template axis_at<T>(a)));
    });
  }
}

}  // namespace articula::dynamics
