#include <articula/model/shape.h>

#include <numbers>

namespace articula::model {

using S = SymMat3<double>;
constexpr double pi = std::numbers::pi;

static std::optional<double> volume_of(const Box& box) { return box.size.x * box.size.y * box.size.z; }
static std::optional<double> volume_of(const Sphere& ball) {
  return 4 * pi / 3 * ball.radius * ball.radius * ball.radius;
}
static std::optional<double> volume_of(const Cylinder& rod) { return pi * rod.radius * rod.radius * rod.length; }
static std::optional<double> volume_of(const Capsule& pill) {
  return *volume_of(Cylinder{pill.radius, pill.length}) + *volume_of(Sphere{pill.radius});
}
static std::optional<double> volume_of(const Mesh&) { return std::nullopt; }

std::optional<double> volume(const Geometry& geometry) {
  return std::visit([](const auto& solid) { return volume_of(solid); }, geometry);
}

/// Moments of inertia of homogeneous solids of mass m about their centre.
static S moment_of(const Box& box, double m) {
  const auto [x, y, z] = box.size;
  return S::diagonal(m / 12 * (y * y + z * z), m / 12 * (x * x + z * z), m / 12 * (x * x + y * y));
}
static S moment_of(const Sphere& ball, double m) {
  const double I = 0.4 * m * ball.radius * ball.radius;
  return S::diagonal(I, I, I);
}
static S moment_of(const Cylinder& rod, double m) {
  const double r2 = rod.radius * rod.radius, across = m / 12 * (3 * r2 + rod.length * rod.length);
  return S::diagonal(across, across, m / 2 * r2);
}
/// The two half-spheres are a ball cut in two, each half's centre 3r/8 beyond the end of the cylinder.
static S moment_of(const Capsule& pill, double m) {
  const double r = pill.radius, l = pill.length;
  const double whole = *volume_of(pill);
  const double m_rod = whole > 0 ? m * *volume_of(Cylinder{r, l}) / whole : 0, m_ball = m - m_rod;
  const S rod = moment_of(Cylinder{r, l}, m_rod);
  const double ball = 0.4 * m_ball * r * r;
  const double across = ball + m_ball * (l * l / 4 + 3 * l * r / 8);
  return S::diagonal(rod.xx + across, rod.yy + across, rod.zz + ball);
}

std::optional<Inertia<double>> unit_density_inertia(const Geometry& geometry) {
  return std::visit(
      [](const auto& solid) -> std::optional<Inertia<double>> {
        const auto m = volume_of(solid);
        if constexpr (requires { moment_of(solid, 1.0); }) {
          return Inertia<double>{*m, Vec3<double>::zero(), moment_of(solid, *m)};
        } else {
          return std::nullopt;
        }
      },
      geometry);
}

}  // namespace articula::model
