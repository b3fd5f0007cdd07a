#pragma once

#include <articula/control/trajectories/context.h>

namespace articula::control {

/// Interpolation between the rows of a table.
enum class Interpolation {
  linear,
  cubic,  ///< a cubic spline, not-a-knot at its ends
};
constexpr std::array<std::string_view, 2> enum_names(Interpolation) { return {"linear", "cubic"}; }

/// Motion from a table with a header line, see CsvTable: a column of times, and one for each joint. Numbers are in the
/// unit in the header (`elbow [deg]`), otherwise in SI; they are multiplied by `scale` (0.0174532925199433 for
/// degrees). Units may be omitted in `columns`.
struct TableMotion {
  static constexpr std::string_view name = "table";
  static constexpr std::string_view about = "values from a table file; units in its header are converted to SI";
  static constexpr std::string_view smooth = "0 or 2 inside";

  std::vector<std::string> joints;
  Moves moves = Moves::turning;
  std::string file;
  std::string time = "t";
  std::vector<std::string> columns;
  Interpolation interpolation = Interpolation::cubic;
  double scale = 1;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& field) {
    joint_fields(self, field);
    field("file", self.file, dimension::none, "file, relative to the study's folder", "required");
    field("time", self.time, dimension::none, "name of the column of times");
    field("columns", self.columns, dimension::none, "names of the columns of the joints", "names of the joints");
    field("interpolation", self.interpolation, dimension::none, "`linear`, or `cubic`: a not-a-knot spline");
    field("scale", self.scale, dimension::none, "factor for all numbers, e.g. 0.0174532925199433 for degrees");
  }

  ARTICULA_EXPORT JointTrajectory make(const TrajectoryContext& context) const;
};

}  // namespace articula::control
