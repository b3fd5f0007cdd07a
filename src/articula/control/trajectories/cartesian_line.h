#pragma once

#include <optional>

#include <articula/control/trajectories/context.h>

namespace articula::control {

/// The part of a frame's pose that a Cartesian trajectory prescribes.
enum class Leads {
  pose,      ///< position and orientation
  position,  ///< of the frame's origin
};
constexpr std::array<std::string_view, 2> enum_names(Leads) { return {"pose", "position"}; }

/// A frame on a straight line from pose to pose, with constant acceleration for the time `ramp` at the beginning,
/// constant speed, and constant deceleration for the same time at the end.  [EP, section 6]
///
///     p(t) = p₀ + s(t)·(p₁ − p₀),   R(t) = R₀·exp(s(t)·φ̃),   s from 0 to 1
///
/// The orientation changes in proportion to the position: by rotation about one axis, or, with `euler`, by angles about
/// moving axes, each in proportion, as in [EP].
///
/// Joint positions are computed by inverse kinematics, starting with the solution nearest to `near`, speeds and
/// accelerations with the Jacobian and its rate: J·v = V, J·v̇ = A − J̇·v. Derivatives are available to order 2.
struct CartesianLine {
  static constexpr std::string_view name = "cartesian_line";
  static constexpr std::string_view about = "a frame on a straight line, the joints by inverse kinematics";
  static constexpr std::string_view smooth = "1";

  std::vector<std::string> joints;
  Moves moves = Moves::mixed;
  std::string frame;
  Leads leads = Leads::pose;
  Pose<double> from, to;
  std::string euler;
  Vec3<double> from_angles, to_angles;
  std::optional<double> speed;
  std::optional<double> duration;
  double ramp = 0;
  double begin = 0;
  std::vector<double> near;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& field) {
    joint_fields(self, field);
    field("frame", self.frame, dimension::none, "frame to move, `link6.tool` or a body", "required");
    field("leads", self.leads, dimension::none,
          "`pose`: position and orientation of the frame; `position`: its origin only");
    field("from", self.from, dimension::none, "pose of the frame at the start", "at World");
    field("to", self.to, dimension::none, "pose of the frame at the end", "at World");
    field("euler", self.euler, dimension::none,
          "sequence of Euler angles, e.g. `zxz`, each in proportion to the distance",
          "one rotation about a fixed axis");
    field("from_angles", self.from_angles, dimension::angle, "angles of the sequence at the start");
    field("to_angles", self.to_angles, dimension::angle, "angles of the sequence at the end");
    field("speed", self.speed, dimension::speed, "constant speed between the ramps; or", "none");
    field("duration", self.duration, dimension::time, "duration of the motion", "none");
    field("ramp", self.ramp, dimension::time, "duration of the acceleration, and of the deceleration", "required");
    field("begin", self.begin, dimension::time, "time at which the motion starts");
    field("near", self.near, rate_of(self.moves, 0), "positions of the joints near which the first solution is sought",
          "model's start");
  }

  ARTICULA_EXPORT JointTrajectory make(const TrajectoryContext& context) const;
};

}  // namespace articula::control
