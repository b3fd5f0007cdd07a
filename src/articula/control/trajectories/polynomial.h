#pragma once

#include <articula/control/trajectories/context.h>

namespace articula::control {

/// One polynomial through all points, with any number of prescribed derivatives at its ends:
///
///     x(times[k]) = points[k],   x⁽ʲ⁾(begin) = start_rates[j−1],   x⁽ʲ⁾(end) = end_rates[j−1]
///
/// Its degree is the number of all these conditions minus one: two points with speed and acceleration at both ends give
/// a quintic. In Newton's form with repeated nodes. For many points use a spline: polynomials above a degree of about
/// 12 oscillate.
struct PolynomialMotion {
  static constexpr std::string_view name = "polynomial";
  static constexpr std::string_view about = "one polynomial through all points, up to 200 points and rates";
  static constexpr std::string_view smooth = "number of zero derivatives at its ends";

  std::vector<std::string> joints;
  Moves moves = Moves::turning;
  std::vector<double> times;
  Rows points;
  Rows start_rates, end_rates;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& field) {
    joint_fields(self, field);
    field("times", self.times, dimension::time, "times of the points", "required");
    field("points", self.points, rate_of(self.moves, 0), "one row for each time, with one number for each joint",
          "required");
    field("start_rates", self.start_rates, dimension::none,
          "derivatives at the start: a row for the first derivative of all joints, one for the second, …, in SI",
          "not prescribed");
    field("end_rates", self.end_rates, dimension::none, "derivatives at the end, likewise", "not prescribed");
  }

  ARTICULA_EXPORT JointTrajectory make(const TrajectoryContext& context) const;
};

}  // namespace articula::control
