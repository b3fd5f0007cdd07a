#include <articula/study/internal/frame_signals.h>

#include <articula/base/text.h>

namespace articula::study {

static void add(std::string_view what, const PortRef& frame, std::initializer_list<std::string_view> parts,
                std::string_view unit, std::vector<Signal>& columns) {
  for (const std::string_view part : parts)
    columns.push_back({concat(what, ".", to_text(frame), ".", part), std::string(unit)});
}

void add_pose(const Pose<double>& X_WF, std::vector<double>& row) {
  const std::array<double, 7> values = pose_values(X_WF);
  row.insert(row.end(), values.begin(), values.end());
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

}  // namespace articula::study
