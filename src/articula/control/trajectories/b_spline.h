#pragma once

#include <articula/control/trajectories/context.h>

namespace articula::control {

/// A B-spline of any degree, in one of two ways.
///
/// By `knots` and `control`: x(t) = Σ control[j]·N_j(t), with as many knots as control points + degree + 1; it is
/// defined from knots[degree] to the knot with the same distance from the last.
///
/// By `times` and `points`, which it passes through, with as many derivatives prescribed at its ends as are given; its
/// knots are then the means of `degree` neighbouring times.  [de Boor, A practical guide to splines, IX, XIII]
struct BSplineMotion {
  static constexpr std::string_view name = "b_spline";
  static constexpr std::string_view about = "B-spline of any degree, by knots and control points or through points";
  static constexpr std::string_view smooth = "degree − 1 inside";

  std::vector<std::string> joints;
  Moves moves = Moves::turning;
  int degree = 3;
  std::vector<double> knots;
  Rows control;
  std::vector<double> times;
  Rows points;
  Rows start_rates, end_rates;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& field) {
    joint_fields(self, field);
    field("degree", self.degree, dimension::none, "degree of the polynomials");
    field("knots", self.knots, dimension::time, "as many knots as control points + degree + 1; or", "none");
    field("control", self.control, rate_of(self.moves, 0),
          "one row for each control point, with one number for each joint", "none");
    field("times", self.times, dimension::time, "times of the points", "none");
    field("points", self.points, rate_of(self.moves, 0),
          "points on the curve: one row for each time, with one number for each joint", "none");
    field("start_rates", self.start_rates, dimension::none,
          "with `points`: derivatives at the start, a row for the first derivative of all joints, one for the second, "
          "…, in SI",
          "not prescribed");
    field("end_rates", self.end_rates, dimension::none, "with `points`: derivatives at the end, likewise",
          "not prescribed");
  }

  ARTICULA_EXPORT JointTrajectory make(const TrajectoryContext& context) const;
};

}  // namespace articula::control
