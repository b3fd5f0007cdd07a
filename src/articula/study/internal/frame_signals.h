#pragma once

#include <span>
#include <vector>

#include <articula/control/signals.h>
#include <articula/model/port.h>
#include <articula/solve/forward_kinematics.h>

namespace articula::study {

/// Appends the values of a frame's pose signals.
void add_pose(const Pose<double>& X_WF, std::vector<double>& row);

/// Adds the signals of a frame's velocity or acceleration in World's axes, angular and linear.
void add_speed_signals(const PortRef& frame, std::vector<Signal>& columns);
void add_acceleration_signals(const PortRef& frame, std::vector<Signal>& columns);
void add_motion(const Motion<double>& V, std::vector<double>& row);

}  // namespace articula::study
