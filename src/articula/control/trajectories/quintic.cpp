#include <articula/control/trajectories/quintic.h>

#include <articula/base/text.h>
#include <articula/control/trajectories/piecewise_polynomial.h>

namespace articula::control {

namespace {

struct Knot {
  double x, v, a;
};

/// The coefficients, by powers of time, of the quintic over a time h with these values at its ends.
std::array<double, 6> quintic_piece(const Knot& from, const Knot& to, double h) {
  // Position, speed and acceleration at the end minus those of the first three terms, in units of h.
  const double x = to.x - from.x - h * (from.v + 0.5 * h * from.a), v = h * (to.v - from.v - h * from.a),
               a = h * h * (to.a - from.a);
  const double h3 = h * h * h;
  return {from.x,
          from.v,
          0.5 * from.a,
          (10 * x - 4 * v + 0.5 * a) / h3,
          (-15 * x + 7 * v - a) / (h3 * h),
          (6 * x - 3 * v + 0.5 * a) / (h3 * h * h)};
}

}  // namespace

JointTrajectory QuinticMotion::make(const TrajectoryContext& context) const {
  JointTrajectory made = moved_joints(context, joints, moves);
  const std::size_t n = made.dofs.size();
  check_times(context, times, points.size());
  const auto given = [&](std::string_view what, const Rows& rows) {
    if (rows.empty()) return std::vector<double>(n * times.size(), 0.0);
    if (rows.size() != times.size()) {
      refuse(
          context, "trajectory-count",
          concat(what, " has ", rows.size(), " rows for ", times.size(), " points. It needs one for each, or none."));
    }
    return rows_for_each_joint(context, made, what, rows);
  };
  const auto x = rows_for_each_joint(context, made, "points", points), v = given("speeds", speeds),
             a = given("accelerations", accelerations);
  std::vector<double> c(6 * n * (times.size() - 1));
  for (std::size_t k = 0; k + 1 < times.size(); ++k) {
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t p = k * n + i, q = p + n;
      const auto piece = quintic_piece({x[p], v[p], a[p]}, {x[q], v[q], a[q]}, times[k + 1] - times[k]);
      for (std::size_t j = 0; j < 6; ++j) c[(k * 6 + j) * n + i] = piece[j];
    }
  }
  check_range(context, c);
  made.motion = std::make_unique<PiecewisePolynomial>(static_cast<int>(n), 5, times, std::move(c));
  return made;
}

}  // namespace articula::control
