#include <articula/mechanism/joint_motion.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <articula/base/text.h>

#include "support/random_model.h"

namespace articula::test {
namespace {

constexpr double rounding = 1e-14;
constexpr double step = 1e-5;
constexpr double derivative_tolerance = 1e-9;
constexpr int samples = 40;
constexpr std::uint32_t seed = 11;

using Vector6 = Eigen::Matrix<double, 6, 1>;

Vector6 stacked(const Motion<double>& V) { return (Vector6() << dense(V.w), dense(V.v)).finished(); }

constexpr Helical::Parameters<double> numbers{.pitch = 0.3};

/// A mechanism of World and one body.
struct One {
  Mechanism mech;
  Parameters<double> par;

  One(JointKind kind, bool reversed, const Pose<double>& X_PF) {
    Body body;
    body.parent = 0;
    body.joint = kind;
    body.q = {0, traits(kind).nq()};
    body.v = {0, traits(kind).nv()};
    body.reversed = reversed;
    mech.bodies = {Body{}, body};
    par.X_PF = {{}, X_PF};
    par.axis_sign = {1, 1};
    par.joint = {{}, AnyJointParameters(numbers).of(kind)};
  }

  Isometry3d X_PB(std::span<const double> q) const { return dense(joint_motion(mech, par, 1, q.data()).X_PB); }
};

std::vector<double> random_q(JointKind kind, Random& random) {
  std::vector<double> q;
  for (int k = 0; k < traits(kind).nq(); ++k) q.push_back(2 * random.number());
  if (kind == JointKind::spherical || kind == JointKind::free) {
    const std::vector<double> turn = random.quaternion();
    std::copy(turn.begin(), turn.end(), q.end() - 4);
  }
  return q;
}

/// The motion of B in P, expressed in B, by central differences along one degree of freedom.
Vector6 motion_along(const One& one, JointKind kind, const std::vector<double>& q, int dof) {
  const auto moved = [&](double by) {
    std::vector<double> dv(static_cast<std::size_t>(traits(kind).nv())), q_new(q.size());
    dv[static_cast<std::size_t>(dof)] = by;
    visit_joint(kind, [&]<class J>(J) { J::advanced(q.data(), dv.data(), q_new.data()); });
    return one.X_PB(q_new);
  };
  const Eigen::Matrix4d rate =
      one.X_PB(q).inverse().matrix() * (moved(step).matrix() - moved(-step).matrix()) / (2 * step);
  return (Vector6() << rate(2, 1), rate(0, 2), rate(1, 0), rate.topRightCorner<3, 1>()).finished();
}

class EveryJointKind : public testing::TestWithParam<JointKind> {};

TEST_P(EveryJointKind, StandsWhereEigenPutsIt) {
  Random random(seed);
  Joint joint{.kind = GetParam(), .axis = z_axis, .parameters = numbers};  // the canonical axes: z, or x and y
  if (traits(joint.kind).axis_use == AxisUse::two) joint.axis = x_axis;
  for (int k = 0; k < samples; ++k) {
    SCOPED_TRACE(concat("seed ", seed, ", sample ", k));
    const Pose<double> X_PF = random.pose();
    const std::vector<double> q = random_q(GetParam(), random);
    const Isometry3d X_FM = joint_pose(joint, q);
    EXPECT_LE(gap(One(GetParam(), false, X_PF).X_PB(q), dense(X_PF) * X_FM), rounding);
    EXPECT_LE(gap(One(GetParam(), true, X_PF).X_PB(q), dense(X_PF) * X_FM.inverse()), rounding) << "reversed";
  }
}

TEST_P(EveryJointKind, MovesAlongItsAxesInBothDirections) {
  Random random(seed);
  for (int k = 0; k < samples; ++k) {
    SCOPED_TRACE(concat("seed ", seed, ", sample ", k));
    for (const bool reversed : {false, true}) {
      const One one(GetParam(), reversed, random.pose());
      const std::vector<double> q = random_q(GetParam(), random);
      const JointMotion<double> motion = joint_motion(one.mech, one.par, 1, q.data());
      for (int dof = 0; dof < traits(GetParam()).nv(); ++dof) {
        EXPECT_LE((stacked(motion.H_B[static_cast<std::size_t>(dof)]) - motion_along(one, GetParam(), q, dof)).norm(),
                  derivative_tolerance)
            << "dof " << dof << (reversed ? ", reversed" : "");
      }
    }
  }
}

TEST_P(EveryJointKind, IsThePlacementItselfAtNeutral) {
  Random random(seed);
  const Pose<double> X_PF = random.pose();
  const auto neutral = traits(GetParam()).neutral;
  const std::vector<double> q(neutral.begin(), neutral.end());
  for (const bool reversed : {false, true}) {
    EXPECT_LE(gap(One(GetParam(), reversed, X_PF).X_PB(q), dense(X_PF)), rounding);
  }
}

INSTANTIATE_TEST_SUITE_P(JointMotion, EveryJointKind, testing::ValuesIn(all_joint_kinds),
                         [](const auto& kind) { return std::string(traits(kind.param).name); });

/// A sparse axis: its form, its sign.
struct Sparse {
  AxisForm axis;
  double sign;
};

class EverySparseAxis : public testing::TestWithParam<Sparse> {};

TEST_P(EverySparseAxis, TurnsOrSlidesByItsSign) {
  const auto [axis, sign] = GetParam();
  const int a = static_cast<int>(axis) % 3;
  const bool turns = axis < AxisForm::slide_x;
  Random random(seed);
  for (int k = 0; k < samples; ++k) {
    SCOPED_TRACE(concat("seed ", seed, ", sample ", k));
    One one(turns ? JointKind::revolute : JointKind::prismatic, false, {Rotation<double>{}, random.vec3()});
    one.mech.bodies[1].axis = axis;
    one.mech.bodies[1].form = turns ? static_cast<PoseForm>(static_cast<int>(PoseForm::turn_x) + a) : PoseForm::shift;
    one.par.axis_sign[1] = sign;
    const std::vector<double> q{3 * random.number()};
    const Eigen::Vector3d along = sign * Eigen::Vector3d::Unit(a);
    Isometry3d X_FM = Isometry3d::Identity();
    if (turns) X_FM = Eigen::AngleAxisd(q[0], along);
    if (!turns) X_FM = Eigen::Translation3d(q[0] * along);
    EXPECT_LE(gap(one.X_PB(q), dense(one.par.X_PF[1]) * X_FM), rounding);
    const Motion<double> H = joint_motion(one.mech, one.par, 1, q.data()).H_B[0];
    EXPECT_EQ(dense(turns ? H.w : H.v), along);
    EXPECT_EQ(dense(turns ? H.v : H.w), Eigen::Vector3d::Zero());
    EXPECT_LE((stacked(H) - motion_along(one, one.mech.bodies[1].joint, q, 0)).norm(), derivative_tolerance);
  }
}

std::vector<Sparse> sparse_axes() {
  std::vector<Sparse> all;
  for (int form = 0; form < static_cast<int>(AxisForm::general); ++form) {
    for (const double sign : {1.0, -1.0}) all.push_back({static_cast<AxisForm>(form), sign});
  }
  return all;
}
INSTANTIATE_TEST_SUITE_P(JointMotion, EverySparseAxis, testing::ValuesIn(sparse_axes()));

TEST(JointMotion, ReadsTheCoordinatesOfItsOwnBody) {
  One one(JointKind::prismatic, false, {});
  one.mech.bodies[1].q.first = 2;
  const std::vector<double> q{7, 8, 9, 10};
  EXPECT_EQ(one.X_PB(q).translation(), Eigen::Vector3d(0, 0, 9));
}

}  // namespace
}  // namespace articula::test
