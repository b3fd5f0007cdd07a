#include <articula/control/trajectories/table.h>

#include <algorithm>

#include <articula/base/text.h>
#include <articula/control/internal/cubic_spline.h>
#include <articula/control/trajectories/piecewise_polynomial.h>
#include <articula/text/csv.h>

namespace articula::control {

namespace {

/// Coefficients of linear interpolation, for PiecewisePolynomial.
std::vector<double> straight_pieces(std::span<const double> times, std::span<const double> x, std::size_t n) {
  std::vector<double> c;
  c.reserve(2 * x.size());
  for (std::size_t k = 0; k + 1 < times.size(); ++k) {
    for (std::size_t i = 0; i < n; ++i) c.push_back(x[k * n + i]);
    for (std::size_t i = 0; i < n; ++i) {
      c.push_back((x[(k + 1) * n + i] - x[k * n + i]) / (times[k + 1] - times[k]));
    }
  }
  return c;
}

}  // namespace

JointTrajectory TableMotion::make(const TrajectoryContext& context) const {
  JointTrajectory made = moved_joints(context, joints, moves);
  const std::size_t n = made.dofs.size();
  if (file.empty()) refuse(context, "value-missing", "it needs a file. Give e.g. `file: motion.csv`.");
  const std::vector<std::string>& wanted = columns.empty() ? made.joints : columns;
  if (wanted.size() != n) {
    refuse(context, "trajectory-count",
           concat("columns names ", wanted.size(), ". It needs ", n, ", one for each of: ", list_of(made.joints), "."));
  }
  const std::filesystem::path path = context.folder / file;
  const CsvTable table(context.reach.read(path), path.string(),
                       context.reach.is_elsewhere(path) ? CsvTable::Shown::numbers : CsvTable::Shown::all);
  if (const auto unit = table.dimension(time); unit && *unit != dimension::time) {
    refuse(
        context, "csv-unit",
        concat("column ", quoted(time), " of ", file, " is in ", unit_text(*unit), ". Times are in s, ms, min or h."));
  }
  for (const std::string& column : wanted) {
    const std::string unit = table.unit(column);
    if (scale == 1 || unit.empty() || to_quantity(concat("1 ", unit)).quantity->value == 1) continue;
    refuse(context, "csv-unit",
           concat("scale is ", scale, ", but column ", quoted(column), " of ", file, " has the unit ", quoted(unit),
                  " in its header and is converted to SI already. Leave out scale."));
  }
  const std::vector<double> times = table.column(time);
  check_times(context, times, table.rows());
  std::vector<double> x(n * times.size());
  for (std::size_t i = 0; i < n; ++i) {
    const std::vector<double> one = table.column(wanted[i]);
    for (std::size_t k = 0; k < times.size(); ++k) x[k * n + i] = scale * one[k];
  }
  const bool linear = interpolation == Interpolation::linear;
  std::vector<double> c = linear
                              ? straight_pieces(times, x, n)
                              : cubic_pieces(times, x, spline_slopes(times, x, n, SplineEnds::not_a_knot, {}, {}), n);
  check_range(context, c);
  made.motion = std::make_unique<PiecewisePolynomial>(static_cast<int>(n), linear ? 1 : 3, times, std::move(c));
  return made;
}

}  // namespace articula::control
