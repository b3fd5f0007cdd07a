// Jacobians against velocities and accelerations, against their own derivative along a motion, and by hand.

#include <articula/dynamics/jacobian.h>

#include "dynamics/moving_model.h"

namespace articula::test {
namespace {

constexpr double rounding = 1e-12;  ///< relative; of sums of a few dozen products of the order of ten
constexpr std::uint32_t models = 100;
constexpr std::array all_frames{JacobianFrame::local, JacobianFrame::world, JacobianFrame::local_world_aligned};

Eigen::MatrixXd jacobian_of(const MovingModel& m, int frame, JacobianFrame in) {
  Numbers J(static_cast<std::size_t>(6 * m.mech.nv), 7.0);
  jacobian<double, double>(m.mech, m.par, m.kin, m.poses, frame, in, J);
  return matrix(J, 6);
}
Eigen::MatrixXd rate_of(const MovingModel& m, int frame, JacobianFrame in) {
  Numbers Jdot(static_cast<std::size_t>(6 * m.mech.nv), 7.0);
  jacobian_rate<double, double>(m.mech, m.par, m.kin, m.poses, m.q, m.v, frame, in, Jdot);
  return matrix(Jdot, 6);
}

/// Calls `f(moving model, frame, in)` for all frames of random models, in all three expressions.
template <class F>
void for_all_frames(F&& f) {
  for_moving_models(models, [&](MovingModel& m) {
    for (int frame = 0; frame < static_cast<int>(m.mech.frames.size()); ++frame) {
      for (const JacobianFrame in : all_frames) f(m, frame, in);
    }
  });
}

TEST(Jacobian, GivesTheVelocity) {
  for_all_frames([](const MovingModel& m, int frame, JacobianFrame in) {
    const Vector6d V = dense(frame_velocity(m.mech, m.par, m.poses, m.kin, frame, in));
    EXPECT_LE((jacobian_of(m, frame, in) * vector(m.v) - V).norm(), rounding * (1 + V.norm()));
  });
}

TEST(Jacobian, IsThatOfPseudoVelocities) {
  for_all_frames([](const MovingModel& m, int frame, JacobianFrame in) {
    PseudoVelocities<double> scratch(m.mech);
    Numbers J(static_cast<std::size_t>(6 * m.mech.nv));
    positions<double, double>(m.mech, m.par, m.q, scratch.kin);
    jacobian_by_pseudo_velocities<double, double>(m.mech, m.par, m.poses, m.q, frame, in, scratch, J);
    EXPECT_LE((jacobian_of(m, frame, in) - matrix(J, 6)).norm(), rounding * (1 + matrix(J, 6).norm()));
  });
}

TEST(JacobianRate, GivesTheAcceleration) {
  for_all_frames([](const MovingModel& m, int frame, JacobianFrame in) {
    const Vector6d A = dense(frame_acceleration(m.mech, m.par, m.poses, m.kin, m.acc, frame, in));
    const Vector6d sum = jacobian_of(m, frame, in) * vector(m.vdot) + rate_of(m, frame, in) * vector(m.v);
    EXPECT_LE((sum - A).norm(), rounding * (1 + A.norm()));
  });
}

TEST(JacobianRate, IsTheDerivativeOfTheJacobian) {
  std::set<JointKind> kinds, reversed;
  for_moving_models(models, [&](const MovingModel& m) {
    for (const Body& body : m.mech.bodies) (body.reversed ? reversed : kinds).insert(body.joint);
    MovingModel other = m;
    for (int frame = 0; frame < static_cast<int>(m.mech.frames.size()); ++frame) {
      for (const JacobianFrame in : all_frames) {
        const auto at = [&](double t) -> Eigen::MatrixXd {
          other.move_to(m.q_at(t), m.v, m.vdot);
          return jacobian_of(other, frame, in);
        };
        const auto [expected, second] = derivatives(at);
        EXPECT_LE((rate_of(m, frame, in) - expected).norm(), richardson_tolerance * (1 + expected.norm()));
      }
    }
  });
  EXPECT_EQ(kinds.size(), all_joint_kinds.size()) << "all, and World's, which is fixed";
  EXPECT_GE(reversed.size(), 4u) << "universal, spherical, planar, free";
}

/// Two links of lengths a and b in a plane: the textbook's Jacobian of the tip.
TEST(Jacobian, OfTwoLinksIsTheTextbooks) {
  const double a = 0.7, b = 0.4, q1 = 0.5, q2 = -1.1, v1 = 0.8, v2 = 1.9;
  Model model("two links");
  const SymMat3<double> unit = SymMat3<double>::identity();
  model.add("upper", RigidBody{.mass = 1, .inertia = unit});
  model.add("fore", RigidBody{.mass = 1, .inertia = unit, .frames = {{"tip", {{}, {b, 0, 0}}}}});
  model.add("shoulder", Joint{.axis = z_axis}, "world", "upper");
  model.add("elbow", Joint{.axis = z_axis}, at("upper", {.xyz = {a, 0, 0}}), "fore");
  MovingModel m(model, 1);
  m.move_to({q1, q2}, {v1, v2}, {0, 0});
  const int tip = m.mech.frame({"fore", "tip"});
  const double s1 = std::sin(q1), c1 = std::cos(q1), s12 = std::sin(q1 + q2), c12 = std::cos(q1 + q2), v12 = v1 + v2;
  Eigen::MatrixXd J(6, 2), Jdot(6, 2);
  J << 0, 0, 0, 0, 1, 1, -a * s1 - b * s12, -b * s12, a * c1 + b * c12, b * c12, 0, 0;
  Jdot << 0, 0, 0, 0, 0, 0, -a * c1 * v1 - b * c12 * v12, -b * c12 * v12, -a * s1 * v1 - b * s12 * v12, -b * s12 * v12,
      0, 0;
  EXPECT_LE((jacobian_of(m, tip, JacobianFrame::local_world_aligned) - J).norm(), 1e-15);
  EXPECT_LE((rate_of(m, tip, JacobianFrame::local_world_aligned) - Jdot).norm(), 1e-15);
  J.bottomRows(3) << 0, a * s1, 0, -a * c1, 0, 0;  // the points that are at World's origin
  EXPECT_LE((jacobian_of(m, tip, JacobianFrame::world) - J).norm(), 1e-15);
}

/// In orbit, seven thousand kilometres away, the local Jacobian is as exact as at home.
TEST(Jacobian, StaysExactFarFromWorld) {
  Model model("satellite");
  model.add("hull", RigidBody{.mass = 1, .inertia = SymMat3<double>::identity()});
  model.add("arm",
            RigidBody{.mass = 1, .inertia = SymMat3<double>::identity(), .frames = {{"tip", {{}, {1, 0, 0.5}}}}});
  model.add("orbit", Joint{.kind = JointKind::free}, "world", "hull");
  model.add("shoulder", Joint{.axis = {{0.6, 0.8, 0}}}, at("hull", {.xyz = {0.5, 0, 1}}), "arm");
  MovingModel m(model, 3);
  const int tip = m.mech.frame({"arm", "tip"});
  const Eigen::MatrixXd near = jacobian_of(m, tip, JacobianFrame::local);
  Numbers q = m.q;
  for (std::size_t k = 0; k < 3; ++k) q[k] = 0;
  m.move_to(q, m.v, m.vdot);
  EXPECT_LE((jacobian_of(m, tip, JacobianFrame::local) - near).norm(), rounding);
  q[0] = 7e6;
  m.move_to(q, m.v, m.vdot);
  const double lost = 7e6 * 1e-15;  // positions in World are kept to a nanometre
  EXPECT_LE((jacobian_of(m, tip, JacobianFrame::local) - near).norm(), lost);
}

}  // namespace
}  // namespace articula::test
