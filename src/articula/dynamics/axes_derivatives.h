#pragma once

#include <articula/dynamics/kinematics.h>

/// How the axes of joints change with q in their bodies' frames. Most do not; those of universal and planar joints do,
/// and those of joints that the tree holds from the other side.
namespace articula::dynamics {

/// Whether H of a joint changes with q in its body's frame.
inline bool has_changing_axes(const Body& body) {
  if (body.axis != AxisForm::general) return false;
  return body.reversed || visit_joint(body.joint, []<class J>(J) { return axes_change<J>; });
}

/// The derivatives of a joint's axes and of its bias Ḣ·v along each of its tangent directions k, expressed in B:
/// dH[k][m] = ∂H_m/∂q_k and dc[k] = ∂(Ḣ·v)/∂q_k.
template <class T>
struct AxesDerivatives {
  Motion<T> dH[most_joint_dofs][most_joint_dofs];
  Motion<T> dc[most_joint_dofs];
};

template <class T, class P>
[[gnu::noinline]] AxesDerivatives<T> axes_derivatives(const Body& body, const Parameters<P>& par, int i, const T* q,
                                                      const T* v) {
  AxesDerivatives<T> result;
  auto* const dH = result.dH;
  Motion<T>* const dc = result.dc;
  visit_joint(body.joint, [&]<class J>(J) {
    const auto& numbers = joint_parameters<J, T>(par, static_cast<std::size_t>(i));
    constexpr int nv = static_cast<int>(J::v.size());
    if constexpr (axes_change<J>) {
      for (int k = 0; k < nv; ++k) {
        J::dH_M(numbers, q, k, dH[k]);
        dc[k] = J::dHdot_v(numbers, q, v, k);
      }
    }
    if (!body.reversed) return;
    // H = −X_FM·H_M and Ḣ·v = −X_FM·(Ḣ_M·v), where X_FM moves along H_M.
    const Pose<T> X_FM = J::X_FM(numbers, q);
    const Motion<T> bias = J::Hdot_v(numbers, q, v);
    Motion<T> H_M[most_joint_dofs];
    J::H_M(numbers, q, H_M);
    for (int k = 0; k < nv; ++k) {
      for (int m = 0; m < nv; ++m) dH[k][m] = -(X_FM * (cross(H_M[k], H_M[m]) + dH[k][m]));
      dc[k] = -(X_FM * (cross(H_M[k], bias) + dc[k]));
    }
  });
  return result;
}

/// The rate of each axis of a joint that is not sparse, seen from B:  Ḣ_m = Σ ∂H_m/∂q_k·v_k.
template <class T, class P>
void general_axes_rate(const Body& body, const Parameters<P>& par, int i, const T* q, const T* v, Motion<T>* Hdot) {
  for (int m = 0; m < body.v.count; ++m) Hdot[m] = Motion<T>::zero();
  if (!has_changing_axes(body)) return;
  const AxesDerivatives<T> along = axes_derivatives(body, par, i, q, v);
  for (int m = 0; m < body.v.count; ++m) {
    for (int k = 0; k < body.v.count; ++k) Hdot[m] += along.dH[k][m] * v[k];
  }
}

}  // namespace articula::dynamics
