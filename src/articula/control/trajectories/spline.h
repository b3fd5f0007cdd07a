#pragma once

#include <articula/control/trajectories/context.h>

namespace articula::control {

/// End conditions of a cubic spline.
enum class SplineEnds {
  clamped,     ///< given speeds, zero by default
  natural,     ///< no acceleration
  not_a_knot,  ///< the first two segments are one polynomial, and so are the last two
  periodic,    ///< repeats without end
};
constexpr std::array<std::string_view, 4> enum_names(SplineEnds) {
  return {"clamped", "natural", "not_a_knot", "periodic"};
}

/// A cubic spline through all points, with continuous acceleration: the joints do not stop in between.  [GNE] uses it
/// for start, middle and end.
struct SplineMotion {
  static constexpr std::string_view name = "spline";
  static constexpr std::string_view about = "cubic spline through all points, with continuous acceleration";
  static constexpr std::string_view smooth = "2 inside";

  std::vector<std::string> joints;
  Moves moves = Moves::turning;
  std::vector<double> times;
  Rows points;
  SplineEnds ends = SplineEnds::clamped;
  std::vector<double> start_speed{0}, end_speed{0};

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& field) {
    joint_fields(self, field);
    field("times", self.times, dimension::time, "times of the points", "required");
    field("points", self.points, rate_of(self.moves, 0), "one row for each time, with one number for each joint",
          "required");
    field("ends", self.ends, dimension::none,
          "`clamped`: given speeds; `natural`: no acceleration; `not_a_knot`; `periodic`: repeats without end");
    field("start_speed", self.start_speed, rate_of(self.moves, 1), "speeds at the start, if `clamped`");
    field("end_speed", self.end_speed, rate_of(self.moves, 1), "speeds at the end, if `clamped`");
  }

  ARTICULA_EXPORT JointTrajectory make(const TrajectoryContext& context) const;
};

}  // namespace articula::control
