#include <articula/model/shape.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>
#include <numbers>

#include <articula/model/entities/rigid_body.h>

#include "support/random_model.h"

namespace articula::test {
namespace {

using std::numbers::pi;
using test::dense;

constexpr double rounding = 1e-14;    ///< relative
constexpr double quadrature = 1e-12;  ///< relative; the rule is exact for the polynomials that occur
constexpr std::uint32_t seed = 7;

/// Gauss-Legendre with eight points on [-1, 1]: exact to degree 15.  [Abramowitz and Stegun 1964, table 25.4]
constexpr std::array<std::array<double, 2>, 8> gauss{{{-0.9602898564975363, 0.1012285362903763},
                                                      {-0.7966664774136267, 0.2223810344533745},
                                                      {-0.5255324099163290, 0.3137066458778873},
                                                      {-0.1834346424956498, 0.3626837833783620},
                                                      {0.1834346424956498, 0.3626837833783620},
                                                      {0.5255324099163290, 0.3137066458778873},
                                                      {0.7966664774136267, 0.2223810344533745},
                                                      {0.9602898564975363, 0.1012285362903763}}};

double integral(double low, double high, const std::function<double(double)>& f) {
  double sum = 0;
  for (const auto& [x, weight] : gauss) sum += weight * f((low + high) / 2 + x * (high - low) / 2);
  return sum * (high - low) / 2;
}

/// Volume and second moments ∫x², ∫y², ∫z² of a solid.
struct Moments {
  double volume = 0, xx = 0, yy = 0, zz = 0;

  /// A slice at height z with area A and second moments ∫x², ∫y² per thickness.
  void add_slices(double low, double high, const std::function<std::array<double, 3>(double)>& slice) {
    volume += integral(low, high, [&](double z) { return slice(z)[0]; });
    xx += integral(low, high, [&](double z) { return slice(z)[1]; });
    yy += integral(low, high, [&](double z) { return slice(z)[2]; });
    zz += integral(low, high, [&](double z) { return slice(z)[0] * z * z; });
  }
  /// Discs of the radius that `radius_squared` says: A = πr², ∫x² = ∫∫ρ³cos²φ dφ dρ = π∫ρ³dρ.
  void add_discs(double low, double high, const std::function<double(double)>& radius_squared) {
    add_slices(low, high, [&](double z) -> std::array<double, 3> {
      const double r = std::sqrt(radius_squared(z));
      const double area = integral(0, r, [](double rho) { return 2 * pi * rho; });
      const double second = integral(0, r, [](double rho) { return pi * rho * rho * rho; });
      return {area, second, second};
    });
  }
};

Moments by_quadrature(const Box& box) {
  const auto [a, b, c] = box.size;
  Moments sum;
  sum.add_slices(-c / 2, c / 2, [&](double) -> std::array<double, 3> {
    return {a * b, b * integral(-a / 2, a / 2, [](double x) { return x * x; }),
            a * integral(-b / 2, b / 2, [](double y) { return y * y; })};
  });
  return sum;
}
Moments by_quadrature(const Sphere& ball) {
  Moments sum;
  sum.add_discs(-ball.radius, ball.radius, [&](double z) { return ball.radius * ball.radius - z * z; });
  return sum;
}
Moments by_quadrature(const Cylinder& rod) {
  Moments sum;
  sum.add_discs(-rod.length / 2, rod.length / 2, [&](double) { return rod.radius * rod.radius; });
  return sum;
}
Moments by_quadrature(const Capsule& pill) {
  const double r = pill.radius, l = pill.length;
  Moments sum;
  sum.add_discs(-l / 2, l / 2, [&](double) { return r * r; });
  sum.add_discs(l / 2, l / 2 + r, [&](double z) { return r * r - (z - l / 2) * (z - l / 2); });
  sum.add_discs(-l / 2 - r, -l / 2, [&](double z) { return r * r - (z + l / 2) * (z + l / 2); });
  return sum;
}

void expect_inertia(const Inertia<double>& M, const Moments& expected, double tolerance) {
  EXPECT_NEAR(M.m, expected.volume, tolerance * expected.volume);
  EXPECT_EQ(M.h, Vec3<double>::zero());
  const double size = expected.xx + expected.yy + expected.zz;
  EXPECT_NEAR(M.I.xx, expected.yy + expected.zz, tolerance * size);
  EXPECT_NEAR(M.I.yy, expected.xx + expected.zz, tolerance * size);
  EXPECT_NEAR(M.I.zz, expected.xx + expected.yy, tolerance * size);
  EXPECT_EQ(M.I.xy, 0);
  EXPECT_EQ(M.I.xz, 0);
  EXPECT_EQ(M.I.yz, 0);
}

TEST(Shapes, WeighWhatAnIntegrationOfTheirVolumeSays) {
  test::Random random(seed);
  for (int k = 0; k < 50; ++k) {
    SCOPED_TRACE(testing::Message() << "seed " << seed << ", sample " << k);
    const double a = random.number(0.01, 3), b = random.number(0.01, 3), c = random.number(0.01, 3);
    expect_inertia(unit_density_inertia(Box{{a, b, c}}).value(), by_quadrature(Box{{a, b, c}}), quadrature);
    expect_inertia(unit_density_inertia(Sphere{a}).value(), by_quadrature(Sphere{a}), quadrature);
    expect_inertia(unit_density_inertia(Cylinder{a, b}).value(), by_quadrature(Cylinder{a, b}), quadrature);
    expect_inertia(unit_density_inertia(Capsule{a, b}).value(), by_quadrature(Capsule{a, b}), quadrature);
  }
}

// Moments per mass of homogeneous solids.  [Beer, Johnston: Vector Mechanics for Engineers: Statics, inside back cover]
TEST(Shapes, HaveThePublishedMoments) {
  const auto per_mass = [](const Geometry& solid) {
    const Inertia<double> M = unit_density_inertia(solid).value();
    return Vec3<double>{M.I.xx / M.m, M.I.yy / M.m, M.I.zz / M.m};
  };
  const auto expect_near = [](const Vec3<double>& a, const Vec3<double>& b) {
    EXPECT_LE(norm(a - b), rounding * norm(b));
  };
  expect_near(per_mass(Box{{2, 3, 5}}), {(9 + 25) / 12.0, (4 + 25) / 12.0, (4 + 9) / 12.0});
  expect_near(per_mass(Sphere{3}), {2.0 / 5 * 9, 2.0 / 5 * 9, 2.0 / 5 * 9});
  expect_near(per_mass(Cylinder{2, 3}), {(3 * 4 + 9) / 12.0, (3 * 4 + 9) / 12.0, 4 / 2.0});
}

TEST(Shapes, HaveThePublishedVolumes) {
  EXPECT_DOUBLE_EQ(*volume(Box{{2, 3, 5}}), 30);
  EXPECT_DOUBLE_EQ(*volume(Sphere{3}), 36 * pi);
  EXPECT_DOUBLE_EQ(*volume(Cylinder{2, 3}), 12 * pi);
  EXPECT_DOUBLE_EQ(*volume(Capsule{3, 2}), 18 * pi + 36 * pi);
}

/// Two half-balls of mass M/2 each, their centres 3r/8 beyond a rod of mass m.
TEST(Shapes, ACapsuleIsARodBetweenTwoHalfBalls) {
  const double r = 0.3, l = 0.8;
  const double rod = pi * r * r * l, half = 2 * pi / 3 * r * r * r;
  const double half_about_centre = 83.0 / 320 * half * r * r;  // across, about its own centre of mass
  const double away = l / 2 + 3 * r / 8;
  const Inertia<double> M = unit_density_inertia(Capsule{r, l}).value();
  EXPECT_NEAR(M.I.xx, rod / 12 * (3 * r * r + l * l) + 2 * (half_about_centre + half * away * away), rounding);
  EXPECT_NEAR(M.I.zz, rod / 2 * r * r + 2 * 2.0 / 5 * half * r * r, rounding);
}

TEST(Shapes, ACapsuleOfNoLengthIsABall) {
  EXPECT_LE((dense(unit_density_inertia(Capsule{0.4, 0})->I) - dense(unit_density_inertia(Sphere{0.4})->I)).norm(),
            rounding);
  EXPECT_EQ(unit_density_inertia(Capsule{0, 0})->m, 0) << "and one of no size weighs nothing";
}

TEST(Shapes, AMeshHasNoVolumeYet) {
  EXPECT_EQ(volume(Mesh{"hand.stl"}), std::nullopt);
  EXPECT_EQ(unit_density_inertia(Mesh{"hand.stl"}), std::nullopt);
}

// --- a body by its shapes ----------------------------------------------------------------------------------------

TEST(MassProperties, AreThoseGivenWithoutADensity) {
  const RigidBody body{
      .mass = 2, .com = {1, 0, 0}, .inertia = SymMat3<double>::diagonal(1, 2, 3), .shapes = {{"s", Sphere{1}}}};
  const Inertia<double> M = mass_properties(body).value();
  EXPECT_EQ(M.m, 2);
  EXPECT_EQ(M.h, (Vec3<double>{2, 0, 0}));
  EXPECT_EQ(M.I, SymMat3<double>::diagonal(1, 4, 5)) << "Steiner";
}

TEST(MassProperties, AreTheSumOverTheShapesWithADensity) {
  test::Random random(seed);
  const Pose<double> X_BA = random.pose(), X_BC = random.pose();
  const RigidBody body{
      .mass = 99, .density = 7800, .shapes = {{"box", Box{{0.1, 0.2, 0.3}}, X_BA}, {"rod", Cylinder{0.1, 0.5}, X_BC}}};
  test::Mass expected;
  const auto weighed = [](const Geometry& solid) {
    const Inertia<double> M = unit_density_inertia(solid).value();
    return Inertia<double>{7800 * M.m, 7800.0 * M.h, 7800.0 * M.I};
  };
  expected.add(dense(X_BA), weighed(Box{{0.1, 0.2, 0.3}}));
  expected.add(dense(X_BC), weighed(Cylinder{0.1, 0.5}));
  test::Mass found;
  found.add(Eigen::Isometry3d::Identity(), mass_properties(body).value());
  EXPECT_LE(test::gap(found, expected), 1e-12 * expected.m) << "seed " << seed;
}

TEST(MassProperties, ABoxOfEightSmallOnesIsTheBox) {
  RigidBody pieces{.density = 1000};
  for (const double x : {-0.1, 0.1}) {
    for (const double y : {-0.2, 0.2}) {
      for (const double z : {-0.3, 0.3}) pieces.shapes.push_back({"", Box{{0.2, 0.4, 0.6}}, {{}, {x, y, z}}});
    }
  }
  const RigidBody whole{.density = 1000, .shapes = {{"", Box{{0.4, 0.8, 1.2}}}}};
  const Inertia<double> a = mass_properties(pieces).value(), b = mass_properties(whole).value();
  EXPECT_NEAR(a.m, b.m, rounding * b.m);
  EXPECT_LE(norm(a.h), rounding * b.m);
  EXPECT_LE((dense(a.I) - dense(b.I)).norm(), rounding * dense(b.I).norm());
}

TEST(MassProperties, ShapesToBeSeenOrTouchedOnlyWeighNothing) {
  const RigidBody body{.density = 1000,
                       .shapes = {{"a", Box{{1, 1, 1}}},
                                  {"b", Box{{9, 9, 9}}, {}, ShapeUse::visual},
                                  {"c", Mesh{"c.stl"}, {}, ShapeUse::collision}}};
  EXPECT_EQ(mass_properties(body)->m, 1000);
}

TEST(MassProperties, NeedASolidToWeigh) {
  EXPECT_EQ(mass_properties(RigidBody{.density = 1}), std::nullopt);
  EXPECT_EQ(mass_properties(RigidBody{.density = 1, .shapes = {{"a", Mesh{"a.stl"}}}}), std::nullopt);
  EXPECT_EQ(mass_properties(RigidBody{.density = 1, .shapes = {{"a", Box{{1, 1, 1}}, {}, ShapeUse::visual}}}),
            std::nullopt);
}

}  // namespace
}  // namespace articula::test
