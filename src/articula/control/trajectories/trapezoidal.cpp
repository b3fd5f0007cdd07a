#include <articula/control/trajectories/trapezoidal.h>

#include <algorithm>
#include <cmath>

#include <articula/base/text.h>
#include <articula/control/trajectories/piecewise_polynomial.h>

namespace articula::control {

namespace {

/// Motion from 0 to 1: ramps of duration `ramp`, total duration `whole`.
struct Ramps {
  double ramp, whole;
};

/// The fastest motion from 0 to 1 with speed limit v and acceleration limit a.
Ramps fastest(double v, double a) {
  if (v * v >= a) return {std::sqrt(1 / a), 2 * std::sqrt(1 / a)};  // speed v is not reached
  return {v / a, 1 / v + v / a};
}

/// Motion from 0 to 1 in the time T, longer than needed, with acceleration a: 1 = v·T − v²/a.
Ramps slower(double a, double T) {
  const double v = 2 / (T + std::sqrt(std::max(0.0, T * T - 4 / a)));
  return {v / a, T};
}

/// A sequence of quadratic pieces.
struct Pieces {
  std::size_t n;
  std::vector<double> knots, c;

  void rest(std::span<const double> x, double until) { add(until, x, {}, 0, 0, 0); }
  /// From `x` along `d`, by the fraction s0 + s1·t + s2·t².
  void add(double until, std::span<const double> x, std::span<const double> d, double s0, double s1, double s2) {
    const auto along = [&](double s, std::size_t i) { return d.empty() ? 0.0 : s * d[i]; };
    for (std::size_t i = 0; i < n; ++i) c.push_back(x[i] + along(s0, i));
    for (std::size_t i = 0; i < n; ++i) c.push_back(along(s1, i));
    for (std::size_t i = 0; i < n; ++i) c.push_back(along(s2, i));
    knots.push_back(until);
  }
  void travel(std::span<const double> x, std::span<const double> to, const Ramps& way) {
    std::vector<double> d(n);
    for (std::size_t i = 0; i < n; ++i) d[i] = to[i] - x[i];
    const double start = knots.back(), cruise = way.whole - 2 * way.ramp, v = 1 / (way.whole - way.ramp),
                 half_a = 0.5 * v / way.ramp;
    add(start + way.ramp, x, d, 0, 0, half_a);
    if (cruise > 1e-12 * way.whole) add(start + way.ramp + cruise, x, d, 0.5 * v * way.ramp, v, 0);
    // From the target backwards, so that it ends exactly there.
    add(start + way.whole, to, d, -0.5 * v * way.ramp, v, -half_a);
  }
};

}  // namespace

JointTrajectory TrapezoidalMotion::make(const TrajectoryContext& context) const {
  JointTrajectory made = moved_joints(context, joints, moves);
  const std::size_t n = made.dofs.size();
  if (points.size() < 2) {
    refuse(context, "trajectory-count", concat("there are ", points.size(), " points. At least two are needed."));
  }
  const auto x = rows_for_each_joint(context, made, "points", points),
             v = for_each_joint(context, made, "speed", speed),
             a = for_each_joint(context, made, "acceleration", acceleration);
  for (const double each : v) check_positive(context, "speed", each);
  for (const double each : a) check_positive(context, "acceleration", each);
  if (!(pause >= 0)) refuse(context, "trajectory-value", concat("pause is ", pause, ". It cannot be negative."));

  Pieces pieces{n, {begin}, {}};
  for (std::size_t k = 0; k + 1 < points.size(); ++k) {
    const auto from = std::span(x).subspan(k * n, n), to = std::span(x).subspan((k + 1) * n, n);
    double v_way = std::numeric_limits<double>::infinity(), a_way = v_way;
    for (std::size_t i = 0; i < n; ++i) {
      const double distance = std::abs(to[i] - from[i]);
      if (distance == 0) continue;
      v_way = std::min(v_way, v[i] / distance);
      a_way = std::min(a_way, a[i] / distance);
    }
    if (k > 0 && pause > 0) pieces.rest(from, pieces.knots.back() + pause);
    if (std::isinf(v_way)) {
      if (duration) pieces.rest(from, pieces.knots.back() + *duration);
      continue;
    }
    Ramps way = fastest(v_way, a_way);
    if (duration) {
      if (*duration < way.whole * (1 - 1e-12)) {
        refuse(context, "trajectory-value",
               concat("duration is ", *duration, " s, but the way from point ", k, " to the next takes at least ",
                      way.whole, " s. Give a longer one, or higher limits."));
      }
      way = slower(a_way, std::max(*duration, way.whole));
    }
    pieces.travel(from, to, way);
  }
  if (pieces.knots.size() < 2) pieces.rest(std::span(x).first(n), begin + 1);
  check_range(context, pieces.knots);
  check_range(context, pieces.c);
  made.motion =
      std::make_unique<PiecewisePolynomial>(static_cast<int>(n), 2, std::move(pieces.knots), std::move(pieces.c));
  return made;
}

}  // namespace articula::control
