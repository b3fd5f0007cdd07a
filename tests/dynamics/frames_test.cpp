// Poses, velocities and accelerations of frames against the graph that the user wrote, walked by Eigen, and its
// derivatives along a motion.

#include <articula/dynamics/frames.h>

#include "dynamics/moving_model.h"

namespace articula::test {
namespace {

constexpr double pose_tolerance = 1e-12;  ///< of positions of the order of ten, through a dozen joints
constexpr std::uint32_t models = 150;

/// ω of a rotation R with rate R', as R'·Rᵀ.
Vector3d turning(const Matrix3d& R, const Matrix3d& rate) {
  const Matrix3d W = rate * R.transpose();
  return 0.5 * Vector3d(W(2, 1) - W(1, 2), W(0, 2) - W(2, 0), W(1, 0) - W(0, 1));
}

/// The velocity and acceleration of a frame from its pose and the derivatives of its pose, by each frame's definition.
struct FrameMotion {
  FrameMotion(const Isometry3d& X, const Eigen::Matrix4d& rate, const Eigen::Matrix4d& second)
      : R(X.linear()), p(X.translation()) {
    const Matrix3d Rdot = rate.topLeftCorner<3, 3>(), Rddot = second.topLeftCorner<3, 3>();
    w = turning(R, Rdot);
    wdot = turning(R, Rddot);  // R̈·Rᵀ = ω̇~ + ω~·ω~, whose second part is symmetric
    pdot = rate.topRightCorner<3, 1>();
    pddot = second.topRightCorner<3, 1>();
  }
  Vector6d V(JacobianFrame in) const {
    switch (in) {
      case JacobianFrame::local: return stacked(R.transpose() * w, R.transpose() * pdot);
      case JacobianFrame::world: return stacked(w, pdot - w.cross(p));
      default: return stacked(w, pdot);
    }
  }
  Vector6d A(JacobianFrame in) const {
    switch (in) {
      case JacobianFrame::local: return stacked(R.transpose() * wdot, R.transpose() * (pddot - w.cross(pdot)));
      case JacobianFrame::world: return stacked(wdot, pddot - wdot.cross(p) - w.cross(pdot));
      default: return stacked(wdot, pddot);
    }
  }
  static Vector6d stacked(const Vector3d& a, const Vector3d& b) { return (Vector6d() << a, b).finished(); }

  Matrix3d R;
  Vector3d p, w, wdot, pdot, pddot;
};

TEST(Frames, StandWhereTheGraphPutsThem) {
  for_moving_models(models, [](const MovingModel& m) {
    const Poses expected = m.poses_at(0);
    for (const auto& [name, X] : expected) {
      EXPECT_LE(gap(dense(frame_pose(m.mech, m.par, m.poses, m.mech.frame(name))), X), pose_tolerance) << to_text(name);
    }
  });
}

TEST(Frames, MoveAsTheirPosesDo) {
  for_moving_models(models, [](const MovingModel& m) {
    const Poses now = m.poses_at(0);
    std::vector<PortRef> names;
    for (const auto& [name, X] : now) names.push_back(name);
    const auto stacked = [&](double t) {
      const Poses poses = m.poses_at(t);
      Eigen::MatrixXd all(4 * names.size(), 4);
      for (std::size_t k = 0; k < names.size(); ++k) {
        all.block<4, 4>(4 * static_cast<int>(k), 0) = poses.at(names[k]).matrix();
      }
      return all;
    };
    const auto [rate, second] = derivatives(stacked);
    for (std::size_t k = 0; k < names.size(); ++k) {
      const int row = 4 * static_cast<int>(k), frame = m.mech.frame(names[k]);
      const FrameMotion expected(now.at(names[k]), rate.block<4, 4>(row, 0), second.block<4, 4>(row, 0));
      for (const JacobianFrame in : {JacobianFrame::local, JacobianFrame::world, JacobianFrame::local_world_aligned}) {
        const Vector6d V = dense(frame_velocity(m.mech, m.par, m.poses, m.kin, frame, in));
        const Vector6d A = dense(frame_acceleration(m.mech, m.par, m.poses, m.kin, m.acc, frame, in));
        EXPECT_LE((V - expected.V(in)).norm(), richardson_tolerance * (1 + V.norm())) << to_text(names[k]);
        EXPECT_LE((A - expected.A(in)).norm(), richardson_tolerance * (1 + A.norm())) << to_text(names[k]);
      }
      const Vec3<double> a = origin_acceleration(m.mech, m.par, m.poses, m.kin, m.acc, frame);
      EXPECT_LE((dense(a) - expected.pddot).norm(), richardson_tolerance * (1 + norm(a)));
    }
  });
}

/// A rod of length 2 that turns about World's y: at angle q its end is at 2·(sin q, 0, cos q).
TEST(Frames, OfAPendulumHaveItsCentripetalAcceleration) {
  Model model("pendulum");
  model.add("rod", RigidBody{.mass = 1, .inertia = SymMat3<double>::identity(), .frames = {{"end", {{}, {0, 0, 2}}}}});
  model.add("pivot", Joint{.axis = y_axis}, "world", "rod");
  MovingModel m(model, 1);
  const double q = 0.3, w = 1.7, wdot = -0.4;
  m.move_to({q}, {w}, {wdot});
  const int end = m.mech.frame({"rod", "end"});
  const Vector3d along(std::cos(q), 0, -std::sin(q)), out(std::sin(q), 0, std::cos(q));
  EXPECT_LE((dense(frame_pose(m.mech, m.par, m.poses, end).p) - 2 * out).norm(), 1e-15);
  const Vec3<double> a = origin_acceleration(m.mech, m.par, m.poses, m.kin, m.acc, end);
  EXPECT_LE((dense(a) - (2 * wdot * along - 2 * w * w * out)).norm(), 1e-14);
  const Motion<double> A = frame_acceleration(m.mech, m.par, m.poses, m.kin, m.acc, end, JacobianFrame::local);
  EXPECT_LE((dense(A.v) - Vector3d(2 * wdot, 0, 0)).norm(), 1e-14) << "by components: the velocity stays along x";
}

TEST(Frames, OfTheGroundStay) {
  MovingModel m(5, tree_options(5));
  const int world = m.mech.frame({"world", ""});
  for (const JacobianFrame in : {JacobianFrame::local, JacobianFrame::world, JacobianFrame::local_world_aligned}) {
    EXPECT_EQ(frame_velocity(m.mech, m.par, m.poses, m.kin, world, in), Motion<double>::zero());
    EXPECT_EQ(frame_acceleration(m.mech, m.par, m.poses, m.kin, m.acc, world, in), Motion<double>::zero());
  }
}

}  // namespace
}  // namespace articula::test
