#include <articula/spatial/orientation.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include <Eigen/LU>
#include <Eigen/SVD>

namespace articula::spatial {

using V = Vec3<double>;
using R3 = Rotation<double>;

CosSin exact_cos_sin(double angle) {
  double c = std::cos(angle), s = std::sin(angle);
  // The double nearest to k·π/2 is meant as k·π/2: its cosine of 6e-17 is the angle's own rounding.
  const double quarters = angle / (std::numbers::pi / 2);
  const double whole = std::round(quarters);
  if (std::abs(whole) <= 1e6 && std::abs(angle - whole * (std::numbers::pi / 2)) <= 4e-16 * std::abs(whole)) {
    const int quarter = static_cast<int>(((static_cast<long>(whole) % 4) + 4) % 4);
    constexpr std::array<CosSin, 4> exact{{{1, 0}, {0, 1}, {-1, 0}, {0, -1}}};
    return exact[static_cast<std::size_t>(quarter)];
  }
  return {c, s};
}

static R3 about(int k, double angle) {
  const auto [c, s] = exact_cos_sin(angle);
  return rotation_about(k, c, s);
}

R3 rotation_from_rpy(const V& rpy) { return about(2, rpy.z) * about(1, rpy.y) * about(0, rpy.x); }

V rpy_of(const R3& R) {
  const Mat3<double>& m = R.m;
  const double cosine = std::hypot(m(0, 0), m(1, 0));
  const double pitch = std::atan2(-m(2, 0), cosine);
  if (cosine < 1e-14) return {0.0, pitch, std::atan2(-m(0, 1), m(1, 1))};
  // The roll is read off Rz(yaw)ᵀ·R: near ±π/2, where yaw is uncertain, it makes up for the yaw that was taken.
  const double c = m(0, 0) / cosine, s = m(1, 0) / cosine;
  return {std::atan2(s * m(0, 2) - c * m(1, 2), c * m(1, 1) - s * m(0, 1)), pitch, std::atan2(m(1, 0), m(0, 0))};
}

std::optional<R3> rotation_from_euler(std::string_view sequence, const V& angles) {
  if (sequence.size() != 3) return std::nullopt;
  R3 R;
  for (int i = 0; i < 3; ++i) {
    const char letter = sequence[static_cast<std::size_t>(i)];
    if (letter < 'x' || letter > 'z') return std::nullopt;
    if (i > 0 && letter == sequence[static_cast<std::size_t>(i - 1)]) return std::nullopt;
    R = R * about(letter - 'x', angles[i]);
  }
  return R;
}

R3 rotation_from_axis_angle(const V& axis, double angle) {
  // Divided first by its largest part, so that no length is too short or too long and coordinate axes stay exact.
  const double largest = std::max({std::abs(axis.x), std::abs(axis.y), std::abs(axis.z)});
  const V scaled{axis.x / largest, axis.y / largest, axis.z / largest};
  const double length = norm(scaled);
  const V n{scaled.x / length, scaled.y / length, scaled.z / length};
  for (int k = 0; k < 3; ++k) {
    if (std::abs(n[k]) == 1) return about(k, n[k] * angle);
  }
  const auto [c, s] = exact_cos_sin(angle);
  Mat3<double> m;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) m(i, j) = (1 - c) * n[i] * n[j] + (i == j ? c : 0) + s * tilde(n)(i, j);
  }
  return {m};
}

R3 rotation_z_to(const V& axis) {
  // s·n = z × axis; the shortest turn is 1 + s·ñ + (1 − c)·ñ². With n of unit length it holds down to −z itself.
  const double c = axis.z, s = std::hypot(axis.x, axis.y);
  if (s < std::numeric_limits<double>::min()) return c > 0 ? R3::identity() : rotation_about(0, -1.0, 0.0);
  const Mat3<double> N = tilde(V{-axis.y / s, axis.x / s, 0});
  const Mat3<double> NN = N * N;
  Mat3<double> m = Mat3<double>::identity();
  for (int i = 0; i < 3; ++i) m.row[i] += s * N.row[i] + (1 - c) * NN.row[i];
  return {m};
}

Quaternion<double> quaternion_of(const R3& R) {
  const Mat3<double>& m = R.m;
  // The largest of the four squares first, so that no small number is divided by (Shepperd's method).
  const std::array<double, 4> squares{m(0, 0) - m(1, 1) - m(2, 2), m(1, 1) - m(0, 0) - m(2, 2),
                                      m(2, 2) - m(0, 0) - m(1, 1), m(0, 0) + m(1, 1) + m(2, 2)};
  const auto largest = std::max_element(squares.begin(), squares.end()) - squares.begin();
  const double twice = std::sqrt(std::max(0.0, 1 + squares[static_cast<std::size_t>(largest)]));
  const double k = 0.5 / twice;
  Quaternion<double> q;
  switch (largest) {
    case 0: q = {twice / 2, k * (m(0, 1) + m(1, 0)), k * (m(0, 2) + m(2, 0)), k * (m(2, 1) - m(1, 2))}; break;
    case 1: q = {k * (m(0, 1) + m(1, 0)), twice / 2, k * (m(1, 2) + m(2, 1)), k * (m(0, 2) - m(2, 0))}; break;
    case 2: q = {k * (m(0, 2) + m(2, 0)), k * (m(1, 2) + m(2, 1)), twice / 2, k * (m(1, 0) - m(0, 1))}; break;
    default: q = {k * (m(2, 1) - m(1, 2)), k * (m(0, 2) - m(2, 0)), k * (m(1, 0) - m(0, 1)), twice / 2}; break;
  }
  if (q.w < 0) q = {-q.x, -q.y, -q.z, -q.w};
  return q;
}

double departure_from_rotation(const R3& R) {
  if (!(determinant(R.m) > 0)) return std::numeric_limits<double>::infinity();
  const Mat3<double> rest = R.m.transpose() * R.m - Mat3<double>::identity();
  double largest = 0;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) largest = std::max(largest, std::abs(rest(i, j)));
  }
  return largest;
}

R3 nearest_rotation(const R3& R) {
  Eigen::Matrix3d m;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) m(i, j) = R.m(i, j);
  }
  const Eigen::JacobiSVD<Eigen::Matrix3d> svd(m, Eigen::ComputeFullU | Eigen::ComputeFullV);
  Eigen::Matrix3d U = svd.matrixU();
  if ((U * svd.matrixV().transpose()).determinant() < 0) U.col(2) *= -1;
  const Eigen::Matrix3d nearest = U * svd.matrixV().transpose();
  R3 result;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) result.m(i, j) = nearest(i, j);
  }
  return result;
}

R3 snapped(const R3& R, double tolerance) {
  const auto near = [&](double entry, double target) { return std::abs(entry - target) <= tolerance; };
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      // Is axis j of the one frame axis i of the other? A cosine near one is not enough: its sines are far larger.
      const int a = (i + 1) % 3, b = (i + 2) % 3, c = (j + 1) % 3, d = (j + 2) % 3;
      const double sign = std::copysign(1.0, R.m(i, j));
      if (!near(R.m(i, j), sign) || !near(R.m(i, c), 0) || !near(R.m(i, d), 0) || !near(R.m(a, j), 0) ||
          !near(R.m(b, j), 0)) {
        continue;
      }
      // What is left is a turn of the plane of the other two.
      double cosine = R.m(a, c), sine = R.m(b, c);
      if (near(sine, 0)) {
        cosine = std::copysign(1.0, cosine), sine = 0;
      } else if (near(cosine, 0)) {
        cosine = 0, sine = std::copysign(1.0, sine);
      }
      const double length = std::hypot(cosine, sine);
      if (std::abs(length - 1) > 4e-16) cosine /= length, sine /= length;
      R3 exact{Mat3<double>::zero()};
      exact.m(i, j) = sign;
      exact.m(a, c) = cosine, exact.m(a, d) = 0 - sign * sine;  // 0 − x, so that no zero is negative
      exact.m(b, c) = sine, exact.m(b, d) = 0 + sign * cosine;
      return exact;
    }
  }
  return R;
}

static Pose<double> slide(int k, double distance) {
  Pose<double> X;
  X.p[k] = distance;
  return X;
}
static Pose<double> turn(int k, double angle) { return {about(k, angle), V::zero()}; }

LinkDisplacement displacement(LinkConvention convention, const LinkParameters& link) {
  switch (convention) {
    case LinkConvention::standard:
      // The joint's own turn or slide commutes with Rz and Tz: both may stand after it.
      return {Pose<double>::identity(),
              turn(2, link.theta) * slide(2, link.d) * slide(0, link.a) * turn(0, link.alpha)};
    case LinkConvention::craig:
      return {turn(0, link.alpha) * slide(0, link.a) * turn(2, link.theta) * slide(2, link.d),
              Pose<double>::identity()};
    case LinkConvention::khalil: break;
  }
  return {turn(2, link.gamma) * slide(2, link.b) * turn(0, link.alpha) * slide(0, link.a) * turn(2, link.theta) *
              slide(2, link.d),
          Pose<double>::identity()};
}

}  // namespace articula::spatial
