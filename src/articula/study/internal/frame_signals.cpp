#include <articula/study/internal/frame_signals.h>

#include <articula/base/text.h>
#include <articula/spatial/orientation.h>

namespace articula {

static void add(const PortRef& frame, std::initializer_list<std::string_view> parts, std::string_view unit,
                std::vector<Signal>& columns) {
  for (const std::string_view part : parts)
    columns.push_back({concat(to_text(frame), ".", part), std::string(unit)});
}

void add_pose_signals(const PortRef& frame, std::vector<Signal>& columns) {
  add(frame, {"x", "y", "z"}, "m", columns);
  add(frame, {"qx", "qy", "qz", "qw"}, "1", columns);
}

void add_pose(const Pose<double>& X_WF, std::vector<double>& row) {
  const Vec3<double>& p = X_WF.p;
  const Quaternion<double> e = quaternion_of(X_WF.R);
  row.insert(row.end(), {p.x, p.y, p.z, e.x, e.y, e.z, e.w});
}

void add_motion_signals(const PortRef& frame, std::string_view what, std::vector<Signal>& columns) {
  const bool speed = what == "v";
  const std::string_view w = speed ? "w" : "alpha";
  add(frame, {concat(w, "x"), concat(w, "y"), concat(w, "z")}, speed ? "rad/s" : "rad/s^2", columns);
  add(frame, {concat(what, "x"), concat(what, "y"), concat(what, "z")}, speed ? "m/s" : "m/s^2", columns);
}

void add_motion(const Motion<double>& V, std::vector<double>& row) {
  row.insert(row.end(), {V.w.x, V.w.y, V.w.z, V.v.x, V.v.y, V.v.z});
}

}  // namespace articula
