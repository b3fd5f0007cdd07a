#pragma once

#include <optional>
#include <vector>

#include <articula/mechanism/parameters.h>

namespace articula::control {

/// An axis in space: a unit direction and a point on it.
struct Axis {
  Vec3<double> h, o;
};

/// x rotated about a direction by an angle: R·x.
Vec3<double> turned(const Vec3<double>& h, double angle, const Vec3<double>& x);
/// A point rotated about an axis.
Vec3<double> turned(const Axis& axis, double angle, const Vec3<double>& point);
Rotation<double> turn_about(const Vec3<double>& h, double angle);
/// The angle about h from a to b, both projected along h; none if one of them is parallel to h.
std::optional<double> angle_about(const Vec3<double>& h, const Vec3<double>& a, const Vec3<double>& b);

/// The joints between World and a frame, from World on, at q = 0:
///
///     X_WF(q) = e₁(q₁) · … · e_n(q_n) · X_WF(0)
///
/// where e_k is the rotation about (or translation along) axis k at its position at q = 0. This form does not depend on
/// the conventions for the frames of a model.  [Murray, Li, Sastry, A mathematical introduction to robotic
/// manipulation, 3.2]
struct ScrewChain {
  ScrewChain(const Mechanism& mech, const Parameters<double>& par, int frame);

  std::vector<int> dofs;   ///< degrees of freedom between World and the frame, from World on
  bool all_turn = false;   ///< all are revolute joints
  std::vector<Axis> axes;  ///< of revolute joints
  Pose<double> X_WF_0;
  double size = 0;  ///< reach of the chain, for tolerances
};

}  // namespace articula::control
