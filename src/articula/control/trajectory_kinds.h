#pragma once

#include <string>
#include <variant>
#include <vector>

#include <articula/control/trajectories/b_spline.h>
#include <articula/control/trajectories/cartesian_line.h>
#include <articula/control/trajectories/cartesian_points.h>
#include <articula/control/trajectories/constant.h>
#include <articula/control/trajectories/filtered_step.h>
#include <articula/control/trajectories/harmonic.h>
#include <articula/control/trajectories/polynomial.h>
#include <articula/control/trajectories/quintic.h>
#include <articula/control/trajectories/spline.h>
#include <articula/control/trajectories/table.h>
#include <articula/control/trajectories/torques_along.h>
#include <articula/control/trajectories/trapezoidal.h>

namespace articula::control {

/// All kinds of trajectories of a study. A new kind is a file and a line here.
using TrajectoryKind = std::variant<  //
    ConstantMotion,                   //
    HarmonicMotion,                   //
    PolynomialMotion,                 //
    SplineMotion,                     //
    QuinticMotion,                    //
    TrapezoidalMotion,                //
    CartesianLine,                    //
    CartesianPoints,                  //
    BSplineMotion,                    //
    FilteredStep,                     //
    TableMotion,                      //
    TorquesAlong>;

/// Makes the trajectory of a kind for a mechanism. Throws an Error that contains its name.
inline JointTrajectory make_trajectory(const TrajectoryKind& kind, const TrajectoryContext& context) {
  JointTrajectory made = std::visit([&](const auto& each) { return each.make(context); }, kind);
  check_finite(context, *made.motion);
  return made;
}

/// The names of all kinds, in the order of the list.
inline std::vector<std::string> trajectory_kind_names() {
  return []<class... Kinds>(std::variant<Kinds...>*) {
    return std::vector<std::string>{std::string(Kinds::name)...};
  }(static_cast<TrajectoryKind*>(nullptr));
}

}  // namespace articula::control
