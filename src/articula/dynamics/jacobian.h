#pragma once

#include <algorithm>

#include <articula/dynamics/axes_derivatives.h>
#include <articula/dynamics/frames.h>

namespace articula::dynamics {

/// The frame R in which the motion of a frame at X_WF is expressed, and from which bodies are seen.
///
/// Bodies are first seen from the origin of R, in World's axes: so nothing is lost when both are far from World.
template <class T>
struct Viewpoint {
  Viewpoint(const Pose<T>& X_WF, JacobianFrame in)
      : R_WF(X_WF.R),
        origin(in == JacobianFrame::world ? Vec3<T>::zero() : X_WF.p),
        turned(in == JacobianFrame::local) {}

  /// The body at the origin of R, in World's axes.
  ARTICULA_INLINE Pose<T> seen(const Pose<T>& X_WB) const { return {X_WB.R, X_WB.p - origin}; }
  /// From there to R.
  ARTICULA_INLINE Motion<T> operator()(const Motion<T>& V) const {
    return turned ? Motion<T>{R_WF.rotate_back(V.w), R_WF.rotate_back(V.v)} : V;
  }

  Rotation<T> R_WF;
  Vec3<T> origin;
  bool turned;
};

/// Calls `f(dof, column)` for every degree of freedom that moves body `i`, with the motion that its unit rate gives
/// it, as seen from the viewpoint.
template <class T, class P, class F>
ARTICULA_INLINE void for_each_column(const Mechanism& mech, const Parameters<P>& par, const Positions<T>& kin,
                                     const WorldPoses<T>& poses, int i, const Viewpoint<T>& view, F&& f) {
  for (; i > 0; i = mech.bodies[static_cast<std::size_t>(i)].parent) {
    const Pose<T> X_RB = view.seen(poses.X_WB[static_cast<std::size_t>(i)]);
    with_joint(mech, par, kin, i, [&](const auto&, const auto& H) {
      const int first = mech.bodies[static_cast<std::size_t>(i)].v.first;
      for (int a = 0; a < H.count(); ++a) f(first + a, view(X_RB * H.template axis_at<T>(a)));
    });
  }
}

/// Writes a motion as column k of a 6 × n matrix, row by row, angular rows first.
template <class T>
ARTICULA_INLINE void write_column(const Motion<T>& V, std::size_t k, std::size_t n, T* J) {
  J[k] = V.w.x, J[n + k] = V.w.y, J[2 * n + k] = V.w.z;
  J[3 * n + k] = V.v.x, J[4 * n + k] = V.v.y, J[5 * n + k] = V.v.z;
}

/// The Jacobian of a frame, 6 × nv, row by row, angular rows first: V = J·v in the frame `in`.
///
/// Only the joints between the frame and World have columns: O(depth), beside setting the rest to zero.
///
/// @pre `positions` has filled `kin`, and `world_poses` has filled `poses`
template <class T, class P>
void jacobian(const Mechanism& mech, const Parameters<P>& par, const Positions<T>& kin, const WorldPoses<T>& poses,
              int frame, JacobianFrame in, std::span<T> J) {
  const auto nv = static_cast<std::size_t>(mech.nv);
  const int body = mech.frames[static_cast<std::size_t>(frame)].body;
  std::fill(J.begin(), J.end(), T(0));
  const Viewpoint<T> view(frame_pose(mech, par, poses, frame), in);
  for_each_column(mech, par, kin, poses, body, view,
                  [&](int dof, const Motion<T>& V) { write_column(V, static_cast<std::size_t>(dof), nv, J.data()); });
}

/// The rate of the Jacobian, 6 × nv, row by row: A = J·vdot + J̇·v, where A is `frame_acceleration` in the same frame.
///
///     J = X_RB·H,    J̇ = X_RB·(V_B × H + Ḣ) − V_R × J
///
/// R, the frame in which J is expressed, moves with V_R: World not at all, `local` with the frame F,
/// `local_world_aligned` with F's origin but without turning.
///
/// @pre `positions` and `velocities` have filled `kin`, and `world_poses` has filled `poses`
template <class T, class P>
void jacobian_rate(const Mechanism& mech, const Parameters<P>& par, const Velocities<T>& kin,
                   const WorldPoses<T>& poses, std::span<const T> q, std::span<const T> v, int frame, JacobianFrame in,
                   std::span<T> Jdot) {
  const auto nv = static_cast<std::size_t>(mech.nv);
  std::fill(Jdot.begin(), Jdot.end(), T(0));
  const Viewpoint<T> view(frame_pose(mech, par, poses, frame), in);
  Motion<T> V_R;
  if (in != JacobianFrame::world) V_R = frame_velocity(mech, par, poses, kin, frame, in);
  if (in == JacobianFrame::local_world_aligned) V_R.w = Vec3<T>::zero();
  Motion<T> Hdot[most_joint_dofs];
  auto b = static_cast<std::size_t>(mech.frames[static_cast<std::size_t>(frame)].body);
  for (; b > 0; b = static_cast<std::size_t>(mech.bodies[b].parent)) {
    const Body& body = mech.bodies[b];
    const Pose<T> X_RB = view.seen(poses.X_WB[b]);
    with_joint(mech, par, kin, static_cast<int>(b), [&](const auto&, const auto& H) {
      constexpr bool constant = std::decay_t<decltype(H)>::constant;
      if constexpr (!constant)
        general_axes_rate(body, par, static_cast<int>(b), q.data() + body.q.first, v.data() + body.v.first, Hdot);
      for (int a = 0; a < H.count(); ++a) {
        const auto axis = H.template axis_at<T>(a);
        Motion<T> rate;
        add_cross_along(rate, kin.V_B[b], axis, T(1));
        if constexpr (!constant) rate += Hdot[a];
        const Motion<T> column = view(X_RB * rate) - cross(V_R, view(X_RB * axis));
        write_column(column, static_cast<std::size_t>(body.v.first + a), nv, Jdot.data());
      }
    });
  }
}

/// What Jacobians by pseudo-velocities need beside their inputs.
template <class T>
struct PseudoVelocities {
  explicit PseudoVelocities(const Mechanism& mech) : kin(mech), v(static_cast<std::size_t>(mech.nv)) {}

  Velocities<T> kin;  ///< its positions are an input
  std::vector<T> v;   ///< a unit vector
};

/// The same Jacobian by another way: column k is the velocity of the frame at v = e_k. It needs no more than velocity
/// kinematics, so that it serves any topology; O(n·nv).  [UNI 3.2.2.1, (3.48)]
///
/// @pre `positions` has filled `scratch.kin` at q, and `world_poses` has filled `poses`
template <class T, class P>
void jacobian_by_pseudo_velocities(const Mechanism& mech, const Parameters<P>& par, const WorldPoses<T>& poses,
                                   std::span<const T> q, int frame, JacobianFrame in, PseudoVelocities<T>& scratch,
                                   std::span<T> J) {
  std::fill(scratch.v.begin(), scratch.v.end(), T(0));
  for (std::size_t k = 0; k < scratch.v.size(); ++k) {
    scratch.v[k] = T(1);
    velocities(mech, par, q, std::span<const T>(scratch.v), scratch.kin);
    scratch.v[k] = T(0);
    write_column(frame_velocity(mech, par, poses, scratch.kin, frame, in), k, scratch.v.size(), J.data());
  }
}

}  // namespace articula::dynamics
