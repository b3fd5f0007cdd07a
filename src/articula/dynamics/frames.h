#pragma once

#include <articula/dynamics/jacobian_frame.h>
#include <articula/dynamics/kinematics.h>

namespace articula::dynamics {

/// Where every body is in World.
template <class T>
struct WorldPoses {
  explicit WorldPoses(const Mechanism& mech) : X_WB(mech.bodies.size()) {}

  std::vector<Pose<T>> X_WB;
};

/// How every body accelerates at (q, v, vdot).
template <class T>
struct Accelerations {
  explicit Accelerations(const Mechanism& mech) : A_B(mech.bodies.size()) {}

  /// Rate of V_B by components in B. True acceleration, unlike that of NewtonEuler: not lifted against gravity.
  std::vector<Motion<T>> A_B;
};

/// The poses of all bodies in World, outward: X_WB = X_WP · X_PB.
///
/// @pre `positions` has filled `kin`
template <class T, class P>
void world_poses(const Mechanism& mech, const Parameters<P>& par, const Positions<T>& kin, WorldPoses<T>& poses) {
  poses.X_WB[0] = Pose<T>::identity();
  for (int i = 1; i < mech.size(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    const Pose<T>& X_WP = poses.X_WB[static_cast<std::size_t>(mech.bodies[k].parent)];
    with_joint(mech, par, kin, i, [&](const auto& X_PB, const auto&) { poses.X_WB[k] = X_WP * X_PB; });
  }
}

/// The accelerations of all bodies, outward: A_B = X_BP·A_P + H·vdot + V_B × (H·v) + Ḣ·v.  [UNI 3.1.1]
///
/// @pre `positions` and `velocities` have filled `kin`
template <class T, class P>
void accelerations(const Mechanism& mech, const Parameters<P>& par, const Velocities<T>& kin, std::span<const T> vdot,
                   Accelerations<T>& acc) {
  acc.A_B[0] = Motion<T>::zero();
  for (int i = 1; i < mech.size(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    const Body& body = mech.bodies[k];
    with_joint(mech, par, kin, i, [&](const auto& X_PB, const auto& H) {
      Motion<T> A = X_PB.inverse() * acc.A_B[static_cast<std::size_t>(body.parent)] + kin.A_bias_B[k];
      H.add(A, vdot.data() + body.v.first);
      acc.A_B[k] = A;
    });
  }
}

/// The pose of a frame of the table in World.
template <class T, class P>
Pose<T> frame_pose(const Mechanism& mech, const Parameters<P>& par, const WorldPoses<T>& poses, int frame) {
  const auto f = static_cast<std::size_t>(frame);
  return poses.X_WB[static_cast<std::size_t>(mech.frames[f].body)] * par.X_BF[f];
}

/// A motion of frame F that is given in F, expressed in the frame `in`.
template <class T>
Motion<T> expressed(const Motion<T>& V_F, const Pose<T>& X_WF, JacobianFrame in) {
  if (in == JacobianFrame::local) return V_F;
  if (in == JacobianFrame::world) return X_WF * V_F;
  return {X_WF.R * V_F.w, X_WF.R * V_F.v};
}

/// The velocity of a frame relative to World.
template <class T, class P>
Motion<T> frame_velocity(const Mechanism& mech, const Parameters<P>& par, const WorldPoses<T>& poses,
                         const Velocities<T>& kin, int frame, JacobianFrame in) {
  const auto f = static_cast<std::size_t>(frame);
  const Motion<T> V_F = par.X_BF[f].inverse() * kin.V_B[static_cast<std::size_t>(mech.frames[f].body)];
  return expressed(V_F, frame_pose(mech, par, poses, frame), in);
}

/// The acceleration of a frame relative to World: the derivative, by components, of `frame_velocity` in the same
/// frame `in`, so that A = J·vdot + J̇·v.
///
///     local                 V̇_F                         linear part: not the origin's acceleration, which is v̇ + ω × v
///     world                 X_WF · V̇_F                  likewise of the point at World's origin
///     local_world_aligned   (R_WF·ω̇, R_WF·(v̇ + ω × v))  linear part: the classical acceleration of F's origin
template <class T, class P>
Motion<T> frame_acceleration(const Mechanism& mech, const Parameters<P>& par, const WorldPoses<T>& poses,
                             const Velocities<T>& kin, const Accelerations<T>& acc, int frame, JacobianFrame in) {
  const auto f = static_cast<std::size_t>(frame);
  const auto b = static_cast<std::size_t>(mech.frames[f].body);
  Motion<T> A_F = par.X_BF[f].inverse() * acc.A_B[b];
  if (in == JacobianFrame::local_world_aligned) {
    const Motion<T> V_F = par.X_BF[f].inverse() * kin.V_B[b];
    A_F.v += cross(V_F.w, V_F.v);
  }
  return expressed(A_F, frame_pose(mech, par, poses, frame), in);
}

/// The classical acceleration of a frame's origin, d²p_WF/dt², in World's axes.
template <class T, class P>
Vec3<T> origin_acceleration(const Mechanism& mech, const Parameters<P>& par, const WorldPoses<T>& poses,
                            const Velocities<T>& kin, const Accelerations<T>& acc, int frame) {
  return frame_acceleration(mech, par, poses, kin, acc, frame, JacobianFrame::local_world_aligned).v;
}

}  // namespace articula::dynamics
