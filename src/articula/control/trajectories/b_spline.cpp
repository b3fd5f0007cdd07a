#include <articula/control/trajectories/b_spline.h>

#include <Eigen/SparseLU>

#include <algorithm>
#include <cmath>

#include <articula/base/text.h>
#include <articula/control/trajectories/piecewise_polynomial.h>

namespace articula::control {

namespace {

constexpr int highest_degree = 20;

/// All derivatives at t, to the degree, of the spline with control points d on the span u[j] ≤ t ≤ u[j + 1]; d[0] is
/// that with index j − degree.
///
/// Values by de Boor's scheme; the derivative of a spline of degree q has the control points
/// q·(d_i − d_{i−1})/(u_{i+q} − u_i).
std::vector<double> derivatives_on(std::span<const double> u, std::size_t j, std::vector<double> d, double t) {
  std::vector<double> all;
  for (std::size_t q = d.size() - 1;; --q) {
    const auto place = [&](std::size_t local) { return j - q + local; };
    std::vector<double> e = d;
    for (std::size_t r = 1; r <= q; ++r) {
      for (std::size_t k = q; k >= r; --k) {
        const double left = u[place(k)], right = u[place(k) + q - r + 1];
        e[k] = ((right - t) * e[k - 1] + (t - left) * e[k]) / (right - left);
      }
    }
    all.push_back(e[q]);
    if (q == 0) return all;
    for (std::size_t k = 0; k < q; ++k) {
      const std::size_t i = place(k + 1);
      d[k] = static_cast<double>(q) * (d[k + 1] - d[k]) / (u[i + q] - u[i]);
    }
    d.pop_back();
  }
}

/// The spline as polynomials between its knots.
std::unique_ptr<Trajectory> pieces_of(const TrajectoryContext& context, std::span<const double> u, std::size_t degree,
                                      std::span<const double> control, std::size_t n) {
  std::vector<double> knots, c;
  const std::size_t last = u.size() - degree - 1;
  for (std::size_t j = degree; j < last; ++j) {
    if (u[j + 1] == u[j]) continue;
    knots.push_back(u[j]);
    const std::size_t start = c.size();
    c.resize(start + (degree + 1) * n);
    for (std::size_t i = 0; i < n; ++i) {
      std::vector<double> d;
      for (std::size_t k = j - degree; k <= j; ++k) d.push_back(control[k * n + i]);
      const std::vector<double> rates = derivatives_on(u, j, std::move(d), u[j]);
      double factorial = 1;
      for (std::size_t k = 0; k <= degree; ++k) {
        if (k > 1) factorial *= static_cast<double>(k);
        c[start + k * n + i] = rates[k] / factorial;
      }
    }
  }
  knots.push_back(u[last]);
  check_range(context, c);
  return std::make_unique<PiecewisePolynomial>(static_cast<int>(n), static_cast<int>(degree), std::move(knots),
                                               std::move(c));
}

/// Knots for interpolation at these sites.
std::vector<double> averaged_knots(std::span<const double> sites, std::size_t degree) {
  std::vector<double> u(degree + 1, sites.front());
  for (std::size_t j = 1; j + degree < sites.size(); ++j) {
    double sum = 0;
    for (std::size_t k = j; k < j + degree; ++k) sum += sites[k];
    u.push_back(sum / static_cast<double>(degree));
  }
  u.insert(u.end(), degree + 1, sites.back());
  return u;
}

void check_knots(const TrajectoryContext& context, const BSplineMotion& spline, std::size_t degree) {
  const std::vector<double>& u = spline.knots;
  if (u.size() != spline.control.size() + degree + 1 || spline.control.size() <= degree) {
    refuse(
        context, "trajectory-knots",
        concat("there are ", u.size(), " knots for ", spline.control.size(), " control points of degree ", degree,
               ". Needed are at least ", degree + 1, " control points, and ", degree + 1, " knots more than those."));
  }
  for (std::size_t k = 0; k < u.size(); ++k) {
    if (!std::isfinite(u[k]) || (k > 0 && u[k] < u[k - 1])) {
      refuse(context, "trajectory-knots", concat("knots[", k, "] is ", u[k], ". Knots are finite and do not descend."));
    }
  }
  if (!(u[u.size() - degree - 1] > u[degree])) {
    refuse(context, "trajectory-knots", concat("the spline begins and ends at ", u[degree], ". It needs some time."));
  }
  for (std::size_t k = degree + 1; k + degree + 1 < u.size(); ++k) {
    const auto times_there = std::count(u.begin(), u.end(), u[k]);
    if (u[k] > u[degree] && u[k] < u[u.size() - degree - 1] && times_there > static_cast<std::ptrdiff_t>(degree)) {
      refuse(context, "trajectory-knots",
             concat("the knot ", u[k], " stands ", times_there, " times, so that the joints would jump. At most ",
                    degree, " times is allowed for the degree ", degree, "."));
    }
  }
}

/// The control points of the spline that satisfies one condition at each site: its value, or at a repeated site the
/// next derivative.
std::vector<double> interpolated(const TrajectoryContext& context, std::span<const double> sites,
                                 std::span<const double> u, std::size_t degree, std::span<const std::size_t> orders,
                                 std::span<const double> values, std::size_t n) {
  using Index = Eigen::Index;
  const std::size_t count = sites.size();
  std::vector<Eigen::Triplet<double>> entries;
  for (std::size_t row = 0; row < count; ++row) {
    const auto after = std::upper_bound(u.begin() + static_cast<std::ptrdiff_t>(degree),
                                        u.begin() + static_cast<std::ptrdiff_t>(count), sites[row]);
    const auto j = static_cast<std::size_t>(after - u.begin()) - 1;
    for (std::size_t k = 0; k <= degree; ++k) {
      std::vector<double> d(degree + 1, 0.0);
      d[k] = 1;
      const double entry = derivatives_on(u, j, std::move(d), sites[row])[orders[row]];
      check_range(context, {&entry, 1});  // the factors below need finite numbers
      entries.emplace_back(static_cast<int>(row), static_cast<int>(j - degree + k), entry);
    }
  }
  Eigen::SparseMatrix<double> matrix(static_cast<Index>(count), static_cast<Index>(count));
  matrix.setFromTriplets(entries.begin(), entries.end());
  using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const Eigen::MatrixXd right =
      Eigen::Map<const RowMatrix>(values.data(), static_cast<Index>(count), static_cast<Index>(n));
  const Eigen::SparseLU<Eigen::SparseMatrix<double>> factors(matrix);
  if (factors.info() != Eigen::Success) {
    refuse(context, "trajectory-range",
           "its points are so unevenly spaced in time that no spline through them can be computed. Space them more "
           "evenly, or lower the degree.");
  }
  const Eigen::MatrixXd solved = factors.solve(right);
  const RowMatrix control = solved;
  return {control.data(), control.data() + control.size()};
}

}  // namespace

JointTrajectory BSplineMotion::make(const TrajectoryContext& context) const {
  JointTrajectory made = moved_joints(context, joints, moves);
  const std::size_t n = made.dofs.size();
  if (degree < 1 || degree > highest_degree) {
    refuse(context, "trajectory-value", concat("degree is ", degree, ". Allowed: 1 to ", highest_degree, "."));
  }
  const auto p = static_cast<std::size_t>(degree);
  const bool through = !points.empty() || !times.empty(), by_control = !control.empty() || !knots.empty();
  if (through == by_control) {
    refuse(context, "value-missing",
           concat("it has ", through ? "both" : "neither", " `times` and `points` ", through ? "and" : "nor",
                  " `knots` and `control`. Give the one or the other."));
  }
  if (by_control) {
    check_knots(context, *this, p);
    made.motion = pieces_of(context, knots, p, rows_for_each_joint(context, made, "control", control), n);
    return made;
  }
  check_times(context, times, points.size());
  const std::size_t first = start_rates.size(), last = end_rates.size(), count = times.size() + first + last;
  if (count < p + 1 || first >= p || last >= p) {
    refuse(context, "trajectory-count",
           concat(times.size(), " points and ", first, " and ", last, " derivatives at the ends are given. The degree ",
                  degree, " needs at least ", p + 1, " of them together, and allows ", p - 1,
                  " derivatives at each end."));
  }
  // The sites, each repeated for each of its conditions, with the order of the derivative.
  std::vector<double> sites(first, times.front()), values;
  sites.insert(sites.end(), times.begin(), times.end());
  sites.insert(sites.end(), last, times.back());
  std::vector<std::size_t> orders(count, 0);
  for (std::size_t k = 0; k < first; ++k) orders[k + 1] = k + 1;
  for (std::size_t k = 0; k < last; ++k) orders[count - last + k] = k + 1;
  Rows rows{points.front()};
  rows.insert(rows.end(), start_rates.begin(), start_rates.end());
  rows.insert(rows.end(), points.begin() + 1, points.end());
  rows.insert(rows.end(), end_rates.begin(), end_rates.end());
  values = rows_for_each_joint(context, made, "points", rows);
  const std::vector<double> u = averaged_knots(sites, p);
  made.motion = pieces_of(context, u, p, interpolated(context, sites, u, p, orders, values, n), n);
  return made;
}

}  // namespace articula::control
