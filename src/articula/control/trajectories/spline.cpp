#include <articula/control/trajectories/spline.h>

#include <articula/base/text.h>
#include <articula/control/internal/cubic_spline.h>
#include <articula/control/trajectories/piecewise_polynomial.h>

namespace articula::control {

JointTrajectory SplineMotion::make(const TrajectoryContext& context) const {
  JointTrajectory made = moved_joints(context, joints, moves);
  const std::size_t n = made.dofs.size();
  const bool periodic = ends == SplineEnds::periodic;
  check_times(context, times, points.size(), periodic ? 3 : 2);
  const auto x = rows_for_each_joint(context, made, "points", points),
             first = for_each_joint(context, made, "start_speed", start_speed),
             last = for_each_joint(context, made, "end_speed", end_speed);
  for (std::size_t i = 0; periodic && i < n; ++i) {
    if (const double end = x[x.size() - n + i]; end != x[i]) {
      refuse(context, "trajectory-value",
             concat("the spline is periodic, but joint ", quoted(made.joints[i]), " begins at ", x[i], " and ends at ",
                    end, ". Both must be the same number."));
    }
  }
  const auto m = spline_slopes(times, x, n, ends, first, last);
  std::vector<double> c = cubic_pieces(times, x, m, n);
  check_range(context, c);
  made.motion = std::make_unique<PiecewisePolynomial>(static_cast<int>(n), 3, times, std::move(c), periodic);
  return made;
}

}  // namespace articula::control
