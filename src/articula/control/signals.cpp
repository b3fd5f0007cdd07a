#include <articula/control/signals.h>

#include <articula/base/text.h>
#include <articula/spatial/orientation.h>

namespace articula::control {
namespace {

/// @param given of a coordinate for `q`, else of the speed
Dimension dimension_of(JointSignal what, Dimension given) {
  switch (what) {
    case JointSignal::q:
    case JointSignal::v: break;
    case JointSignal::a: --given.s; break;
    case JointSignal::tau: return given == dimension::angular_speed ? dimension::torque : dimension::force;
  }
  return given;
}

}  // namespace

std::string signal_name(JointSignal what, std::string_view of) {
  return concat(mechanism_signals[static_cast<std::size_t>(what)], ".", of);
}

Signal joint_signal(JointSignal what, std::string_view of, const Dimension& dimension) {
  const Dimension measured = dimension_of(what, dimension);
  return {signal_name(what, of), measured == dimension::none ? "1" : unit_text(measured)};
}

void add_pose_signals(const PortRef& frame, std::vector<Signal>& signals) {
  const auto add = [&](std::string_view part, const char* unit) {
    signals.push_back({concat("pose.", to_text(frame), ".", part), unit});
  };
  for (const std::string_view axis : {"x", "y", "z"}) add(axis, "m");
  for (const std::string_view part : {"qx", "qy", "qz", "qw"}) add(part, "1");
}

std::array<double, 7> pose_values(const Pose<double>& X_WF) {
  const Quaternion<double> turn = quaternion_of(X_WF.R);
  return {X_WF.p.x, X_WF.p.y, X_WF.p.z, turn.x, turn.y, turn.z, turn.w};
}

}  // namespace articula::control
