#include <articula/formats/internal/urdf_rpy.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <vector>

namespace articula::formats {

Rotation<double> rotation_from_urdf(Vec3<double> rpy) {
  const CosSin pitch = exact_cos_sin(rpy.y);
  const double sum = rpy.z - pitch.s * rpy.x;
  if (pitch.c == 0 && std::isfinite(sum)) rpy = {0, rpy.y, sum};
  return rotation_from_rpy(rpy);
}

namespace {

constexpr double turn = 2 * std::numbers::pi;

/// The angle and its neighbouring doubles, then the same one turn away.
std::vector<double> neighbours(double angle) {
  constexpr int reach = 4;
  std::vector<double> all;
  for (const double start : {angle, angle - turn, angle + turn}) {
    all.push_back(start);
    if (start == 0) continue;
    double below = start, above = start;
    for (int k = 0; k < reach; ++k) {
      all.push_back(below = std::nextafter(below, -std::numeric_limits<double>::infinity()));
      all.push_back(above = std::nextafter(above, std::numeric_limits<double>::infinity()));
    }
  }
  return all;
}

/// The angles near `guess` with these values of k times cosine and sine.
std::vector<double> angles_with(double guess, double k, double k_cos, double k_sin) {
  std::vector<double> found;
  for (const double angle : neighbours(guess)) {
    const auto [c, s] = exact_cos_sin(angle);
    if (c * k == k_cos && s * k == k_sin) found.push_back(angle);
  }
  return found;
}

/// With R = Rz(y)·Ry(p)·Rx(r), these entries are single products:
///
///     cos p·cos y    ·              ·
///     cos p·sin y    ·              ·
///     −sin p         cos p·sin r    cos p·cos r
std::optional<Vec3<double>> exact_rpy(const Rotation<double>& R, double sign) {
  const Mat3<double>& m = R.m;
  const double pitch_guess = std::atan2(-m(2, 0), sign * std::hypot(m(2, 1), m(2, 2)));
  for (const double pitch : neighbours(pitch_guess)) {
    const auto [c, s] = exact_cos_sin(pitch);
    if (s != -m(2, 0)) continue;
    const bool upright = c == 0;
    const auto rolls =
        upright ? std::vector{0.0} : angles_with(std::atan2(sign * m(2, 1), sign * m(2, 2)), c, m(2, 2), m(2, 1));
    if (rolls.empty()) continue;
    const auto yaws = upright ? neighbours(std::atan2(-m(0, 1), m(1, 1)))
                              : angles_with(std::atan2(sign * m(1, 0), sign * m(0, 0)), c, m(0, 0), m(1, 0));
    for (const double roll : rolls) {
      for (const double yaw : yaws) {
        const Vec3<double> rpy{roll, pitch, yaw};
        if (rotation_from_urdf(rpy) == R) return rpy;
      }
    }
  }
  return std::nullopt;
}

}  // namespace

WrittenRpy written_rpy(const Rotation<double>& R) {
  const Vec3<double> simple = rpy_of(R);
  if (rotation_from_urdf(simple) == R) return {simple, true};
  for (const double sign : {1.0, -1.0}) {
    if (const auto rpy = exact_rpy(R, sign)) return {*rpy, true};
  }
  return {simple, false};
}

}  // namespace articula::formats
