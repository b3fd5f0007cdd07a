// Mass, centre, inertia and momentum of the whole against sums over the user's bodies, walked by Eigen.

#include <articula/dynamics/center_of_mass.h>
#include <articula/dynamics/forward_dynamics.h>

#include "dynamics/moving_model.h"

namespace articula::test {
namespace {

constexpr double rounding = 1e-12;  ///< relative
constexpr std::uint32_t models = 80;

/// The user's bodies that move: all but those that became part of World.
struct Bodies {
  explicit Bodies(const MovingModel& of) : m(of) {
    for (std::size_t c = 0; c < m.mech.provenance.constituents.size(); ++c) {
      if (m.mech.provenance.constituents[c].body > 0) moving.push_back(c);
    }
  }
  Mass mass_at(const Poses& poses) const {
    Mass mass;
    for (const std::size_t c : moving) mass.add(poses.at(own_frame(c)), m.par.M_C[c]);
    return mass;
  }
  PortRef own_frame(std::size_t c) const { return {m.mech.provenance.constituents[c].name, ""}; }

  const MovingModel& m;
  std::vector<std::size_t> moving;
};

TEST(CenterOfMass, AndInertiaAreThoseOfAllBodies) {
  for_moving_models(models, [](const MovingModel& m) {
    if (m.mech.size() == 1) return;
    const Mass mass = Bodies(m).mass_at(m.poses_at(0));
    const double size = 1 + mass.m + mass.I.norm();
    EXPECT_NEAR(articula::dynamics::total_mass(m.mech, m.par), mass.m, rounding * mass.m);
    const Vector3d c = mass.h / mass.m;
    const Vec3<double> found = center_of_mass(m.mech, m.par, m.poses);
    EXPECT_LE((dense(found) - c).norm(), rounding * (1 + c.norm()));
    const Inertia<double> about_W = total_inertia(m.mech, m.par, m.poses, Vec3<double>::zero());
    const Inertia<double> about_c = total_inertia(m.mech, m.par, m.poses, found);
    EXPECT_LE((dense(about_W.I) - mass.I).norm(), rounding * size);
    EXPECT_LE((dense(about_W.h) - mass.h).norm(), rounding * size);
    const Matrix3d steiner = mass.m * (c.squaredNorm() * Matrix3d::Identity() - c * c.transpose());
    EXPECT_LE((dense(about_c.I) - (mass.I - steiner)).norm(), rounding * size);
    EXPECT_LE(dense(about_c.h).norm(), rounding * size);
  });
}

TEST(CenterOfMass, MovesAsItsPositionDoes) {
  for_moving_models(models, [](const MovingModel& m) {
    if (m.mech.size() == 1) return;
    const Bodies bodies(m);
    const auto position = [&](double t) -> Vector3d {
      const Mass mass = bodies.mass_at(m.poses_at(t));
      return mass.h / mass.m;
    };
    const auto [velocity, acceleration] = derivatives(position);
    const Vec3<double> v = center_of_mass_velocity(m.mech, m.par, m.poses, m.kin);
    const Vec3<double> a = center_of_mass_acceleration(m.mech, m.par, m.poses, m.kin, m.acc);
    EXPECT_LE((dense(v) - velocity).norm(), richardson_tolerance * (1 + velocity.norm()));
    EXPECT_LE((dense(a) - acceleration).norm(), richardson_tolerance * (1 + acceleration.norm()));
  });
}

/// Each body by its centre's velocity and its turning about it, both from differences of poses.
TEST(Momentum, IsTheSumOverAllBodies) {
  for_moving_models(models, [](const MovingModel& m) {
    const Bodies bodies(m);
    Vector3d linear = Vector3d::Zero(), angular = Vector3d::Zero();
    const Poses now = m.poses_at(0);
    for (const std::size_t c : bodies.moving) {
      const PortRef name = bodies.own_frame(c);
      const auto pose = [&](double t) -> Eigen::Matrix4d { return m.poses_at(t).at(name).matrix(); };
      const Eigen::Matrix4d rate = derivatives(pose).first;
      const Isometry3d& X = now.at(name);
      const Matrix3d R = X.linear(), W = rate.topLeftCorner<3, 3>() * R.transpose();
      const Inertia<double>& M = m.par.M_C[c];
      const Vector3d w(W(2, 1), W(0, 2), W(1, 0)), c_W = X * Vector3d(dense(M.h) / M.m),
                                                   v = rate.topRightCorner<3, 1>();
      const Vector3d v_c = v + w.cross(c_W - X.translation());
      linear += M.m * v_c;
      angular += R * dense(inertia_about_center(M)) * R.transpose() * w + c_W.cross(M.m * v_c);
      angular += R * dense(m.par.internal_momentum_C[c]);
    }
    const double size = 1 + linear.norm() + angular.norm();
    const Force<double> about_W = momentum(m.mech, m.par, m.poses, m.kin, Vec3<double>::zero());
    EXPECT_LE((dense(about_W.f) - linear).norm(), richardson_tolerance * size);
    EXPECT_LE((dense(about_W.n) - angular).norm(), richardson_tolerance * size);
    if (bodies.moving.empty()) return;
    const Vec3<double> center = center_of_mass(m.mech, m.par, m.poses);
    const Force<double> about_c = momentum(m.mech, m.par, m.poses, m.kin, center);
    EXPECT_LE((dense(about_c.n) - (angular - dense(center).cross(linear))).norm(), richardson_tolerance * size);
  });
}

/// A tree that flies freely, with gyrostats in it, keeps its angular momentum about its centre of mass, and its centre
/// falls as a stone does, whatever its joints do.
TEST(Momentum, StaysWhileFlying) {
  for (std::uint32_t seed = 1; seed <= 40 && !HasFailure(); ++seed) {
    SCOPED_TRACE(concat("seed ", seed));
    Random random(seed);
    Model model("flyer");
    std::vector<std::string> bodies;
    for (int k = 0; k < 5; ++k) {
      const std::string name = concat("body", k), parent = k == 0 ? "world" : random.one_of(bodies);
      RigidBody body{.mass = random.number(0.5, 2), .com = random.vec3()};
      body.inertia = SymMat3<double>::diagonal(0.3, 0.4, 0.5);
      if (k % 2 == 0) body.internal_momentum = random.vec3();
      model.add(name, body);
      Joint joint{.kind = k == 0 ? JointKind::free : all_joint_kinds[static_cast<std::size_t>(random.below(7))]};
      joint.axis.v = random.direction();
      const Vec3<double> across = cross(joint.axis.v, random.direction());
      joint.second_axis.v = across * (1 / norm(across));
      model.add(concat("joint", k), joint, {parent, random.pose()}, {name, random.pose()});
      bodies.push_back(name);
    }
    MovingModel m(model, seed);
    Numbers tau(m.v.size()), vdot(m.v.size());
    for (std::size_t k = 6; k < tau.size(); ++k) tau[k] = random.number();
    ArticulatedBody<double> scratch(m.mech);
    forward_dynamics<double, double>(m.mech, m.par, m.kin, tau, {}, scratch, vdot);
    m.move_to(m.q, m.v, vdot);
    const Vec3<double> a = center_of_mass_acceleration(m.mech, m.par, m.poses, m.kin, m.acc);
    double size = 1;
    for (const double x : vdot) size = std::max(size, std::abs(x));
    EXPECT_LE((dense(a) - Vector3d(0, 0, -9.81)).norm(), 1e-11 * size);
    MovingModel other = m;
    const auto angular = [&](double t) -> Vector3d {
      Numbers v = m.v;
      // Slowly, since vdot may be large; to first order the velocity of q_at is this.
      t /= size;
      for (std::size_t k = 0; k < v.size(); ++k) v[k] += vdot[k] * t;
      other.move_to(m.q_at(t), v, vdot);
      return dense(momentum(m.mech, m.par, other.poses, other.kin, center_of_mass(m.mech, m.par, other.poses)).n);
    };
    EXPECT_LE(derivatives(angular).first.norm(), richardson_tolerance * (1 + angular(0).norm()));
  }
}

}  // namespace
}  // namespace articula::test
