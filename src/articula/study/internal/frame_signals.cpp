#include <articula/study/internal/frame_signals.h>

#include <articula/base/text.h>
#include <articula/spatial/orientation.h>

namespace articula {

static void add(std::string_view what, const PortRef& frame, std::initializer_list<std::string_view> parts,
                std::string_view unit, std::vector<Signal>& columns) {
  for (const std::string_view part : parts)
    columns.push_back({concat(what, ".", to_text(frame), ".", part), std::string(unit)});
}

void add_pose_signals(const PortRef& frame, std::vector<Signal>& columns) {
  add("pose", frame, {"x", "y", "z"}, "m", columns);
  add("pose", frame, {"qx", "qy", "qz", "qw"}, "1", columns);
}

void add_pose(const Pose<double>& X_WF, std::vector<double>& row) {
  const Vec3<double>& p = X_WF.p;
  const Quaternion<double> e = quaternion_of(X_WF.R);
  row.insert(row.end(), {p.x, p.y, p.z, e.x, e.y, e.z, e.w});
}

void add_speed_signals(const PortRef& frame, std::vector<Signal>& columns) {
  add("velocity", frame, {"wx", "wy", "wz"}, "rad/s", columns);
  add("velocity", frame, {"x", "y", "z"}, "m/s", columns);
}

void add_acceleration_signals(const PortRef& frame, std::vector<Signal>& columns) {
  add("acceleration", frame, {"wx", "wy", "wz"}, "rad/s^2", columns);
  add("acceleration", frame, {"x", "y", "z"}, "m/s^2", columns);
}

void add_motion(const Motion<double>& V, std::vector<double>& row) {
  row.insert(row.end(), {V.w.x, V.w.y, V.w.z, V.v.x, V.v.y, V.v.z});
}

}  // namespace articula
