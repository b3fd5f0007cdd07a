#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include <articula/base/export.h>
#include <articula/base/units.h>
#include <articula/control/block.h>
#include <articula/model/port.h>
#include <articula/spatial/pose.h>

namespace articula::control {

/// The first parts of the names of a mechanism's own signals: no block or trajectory is called so. Those of joints come
/// first.
inline constexpr std::array<std::string_view, 8> mechanism_signals{"q",     "v",       "a",      "tau",
                                                                   "joint", "element", "energy", "pose"};

/// Signals of joints: a coordinate, or the speed, the acceleration and the force of a degree of freedom; in the order of
/// `mechanism_signals`.
enum class JointSignal { q, v, a, tau };

/// `v.elbow` for `elbow`.
ARTICULA_EXPORT std::string signal_name(JointSignal what, std::string_view of);

/// With its unit. @param dimension of the coordinate for `q`, of the speed for all others
ARTICULA_EXPORT Signal joint_signal(JointSignal what, std::string_view of, const Dimension& dimension);

/// Position and orientation of a frame: `pose.hand.tip.x`, y, z, and a quaternion qx, qy, qz, qw.
ARTICULA_EXPORT void add_pose_signals(const PortRef& frame, std::vector<Signal>& signals);
/// Their values.
ARTICULA_EXPORT std::array<double, 7> pose_values(const Pose<double>& X_WF);

}  // namespace articula::control
