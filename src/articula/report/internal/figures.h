#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <articula/base/units.h>
#include <articula/report/report_data.h>

namespace articula::report {

/// One line of a figure: the signal of the task, and its label in the figure.
struct ReportLine {
  std::size_t signal;
  std::string label;
};

/// One figure of a task: signals of one kind and one unit, at most `lines_of_figure` of them.
struct ReportFigure {
  std::string title;   ///< `Positions q`, `servo: torques`
  std::string symbol;  ///< of the vertical axis: `q`, `τ`
  std::string unit;    ///< as printed: `N·m`, `rad/s²`
  std::vector<ReportLine> lines;
};

inline constexpr std::size_t lines_of_figure = 12;

/// The figures of a task, in the order of their first signals.
///
/// The kind of a signal follows from its name: `q.elbow` (also v, a, tau), `wave.q.elbow` of the trajectory `wave`,
/// `energy.kinetic`, and `motor.current` for the output of a block.
std::vector<ReportFigure> make_figures(const std::vector<ReportSignal>& signals);

}  // namespace articula::report
