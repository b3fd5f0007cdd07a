#pragma once

#include <algorithm>

#include <articula/dynamics/jacobian.h>

namespace articula::dynamics {

/// How a wrench F, constant in the axes of frame A, changes with q as seen from the body it acts on at frame P:
///
///     dF_k = (ω_A,k − ω_P,k) × F,    ω_k: angular column k of a frame's Jacobian
///
/// The derivatives of inverse dynamics take a force on a body as constant in that body's axes. What they lack is
///
///     ∂tau/∂q_k −= J_Pᵀ·dF_k,    and of forward dynamics,   ∂vdot/∂q_k += M⁻¹·J_Pᵀ·dF_k
///
/// Everything in World's axes, at the origin of P; both have one entry per degree of freedom, zero where it does not
/// move P, or turns A as much as P.
///
/// @pre `positions` has filled `kin`, and `world_poses` has filled `poses`
template <class T, class P>
void wrench_changes(const Mechanism& mech, const Parameters<P>& par, const Positions<T>& kin,
                    const WorldPoses<T>& poses, int frame, int axes, const Force<P>& wrench, std::span<Motion<T>> J,
                    std::span<Force<T>> dF) {
  std::fill(J.begin(), J.end(), Motion<T>::zero());
  std::fill(dF.begin(), dF.end(), Force<T>::zero());
  const Rotation<T> R_WA = frame_pose(mech, par, poses, axes).R;
  const Force<T> F{R_WA * wrench.n, R_WA * wrench.f};
  const Viewpoint<T> view(frame_pose(mech, par, poses, frame), JacobianFrame::local_world_aligned);
  const auto body = [&](int f) { return mech.frames[static_cast<std::size_t>(f)].body; };
  for_each_column(mech, par, kin, poses, body(axes), view, [&](int k, const Motion<T>& S) {
    dF[static_cast<std::size_t>(k)] += Force<T>{cross(S.w, F.n), cross(S.w, F.f)};
  });
  for_each_column(mech, par, kin, poses, body(frame), view, [&](int k, const Motion<T>& S) {
    J[static_cast<std::size_t>(k)] = S;
    dF[static_cast<std::size_t>(k)] -= Force<T>{cross(S.w, F.n), cross(S.w, F.f)};
  });
}

}  // namespace articula::dynamics
