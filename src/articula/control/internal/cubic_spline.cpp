#include <articula/control/internal/cubic_spline.h>

#include <Eigen/SparseLU>

namespace articula::control {

namespace {

/// The equations for the slopes, row by row.
struct Equations {
  using Row = Eigen::Matrix<double, 1, Eigen::Dynamic>;

  Equations(std::size_t points, std::size_t size)
      : right(Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(points), static_cast<Eigen::Index>(size))) {}

  void add(std::size_t row, std::size_t column, double value) {
    entries.emplace_back(static_cast<int>(row), static_cast<int>(column), value);
  }
  Eigen::MatrixXd solved() const {
    Eigen::SparseMatrix<double> matrix(right.rows(), right.rows());
    matrix.setFromTriplets(entries.begin(), entries.end());
    const Eigen::SparseLU<Eigen::SparseMatrix<double>> factors(matrix);
    return factors.solve(right);
  }

  std::vector<Eigen::Triplet<double>> entries;
  Eigen::MatrixXd right;
};

/// The condition at one end: `near` and `next` are the widths there, `a` and `b` the rows of the mean slopes.
void add_end(Equations& equations, SplineEnds ends, std::size_t row, std::size_t next_row, double near, double next,
             const Equations::Row& a, const Equations::Row& b, const Equations::Row& speed) {
  const auto at = static_cast<Eigen::Index>(row);
  if (ends == SplineEnds::clamped) {
    equations.add(row, row, 1);
    equations.right.row(at) = speed;
  } else if (ends == SplineEnds::natural) {
    equations.add(row, row, 2);
    equations.add(row, next_row, 1);
    equations.right.row(at) = 3 * a;
  } else {
    equations.add(row, row, next);
    equations.add(row, next_row, near + next);
    equations.right.row(at) = ((near + 2 * (near + next)) * next * a + near * near * b) / (near + next);
  }
}

}  // namespace

std::vector<double> spline_slopes(std::span<const double> times, std::span<const double> x, std::size_t size,
                                  SplineEnds ends, std::span<const double> start_speed,
                                  std::span<const double> end_speed) {
  const std::size_t points = times.size(), pieces = points - 1;
  const auto row_of = [&](std::span<const double> all, std::size_t k) -> Equations::Row {
    if (all.empty()) return Equations::Row::Zero(static_cast<Eigen::Index>(size));
    return Eigen::Map<const Equations::Row>(all.data() + k * size, static_cast<Eigen::Index>(size));
  };
  const auto h = [&](std::size_t k) { return times[k + 1] - times[k]; };
  const auto delta = [&](std::size_t k) -> Equations::Row { return (row_of(x, k + 1) - row_of(x, k)) / h(k); };

  Eigen::MatrixXd m;
  if (ends == SplineEnds::not_a_knot && points == 2) {
    m = delta(0).replicate(2, 1);
  } else if (ends == SplineEnds::not_a_knot && points == 3) {
    // One parabola through all three.
    const Equations::Row curve = (delta(1) - delta(0)) / (times[2] - times[0]);
    m.resize(3, static_cast<Eigen::Index>(size));
    m.row(0) = delta(0) - curve * h(0);
    m.row(1) = delta(0) + curve * h(0);
    m.row(2) = delta(1) + curve * h(1);
  } else {
    const bool periodic = ends == SplineEnds::periodic;
    Equations equations(points, size);
    for (std::size_t k = periodic ? 0 : 1; k < pieces; ++k) {
      const std::size_t before = k == 0 ? pieces - 1 : k - 1;
      equations.add(k, before, h(k));
      equations.add(k, k, 2 * (h(before) + h(k)));
      equations.add(k, k + 1, h(before));
      equations.right.row(static_cast<Eigen::Index>(k)) = 3 * (h(k) * delta(before) + h(before) * delta(k));
    }
    if (periodic) {
      equations.add(pieces, pieces, 1);
      equations.add(pieces, 0, -1);
    } else {
      const std::size_t second = std::min<std::size_t>(1, pieces - 1), last = pieces - 1;
      add_end(equations, ends, 0, 1, h(0), h(second), delta(0), delta(second), row_of(start_speed, 0));
      add_end(equations, ends, pieces, pieces - 1, h(last), h(last - second), delta(last), delta(last - second),
              row_of(end_speed, 0));
    }
    m = equations.solved();
  }
  std::vector<double> slopes(points * size);
  for (std::size_t k = 0; k < points; ++k) {
    for (std::size_t i = 0; i < size; ++i)
      slopes[k * size + i] = m(static_cast<Eigen::Index>(k), static_cast<Eigen::Index>(i));
  }
  return slopes;
}

std::vector<double> cubic_pieces(std::span<const double> times, std::span<const double> x, std::span<const double> m,
                                 std::size_t size) {
  std::vector<double> c;
  c.reserve(4 * x.size());
  for (std::size_t k = 0; k + 1 < times.size(); ++k) {
    const double h = times[k + 1] - times[k];
    const auto each = [&](auto&& coefficient) {
      for (std::size_t i = 0; i < size; ++i) {
        const std::size_t a = k * size + i, b = a + size;
        c.push_back(coefficient(a, b, (x[b] - x[a]) / h));
      }
    };
    each([&](std::size_t a, std::size_t, double) { return x[a]; });
    each([&](std::size_t a, std::size_t, double) { return m[a]; });
    each([&](std::size_t a, std::size_t b, double delta) { return (3 * delta - 2 * m[a] - m[b]) / h; });
    each([&](std::size_t a, std::size_t b, double delta) { return (m[a] + m[b] - 2 * delta) / (h * h); });
  }
  return c;
}

}  // namespace articula::control
