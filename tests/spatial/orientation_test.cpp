#include <articula/spatial/orientation.h>

#include <array>
#include <numbers>
#include <string>
#include <vector>

#include "dense.h"

namespace articula::test {
namespace {

constexpr double rounding = 1e-15;
constexpr double a_few_roundings = 4e-15;
constexpr double pi = std::numbers::pi;
constexpr int times = 50;

Eigen::Matrix3d about(const Eigen::Vector3d& axis, double angle) {
  return Eigen::AngleAxisd(angle, axis).toRotationMatrix();
}
const Eigen::Vector3d x = Eigen::Vector3d::UnitX(), y = Eigen::Vector3d::UnitY(), z = Eigen::Vector3d::UnitZ();

/// Only −1, 0 and 1.
bool is_exact(const Rotation<double>& R) {
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      const double entry = R.m(i, j);
      if (entry != 0 && std::abs(entry) != 1) return false;
    }
  }
  return departure_from_rotation(R) == 0;
}

TEST(ExactCosSin, IsExactAtQuarterTurns) {
  for (int k = -12; k <= 12; ++k) {
    const auto expect = [&](double angle) {
      const auto [c, s] = exact_cos_sin(angle);
      EXPECT_EQ(c, k % 2 != 0 ? 0 : k % 4 == 0 ? 1 : -1) << angle;
      EXPECT_EQ(s, k % 2 == 0 ? 0 : (k % 4 + 4) % 4 == 1 ? 1 : -1) << angle;
    };
    expect(k * (pi / 2));
    expect(k * 90 * (pi / 180));
    expect(k * pi / 2);
  }
  EXPECT_EQ(exact_cos_sin(1.5707963267948966).c, 0);
  EXPECT_EQ(exact_cos_sin(3.141592653589793).s, 0);
}

TEST(ExactCosSin, IsCosineAndSineElsewhere) {
  Random random(1);
  for (const double angle : {0.3, 1e-300, 1e-9, pi / 2 + 1e-12, pi - 1e-14, 1.5708, 1e9, -2.0, 1e300}) {
    EXPECT_EQ(exact_cos_sin(angle).c, std::cos(angle)) << angle;
    EXPECT_EQ(exact_cos_sin(angle).s, std::sin(angle)) << angle;
  }
  for (const double angle : {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_TRUE(std::isnan(exact_cos_sin(angle).c));
  }
}

TEST(Rpy, TurnsAboutFixedXThenYThenZ) {
  Random random(2);
  for (int i = 0; i < times; ++i) {
    const Vec3<double> rpy = 4.0 * random.vec3();
    EXPECT_THAT(dense(rotation_from_rpy(rpy)), IsNear(about(z, rpy.z) * about(y, rpy.y) * about(x, rpy.x), rounding));
  }
}

TEST(Rpy, ComesBackFromTheRotation) {
  Random random(3);
  for (int i = 0; i < times; ++i) {
    const Vec3<double> rpy{pi * random.number(), 1.5 * random.number(), pi * random.number()};
    EXPECT_THAT(dense(rpy_of(rotation_from_rpy(rpy))), IsNear(dense(rpy), 20 * rounding));
  }
}

TEST(Rpy, OfAnyRotationGivesThatRotation) {
  Random random(4);
  for (int i = 0; i < times; ++i) {
    const Rotation<double> R = random.rotation();
    EXPECT_THAT(dense(rotation_from_rpy(rpy_of(R))), IsNear(dense(R), rounding));
    EXPECT_LE(std::abs(rpy_of(R).y), pi / 2);
  }
}

TEST(Rpy, KeepsItsDigitsNearTheSingularPitch) {
  Random random(5);
  for (const double side : {1.0, -1.0}) {
    for (double off = 1e-2; off > 1e-18; off /= 3) {
      // A product of rounded rotations, whose small entries are rounding errors, as such matrices are in files.
      const Rotation<double> S = random.rotation();
      const Rotation<double> R =
          S.inverse() * (S * rotation_from_rpy({random.number(), side * (pi / 2 - off), random.number()}));
      EXPECT_THAT(dense(rotation_from_rpy(rpy_of(R))), IsNear(dense(R), a_few_roundings)) << off;
    }
  }
}

TEST(Rpy, AtTheSingularPitchHasNoRoll) {
  for (const double pitch : {pi / 2, -pi / 2}) {
    const Vec3<double> rpy = rpy_of(rotation_from_rpy({0.3, pitch, 0.8}));
    EXPECT_EQ(rpy.x, 0);
    EXPECT_EQ(rpy.y, pitch);
    EXPECT_NEAR(rpy.z, pitch > 0 ? 0.5 : 1.1, rounding);
  }
}

TEST(Euler, TurnsAboutMovingAxesOneAfterAnother) {
  Random random(6);
  const std::array axes{x, y, z};
  for (const std::string sequence :
       {"xyz", "xzy", "yxz", "yzx", "zxy", "zyx", "xyx", "xzx", "yxy", "yzy", "zxz", "zyz"}) {
    const Vec3<double> angles = 4.0 * random.vec3();
    Eigen::Matrix3d expected = Eigen::Matrix3d::Identity();
    for (int i = 0; i < 3; ++i) {
      expected *= about(axes[static_cast<std::size_t>(sequence[static_cast<std::size_t>(i)] - 'x')], angles[i]);
    }
    const auto R = rotation_from_euler(sequence, angles);
    ASSERT_TRUE(R) << sequence;
    EXPECT_THAT(dense(*R), IsNear(expected, rounding)) << sequence;
  }
}

TEST(Euler, AboutMovingZyxIsRollPitchYaw) {
  EXPECT_EQ(rotation_from_euler("zyx", {0.3, 0.2, 0.1}), rotation_from_rpy({0.1, 0.2, 0.3}));
}

TEST(Euler, RefusesOtherSequences) {
  for (const char* sequence : {"", "x", "xy", "xyzx", "xxy", "xyy", "XYZ", "abc", "wxy", "x y", "{|}"}) {
    EXPECT_EQ(rotation_from_euler(sequence, Vec3<double>::zero()), std::nullopt) << sequence;
  }
}

TEST(AxisAngle, IsEigens) {
  Random random(7);
  for (int i = 0; i < times; ++i) {
    const Vec3<double> axis = 5.0 * random.vec3();
    const double angle = 4 * random.number();
    EXPECT_THAT(dense(rotation_from_axis_angle(axis, angle)), IsNear(about(dense(axis).normalized(), angle), rounding));
  }
}

TEST(AxisAngle, TakesAxesOfAnyLength) {
  const Rotation<double> R = rotation_from_axis_angle({1, 2, 3}, 0.5);
  for (const double length : {1e-300, 1e-200, 1e200, 1e307}) {
    EXPECT_THAT(dense(rotation_from_axis_angle(Vec3<double>{1, 2, 3} * length, 0.5)), IsNear(dense(R), rounding))
        << length;
  }
  EXPECT_LE(departure_from_rotation(rotation_from_axis_angle({1e-322, 5e-323, 2e-321}, 0.5)), rounding);
}

TEST(AxisAngle, AboutCoordinateAxesIsExact) {
  for (int length = 1; length <= 200; ++length) {
    EXPECT_EQ(rotation_from_axis_angle({0, 0, double(length)}, 0.5), rotation_about(2, 0.5)) << length;
    EXPECT_EQ(rotation_from_axis_angle({0, -double(length), 0}, 0.5), rotation_about(1, -0.5)) << length;
  }
}

TEST(QuarterTurns, GiveZerosAndOnes) {
  for (int i = -4; i <= 4; ++i) {
    for (int j = -4; j <= 4; ++j) {
      for (int k = -4; k <= 4; ++k) {
        const Vec3<double> angles{i * pi / 2, j * pi / 2, k * pi / 2};
        EXPECT_TRUE(is_exact(rotation_from_rpy(angles)));
        EXPECT_TRUE(is_exact(rotation_from_euler("zxz", angles).value()));
      }
    }
  }
  for (int k = -4; k <= 4; ++k) EXPECT_TRUE(is_exact(rotation_from_axis_angle({0, 3, 0}, k * pi / 2)));
}

TEST(RotationZTo, IsExactForCoordinateAxes) {
  for (int k = 0; k < 3; ++k) {
    for (const double sign : {1.0, -1.0}) {
      const Vec3<double> axis = sign * Vec3<double>::unit(k);
      const Rotation<double> R = rotation_z_to(axis);
      EXPECT_TRUE(is_exact(R)) << dense(axis).transpose();
      EXPECT_EQ(R * Vec3<double>::unit(2), axis);
    }
  }
  EXPECT_EQ(rotation_z_to({0, 0, 1}), Rotation<double>::identity());
  EXPECT_EQ(rotation_z_to({0, 0, -1}), rotation_about(0, -1.0, 0.0)) << "onto −z: the half turn about x";
  EXPECT_EQ(rotation_z_to({1, 0, 0}), rotation_about(1, 0.0, 1.0));
  EXPECT_EQ(rotation_z_to({0, 1, 0}), rotation_about(0, 0.0, -1.0));
}

void expect_shortest_turn(const Vec3<double>& axis) {
  const Rotation<double> R = rotation_z_to(axis);
  EXPECT_THAT(dense(R * Vec3<double>::unit(2)), IsNear(dense(axis), rounding));
  EXPECT_LE(departure_from_rotation(R), 2 * rounding);
  // Shortest: about an axis at right angles to both.
  const Eigen::Vector3d turn_axis = z.cross(dense(axis));
  EXPECT_THAT(dense(R) * turn_axis, IsNear(turn_axis, rounding));
}

TEST(RotationZTo, BringsZOntoAnyAxis) {
  Random random(8);
  for (int i = 0; i < times; ++i) expect_shortest_turn(random.direction());
}

TEST(RotationZTo, BringsZOntoAxesNearMinusZ) {
  Random random(9);
  for (double off = 1e-1; off > 1e-320; off /= 13) {
    SCOPED_TRACE(off);
    const double turn = 4 * random.number();
    const Vec3<double> beside{off * std::cos(turn), off * std::sin(turn), 0};
    for (const double side : {1.0, -1.0}) {
      const Vec3<double> axis{beside.x, beside.y, side * std::sqrt(1 - off * off)};
      expect_shortest_turn(axis);
      const Vec3<double> reached = rotation_z_to(axis) * Vec3<double>::unit(2);
      // Also relative to the small components, as long as they are ordinary numbers.
      if (off > 1e-290) {
        EXPECT_NEAR(std::hypot(reached.x - axis.x, reached.y - axis.y) / off, 0, 2 * rounding);
      }
    }
  }
}

TEST(QuaternionOf, UndoesRotationOf) {
  Random random(10);
  for (int i = 0; i < 10 * times; ++i) {
    Quaternion<double> q = random.quaternion();
    if (q.w < 0) q = {-q.x, -q.y, -q.z, -q.w};
    const Quaternion<double> back = quaternion_of(rotation_of(q));
    EXPECT_NEAR(back.x, q.x, rounding);
    EXPECT_NEAR(back.y, q.y, rounding);
    EXPECT_NEAR(back.z, q.z, rounding);
    EXPECT_NEAR(back.w, q.w, rounding);
    EXPECT_NEAR(squared_norm(back), 1, rounding);
    const Eigen::Quaterniond eigen(dense(rotation_of(q)));
    EXPECT_NEAR(std::abs(eigen.dot(Eigen::Quaterniond(back.w, back.x, back.y, back.z))), 1, rounding);
  }
}

TEST(QuaternionOf, HalfTurnsIsSafe) {
  Random random(11);
  for (int k = 0; k < 3; ++k) {
    const Quaternion<double> q = quaternion_of(rotation_about(k, -1.0, 0.0));
    const std::array parts{q.x, q.y, q.z};
    for (int i = 0; i < 3; ++i) EXPECT_EQ(parts[static_cast<std::size_t>(i)], i == k ? 1 : 0);
    EXPECT_EQ(q.w, 0);
  }
  for (int i = 0; i < times; ++i) {
    const Rotation<double> R = rotation_from_axis_angle(random.direction(), pi - 1e-9);
    EXPECT_GE(quaternion_of(R).w, 0);
    EXPECT_THAT(dense(rotation_of(quaternion_of(R))), IsNear(dense(R), a_few_roundings));
  }
}

TEST(DepartureFromRotation, IsZeroForRotationsAndInfiniteForReflections) {
  Random random(12);
  EXPECT_LE(departure_from_rotation(random.rotation()), rounding);
  Rotation<double> R = random.rotation();
  R.m(0, 0) += 1e-3;
  EXPECT_GT(departure_from_rotation(R), 1e-5);
  EXPECT_LT(departure_from_rotation(R), 1e-2);
  for (const Mat3<double>& no_rotation :
       {Mat3<double>{{{-1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, Mat3<double>::zero(),
        Mat3<double>{{{std::numeric_limits<double>::quiet_NaN(), 0, 0}, {0, 1, 0}, {0, 0, 1}}},
        Mat3<double>{{{std::numeric_limits<double>::infinity(), 0, 0}, {0, 1, 0}, {0, 0, 1}}}}) {
    EXPECT_EQ(departure_from_rotation({no_rotation}), std::numeric_limits<double>::infinity());
  }
}

TEST(NearestRotation, IsTheRotationalPartOfTheMatrix) {
  Random random(13);
  for (int i = 0; i < times; ++i) {
    const Rotation<double> R = random.rotation();
    EXPECT_THAT(dense(nearest_rotation(R)), IsNear(dense(R), a_few_roundings));
    const Rotation<double> A{R.m + Mat3<double>{{0.1 * random.vec3(), 0.1 * random.vec3(), 0.1 * random.vec3()}}};
    const Rotation<double> nearest = nearest_rotation(A);
    EXPECT_LE(departure_from_rotation(nearest), a_few_roundings);
    // A = R·S with S symmetric and positive: the polar decomposition, whose R is the nearest.
    const Eigen::Matrix3d S = dense(nearest).transpose() * dense(A);
    EXPECT_THAT(S, IsNear(S.transpose(), a_few_roundings));
    EXPECT_GT(Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(S).eigenvalues().minCoeff(), 0);
  }
}

TEST(NearestRotation, OfAReflectionIsARotation) {
  const Rotation<double> R = nearest_rotation({{{{1, 0, 0}, {0, 1, 0}, {0, 0, -0.5}}}});
  EXPECT_LE(departure_from_rotation(R), rounding);
}

constexpr double snap = 1e-9;

TEST(Snapped, MakesSwapsAndFlipsExact) {
  Random random(14);
  for (int i = 0; i < times; ++i) {
    const Vec3<double> quarters{std::round(2 * random.number()), std::round(2 * random.number()),
                                std::round(2 * random.number())};
    const Rotation<double> exact = rotation_from_rpy(quarters * (pi / 2));
    const Rotation<double> tilted = exact * rotation_of(quaternion_exp(random.direction() * (0.5 * snap)));
    EXPECT_NE(tilted, exact);
    EXPECT_EQ(snapped(tilted, snap), exact);
    EXPECT_EQ(snapped(exact, snap), exact);
  }
}

TEST(Snapped, MakesTurnsAboutOneAxisExact) {
  Random random(15);
  for (int i = 0; i < times; ++i) {
    const double angle = 0.5 + 0.4 * random.number();
    for (int k = 0; k < 3; ++k) {
      const Rotation<double> R = rotation_about(k, angle);
      const Rotation<double> tilted = R * rotation_of(quaternion_exp(random.direction() * (0.1 * snap)));
      const Rotation<double> straight = snapped(tilted, snap);
      for (int j = 0; j < 3; ++j) {
        EXPECT_EQ(straight.m(k, j), j == k ? 1 : 0);
        EXPECT_EQ(straight.m(j, k), j == k ? 1 : 0);
      }
      EXPECT_LE(departure_from_rotation(straight), rounding);
      EXPECT_THAT(dense(straight), IsNear(dense(R), snap));
      EXPECT_EQ(snapped(R, snap), R) << "nothing to snap, nothing changed";
    }
  }
}

TEST(Snapped, MakesTurnsOfSwappedAxesExact) {
  const Rotation<double> R = rotation_about(2, 0.3) * rotation_about(0, 0.0, 1.0);
  Rotation<double> noisy = R;
  noisy.m(2, 1) -= 1e-12, noisy.m(0, 1) += 1e-12, noisy.m(2, 2) = 1e-12;
  EXPECT_THAT(dense(snapped(noisy, snap)), IsNear(dense(R), rounding));
  EXPECT_EQ(snapped(noisy, snap).m.row[2], (Vec3<double>{0, 1, 0}));
}

TEST(Snapped, ChangesNoEntryByMoreThanTheTolerance) {
  Random random(16);
  for (double angle = 1; angle > 1e-12; angle /= 2) {
    for (int i = 0; i < times; ++i) {
      // The cosine of a tilt by 1e-5 is within 1e-10 of one, its sine is not: such a tilt is meant.
      const Rotation<double> R = rotation_of(quaternion_exp(random.direction() * angle));
      EXPECT_THAT(dense(snapped(R, snap)), IsNear(dense(R), snap)) << angle;
      EXPECT_LE(departure_from_rotation(snapped(R, snap)), 2 * rounding) << angle;
    }
  }
}

TEST(Snapped, LeavesGeneralRotationsAsTheyAre) {
  Random random(17);
  for (int i = 0; i < times; ++i) {
    const Rotation<double> R = random.rotation();
    EXPECT_EQ(snapped(R, snap), R);
  }
}

struct Link {
  double theta, d, a, alpha, gamma, b;
};

Link random_link(Random& random) {
  return {4 * random.number(), random.number(),     random.number(),
          4 * random.number(), 4 * random.number(), random.number()};
}

/// [Siciliano, Sciavicco, Villani, Oriolo: Robotics (2009), eq. (2.52)]
Eigen::Matrix4d denavit_hartenberg(const Link& l) {
  const double ct = std::cos(l.theta), st = std::sin(l.theta), ca = std::cos(l.alpha), sa = std::sin(l.alpha);
  Eigen::Matrix4d A;
  A << ct, -st * ca, st * sa, l.a * ct,  //
      st, ct * ca, -ct * sa, l.a * st,   //
      0, sa, ca, l.d,                    //
      0, 0, 0, 1;
  return A;
}

/// [Craig: Introduction to Robotics, 3rd ed. (2005), eq. (3.6)], alpha and a being those of the link before.
Eigen::Matrix4d craig(const Link& l) {
  const double ct = std::cos(l.theta), st = std::sin(l.theta), ca = std::cos(l.alpha), sa = std::sin(l.alpha);
  Eigen::Matrix4d T;
  T << ct, -st, 0, l.a,                  //
      st * ca, ct * ca, -sa, -sa * l.d,  //
      st * sa, ct * sa, ca, ca * l.d,    //
      0, 0, 0, 1;
  return T;
}

/// [Khalil, Dombre: Modeling, Identification and Control of Robots (2002), chapter 7, for tree structures], where the
/// book's d is `a` and its r is `d`.
Eigen::Matrix4d khalil(const Link& l) {
  const double ct = std::cos(l.theta), st = std::sin(l.theta), ca = std::cos(l.alpha), sa = std::sin(l.alpha);
  const double cg = std::cos(l.gamma), sg = std::sin(l.gamma);
  Eigen::Matrix4d T;
  T << cg * ct - sg * ca * st, -cg * st - sg * ca * ct, sg * sa, l.a * cg + l.d * sg * sa,  //
      sg * ct + cg * ca * st, -sg * st + cg * ca * ct, -cg * sa, l.a * sg - l.d * cg * sa,  //
      sa * st, sa * ct, ca, l.d * ca + l.b,                                                 //
      0, 0, 0, 1;
  return T;
}

template <class Textbook>
void expect_textbook_matrix(LinkConvention convention, Random& random, Textbook&& textbook) {
  for (int i = 0; i < times; ++i) {
    const Link link = random_link(random);
    const auto [before, after] = displacement(
        convention,
        {.theta = link.theta, .d = link.d, .a = link.a, .alpha = link.alpha, .gamma = link.gamma, .b = link.b});
    EXPECT_THAT(dense(before * after), IsNear(textbook(link), a_few_roundings));
    // A joint in between turns by adding to theta, and slides by adding to d.
    const double q = random.number();
    Link turned = link, slid = link;
    turned.theta += q, slid.d += q;
    const Pose<double> turn{rotation_about(2, q), Vec3<double>::zero()}, slide{{}, {0, 0, q}};
    EXPECT_THAT(dense(before * turn * after), IsNear(textbook(turned), a_few_roundings));
    EXPECT_THAT(dense(before * slide * after), IsNear(textbook(slid), a_few_roundings));
  }
}

TEST(LinkConvention, StandardIsTheTextbooksMatrix) {
  Random random(18);
  expect_textbook_matrix(LinkConvention::standard, random, denavit_hartenberg);
}

TEST(LinkConvention, CraigsIsTheTextbooksMatrix) {
  Random random(19);
  expect_textbook_matrix(LinkConvention::craig, random, craig);
}

TEST(LinkConvention, KhalilsIsTheTextbooksMatrix) {
  Random random(20);
  expect_textbook_matrix(LinkConvention::khalil, random, khalil);
}

TEST(LinkConvention, KhalilsIsCraigsWithoutItsTwoParametersForBranches) {
  Random random(21);
  Link link = random_link(random);
  link.gamma = link.b = 0;
  EXPECT_THAT(khalil(link), IsNear(craig(link), rounding));
}

TEST(LinkConvention, QuarterTurnsGiveZerosAndOnes) {
  for (const LinkConvention convention : {LinkConvention::standard, LinkConvention::craig, LinkConvention::khalil}) {
    for (const double alpha : {-pi / 2, 0.0, pi / 2, pi}) {
      const auto [before, after] = displacement(convention, {.theta = pi / 2, .d = 0.3, .a = 0.2, .alpha = alpha});
      EXPECT_TRUE(is_exact(before.R));
      EXPECT_TRUE(is_exact(after.R));
    }
  }
}

}  // namespace
}  // namespace articula::test
