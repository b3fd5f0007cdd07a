#pragma once

#include <articula/dynamics/jacobian.h>

namespace articula::dynamics {

/// How the pose of a frame depends on kinematic parameters, for calibration.  [UNI 3.2.2.1]
///
/// A parameter is treated as a velocity would be: a small change dλ of it moves the frame F as a motion does, and
/// that motion is the column, expressed in the frame `in`, angular rows first:
///
///     local:  X_WF⁻¹·dX_WF = [column]·dλ
///
/// Placements are changed by small motions δ = (φ, d) of a frame G, expressed in G: X → X·exp(δ), a turn by φ about
/// G's own axes and a shift by d along them. So no orientation is singular, whatever angles a file is written with.

/// The six columns of a small motion of frame G, at X_WG in World, that takes F along.
template <class T>
void write_placement_columns(const Pose<T>& X_WG, const Viewpoint<T>& view, std::size_t first, std::size_t n, T* J) {
  const Pose<T> X_RG = view.seen(X_WG);
  for (int k = 0; k < 3; ++k) {
    const Vec3<T> axis = X_RG.R.m.column(k);
    const auto column = first + static_cast<std::size_t>(k);
    write_column(view(Motion<T>{axis, cross(X_RG.p, axis)}), column, n, J);
    write_column(view(Motion<T>{Vec3<T>::zero(), axis}), column + 3, n, J);
  }
}

/// The joint of body i where it stands on the parent: its port there, as the user wrote it, in World.
template <class T, class P>
Pose<T> joint_place(const Mechanism& mech, const Parameters<P>& par, const WorldPoses<T>& poses, std::size_t i) {
  const Pose<T>& X_WP = poses.X_WB[static_cast<std::size_t>(mech.bodies[i].parent)];
  return X_WP * Pose<P>{par.X_PF[i].R * par.R_FJ[i], par.X_PF[i].p};
}

/// With respect to where each joint stands on its parent: 6 × 6·(bodies − 1), row by row. Columns 6·(i − 1) to
/// 6·(i − 1) + 5 are a small motion (turn, shift) of body i's joint on its parent, expressed in the port by which the
/// joint holds on to it (`from`; `to`, if the joint is written towards World). Joints that do not carry F have zeros.
template <class T, class P>
void placement_jacobian(const Mechanism& mech, const Parameters<P>& par, const WorldPoses<T>& poses, int frame,
                        JacobianFrame in, std::span<T> J) {
  std::fill(J.begin(), J.end(), T(0));
  const Viewpoint<T> view(frame_pose(mech, par, poses, frame), in);
  const std::size_t n = 6 * (mech.bodies.size() - 1);
  auto b = static_cast<std::size_t>(mech.frames[static_cast<std::size_t>(frame)].body);
  for (; b > 0; b = static_cast<std::size_t>(mech.bodies[b].parent)) {
    write_placement_columns(joint_place(mech, par, poses, b), view, 6 * (b - 1), n, J.data());
  }
}

/// With respect to one placement, 6 × 6, row by row: where frame G stands, a small motion of it, expressed in it,
/// takes F along. With G = F it is the frame's own placement on its body, such as that of a tool; with the frame at
/// the end of a displacement or fixed joint between World and F it is that of the displacement.
///
/// @pre a change of G's placement moves F: nothing else holds F
template <class T, class P>
void displacement_jacobian(const Mechanism& mech, const Parameters<P>& par, const WorldPoses<T>& poses, int frame,
                           int frame_G, JacobianFrame in, std::span<T> J) {
  const Viewpoint<T> view(frame_pose(mech, par, poses, frame), in);
  write_placement_columns(frame_pose(mech, par, poses, frame_G), view, 0, 6, J.data());
}

/// With respect to the directions of the joints' axes: 6 × 3·(bodies − 1), row by row. Columns 3·(i − 1) to
/// 3·(i − 1) + 2 are small turns φ of the axes of body i's joint about x, y, z of its ports: each axis changes by
/// φ × axis in both ports alike, so that at the neutral position nothing moves. Of a planar joint the directions of x
/// and y turn along. Joints without axes (spherical, free) have zeros.
///
///     X_FM → exp(φ)·X_FM·exp(−φ)
template <class T, class P>
void axis_jacobian(const Mechanism& mech, const Parameters<P>& par, const WorldPoses<T>& poses, int frame,
                   JacobianFrame in, std::span<T> J) {
  std::fill(J.begin(), J.end(), T(0));
  const Viewpoint<T> view(frame_pose(mech, par, poses, frame), in);
  const std::size_t n = 3 * (mech.bodies.size() - 1);
  auto b = static_cast<std::size_t>(mech.frames[static_cast<std::size_t>(frame)].body);
  for (; b > 0; b = static_cast<std::size_t>(mech.bodies[b].parent)) {
    if (traits(mech.bodies[b].joint).axis_use == AxisUse::none) continue;
    const Pose<T> X_RF = view.seen(joint_place(mech, par, poses, b));
    const Pose<T> X_RM = view.seen(poses.X_WB[b] * Pose<P>{par.R_FJ[b], Vec3<P>::zero()});
    for (int k = 0; k < 3; ++k) {
      const Vec3<T> inboard = X_RF.R.m.column(k), outboard = X_RM.R.m.column(k);
      const Motion<T> turn{inboard - outboard, cross(X_RF.p, inboard) - cross(X_RM.p, outboard)};
      write_column(view(turn), 3 * (b - 1) + static_cast<std::size_t>(k), n, J.data());
    }
  }
}

}  // namespace articula::dynamics
