#pragma once

#include <articula/dynamics/kinematics.h>
#include <articula/dynamics/lanes/columns.h>

namespace articula::dynamics {

/// Every body and every joint axis in the axes of World: what algorithms need that compare joints far apart.
///
/// The point that motions and forces refer to is World's origin; for a tree that floats it is the origin of its root,
/// so that nothing is lost far from World's origin.
template <class T>
struct WorldAxes {
  explicit WorldAxes(const Mechanism& mech)
      : X_WB(mech.bodies.size()), S(static_cast<std::size_t>(lanes::padded<T>(mech.nv) + 1)) {}

  std::vector<Pose<T>> X_WB;  ///< of each body, seen from that point
  std::vector<Motion<T>> S;   ///< the axes H of each joint, by degree of freedom; then zeros, for lanes
};

/// X_WB = X_WP·X_PB, seen from the tree's own point.
template <class T, class X>
ARTICULA_INLINE Pose<T> world_pose(const Body& body, const Pose<T>& X_WP, const X& X_PB) {
  Pose<T> X_WB = X_WP * X_PB;
  if (floats(body)) X_WB.p = Vec3<T>::zero();
  return X_WB;
}

template <class T, class P>
ARTICULA_FLAT void world_axes(const Mechanism& mech, const Parameters<P>& par, const Positions<T>& kin,
                              WorldAxes<T>& world) {
  for (int i = 1; i < mech.size(); ++i) {
    const Body& body = mech.bodies[static_cast<std::size_t>(i)];
    Pose<T>& X_WB = world.X_WB[static_cast<std::size_t>(i)];
    with_joint(mech, par, kin, i, [&](const auto& X_PB, const auto& H) {
      X_WB = world_pose(body, world.X_WB[static_cast<std::size_t>(body.parent)], X_PB);
      H.template each<T>(
          [&](int a, const auto& axis) { world.S[static_cast<std::size_t>(body.v.first + a)] = X_WB * axis; });
    });
  }
}

}  // namespace articula::dynamics
