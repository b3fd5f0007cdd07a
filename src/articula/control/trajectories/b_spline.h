#pragma once

#include <articula/control/trajectories/context.h>

namespace articula {

/// A B-spline of any degree, in one of two ways.
///
/// By `knots` and `control`: x(t) = Σ control[j]·N_j(t), with as many knots as control points and degree and one more
/// together; it is defined from knots[degree] to the knot as far from the end.
///
/// By `times` and `points`, which it passes through, with as many derivatives prescribed at its ends as are given; its
/// knots are then the means of `degree` neighbouring times.  [de Boor, A practical guide to splines, IX, XIII]
struct BSplineMotion {
  static constexpr std::string_view name = "b_spline";

  std::vector<std::string> joints;
  Moves moves = Moves::turning;
  int degree = 3;
  std::vector<double> knots;
  Rows control;  ///< one row for each control point, of all joints
  std::vector<double> times;
  Rows points;
  Rows start_rates, end_rates;  ///< first, second, … derivative, in SI; none: free

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& field) {
    joint_fields(self, field);
    field("degree", self.degree, dimension::none);
    field("knots", self.knots, dimension::time);
    field("control", self.control, rate_of(self.moves, 0));
    field("times", self.times, dimension::time);
    field("points", self.points, rate_of(self.moves, 0));
    field("start_rates", self.start_rates, dimension::none);
    field("end_rates", self.end_rates, dimension::none);
  }

  ARTICULA_EXPORT JointTrajectory make(const TrajectoryContext& context) const;
};

}  // namespace articula
