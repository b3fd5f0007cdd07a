#pragma once

#include <optional>

#include <articula/control/trajectories/context.h>

namespace articula {

/// What of a frame's pose a Cartesian trajectory leads.
enum class Leads {
  pose,      ///< position and orientation
  position,  ///< where the frame's origin is
};
template <>
struct EnumNames<Leads> {
  static constexpr std::array<std::string_view, 2> names{"pose", "position"};
};

/// A frame on a straight line from pose to pose, with constant acceleration for the time `ramp` at the begin, constant
/// speed, and constant deceleration for as long at the end.  [EP, section 6]
///
///     p(t) = p₀ + s(t)·(p₁ − p₀),   R(t) = R₀·exp(s(t)·φ̃),   s from 0 to 1
///
/// The orientation changes in proportion to the position: about one axis, or, with `euler`, each of the angles about
/// moving axes in proportion, as in [EP].
///
/// The joints follow by inverse kinematics, from the solution nearest to `near` on, and their speeds and accelerations
/// by the Jacobian and its rate: J·v = V, J·v̇ = A − J̇·v. Derivatives are given to order 2.
struct CartesianLine {
  static constexpr std::string_view name = "cartesian_line";

  std::vector<std::string> joints;
  Moves moves = Moves::mixed;  ///< of `near` only
  std::string frame;           ///< "link6.tool", or a body
  Leads leads = Leads::pose;
  Pose<double> from, to;
  std::string euler;                    ///< "zxz", …: the orientations are given by `from_angles` and `to_angles`
  Vec3<double> from_angles, to_angles;  ///< in place of the orientations of `from` and `to`
  std::optional<double> speed;          ///< of the constant part; or
  std::optional<double> duration;       ///< of the whole
  double ramp = 0;                      ///< greater than zero
  double begin = 0;                     ///< when it sets off
  std::vector<double> near;             ///< of each joint; none: where the model starts

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& field) {
    joint_fields(self, field);
    field("frame", self.frame, dimension::none);
    field("leads", self.leads, dimension::none);
    field("from", self.from, dimension::none);
    field("to", self.to, dimension::none);
    field("euler", self.euler, dimension::none);
    field("from_angles", self.from_angles, dimension::angle);
    field("to_angles", self.to_angles, dimension::angle);
    field("speed", self.speed, dimension::speed);
    field("duration", self.duration, dimension::time);
    field("ramp", self.ramp, dimension::time);
    field("begin", self.begin, dimension::time);
    field("near", self.near, rate_of(self.moves, 0));
  }

  ARTICULA_EXPORT JointTrajectory make(const TrajectoryContext& context) const;
};

}  // namespace articula
