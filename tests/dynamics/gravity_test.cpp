// The pull of central gravity: by hand, and as the gradient of the potential.

#include <articula/dynamics/acting_forces.h>
#include <articula/dynamics/energy.h>
#include <articula/dynamics/inverse_dynamics.h>
#include <articula/scalar/dual.h>

#include "dynamics/moving_model.h"

namespace articula::test {
namespace {

TEST(Gravity, PullsEachConstituentAtItsCentre) {
  Model model("dumbbell");
  model.environment.gravity = CentralGravity{{0, 0, 1}, 1000};
  model.add("a", RigidBody{.mass = 2, .com = {0, 0, 3}, .inertia = SymMat3<double>::identity()});
  model.add("b", RigidBody{.mass = 5, .inertia = SymMat3<double>::identity()}, at("a", {.xyz = {4, 0, 1}}));
  model.add("orbit", Joint{.kind = JointKind::free}, "world", "a");
  MovingModel m(model, 1);
  m.move_to({0, 0, 10, 0, 0, 0, 1}, Numbers(6), Numbers(6));
  ActingForces<double> acting(m.mech, m.par);
  acting_forces<double, double>(m.mech, m.par, m.kin, {}, acting);
  const std::vector<Force<double>>&F_C = acting.F_C, &F_B = acting.F_B;
  const Vector3d to_a(0, 0, 12), to_b(4, 0, 10);
  const Vector3d pull_a = -1000 * 2 * to_a / std::pow(to_a.norm(), 3);
  const Vector3d pull_b = -1000 * 5 * to_b / std::pow(to_b.norm(), 3);
  EXPECT_LE((dense(F_C[0].f) - pull_a).norm(), 1e-14);
  EXPECT_LE((dense(F_C[1].f) - pull_b).norm(), 1e-14);
  EXPECT_LE(dense(F_C[1].n).norm(), 1e-14) << "b's frame is at its centre of mass";
  EXPECT_LE((dense(F_B[1].f) - pull_a - pull_b).norm(), 1e-14);
  EXPECT_LE((dense(F_B[1].n) - Vector3d(0, 0, 3).cross(pull_a) - Vector3d(4, 0, 1).cross(pull_b)).norm(), 1e-13);
}

TEST(Gravity, OfAUniformFieldIsLeftToTheRecursions) {
  MovingModel m(4, tree_options(4));
  ActingForces<double> acting(m.mech, m.par);
  acting_forces<double, double>(m.mech, m.par, m.kin, {}, acting);
  EXPECT_TRUE(acting.F_applied().empty());
}

TEST(Gravity, IsTheGradientOfThePotential) {
  for (std::uint32_t seed = 1; seed <= 60 && !HasFailure(); ++seed) {
    SCOPED_TRACE(concat("seed ", seed));
    Model model = random_model(seed, tree_options(seed));
    model.environment.gravity = CentralGravity{{-30, 10, 15}, 2000};
    MovingModel m(model, seed);
    ActingForces<double> acting(m.mech, m.par);
    acting_forces<double, double>(m.mech, m.par, m.kin, {}, acting);
    const std::vector<Force<double>>& F_B = acting.F_B;
    double work = 0;
    for (std::size_t k = 1; k < F_B.size(); ++k) work += dot(m.kin.V_B[k], F_B[k]);
    MovingModel other = m;
    const auto potential = [&](double t) {
      other.move_to(m.q_at(t), m.v, m.vdot);
      return potential_energy(m.mech, m.par, other.poses);
    };
    const double size = 1 + std::abs(work) + std::abs(potential(0));
    EXPECT_NEAR(derivatives(potential).first, -work, richardson_tolerance * size);
  }
}

/// A satellite on a massless arm that turns about the centre itself: polar coordinates. With ω and distance r along the arm,
/// its force is −m·(ω²·r − mu/r²), its torque 2·m·r·ω·ṙ.
TEST(Gravity, OfAMasslessBodyAtTheCentreIsZero) {
  constexpr double mu = 1000, m = 10, r = 5, r_rate = 0.3, w = 0.7;
  Model model("polar");
  model.environment.gravity = CentralGravity{{0, 0, 0}, mu};
  model.add("arm", RigidBody{}).add("satellite", RigidBody{.mass = m});
  model.add("turn", Joint{.axis = {0, 0, 1}}, "world", "arm");
  model.add("distance", Joint{.kind = JointKind::prismatic, .axis = {1, 0, 0}}, "arm", "satellite");
  MovingModel moving(model, 1);
  moving.move_to({0.4, r}, {w, r_rate}, Numbers(2));
  ActingForces<double> acting(moving.mech, moving.par);
  acting_forces<double, double>(moving.mech, moving.par, moving.kin, {}, acting);
  NewtonEuler<double> scratch(moving.mech);
  Numbers tau(2);
  inverse_dynamics<double, double>(moving.mech, moving.par, moving.kin, moving.q, moving.v, moving.vdot,
                                   acting.F_applied(), scratch, tau);
  EXPECT_NEAR(tau[0], 2 * m * r * w * r_rate, 1e-12);
  EXPECT_NEAR(tau[1], m * (mu / (r * r) - w * w * r), 1e-12 * m * mu);
  EXPECT_NEAR((potential_energy(moving.mech, moving.par, moving.poses)), -mu * m / r, 1e-12 * mu);
  for (const double at : {0.0, 1.0}) {  // over other scalars, too, and in single precision
    const CentralField<Dual> duals{Vec3<Dual>::zero(), Dual(mu)};
    const Vec3<Dual> g = duals.acceleration(Vec3<Dual>{Dual(at, 1.0), Dual(0.0), Dual(0.0)});
    EXPECT_NEAR(g.x.x, at == 0 ? 0 : -mu, 1e-12 * mu);
    EXPECT_TRUE(std::isfinite(g.x.dx));
    const CentralField<float> floats{Vec3<float>::zero(), 3.986e14F};
    EXPECT_TRUE(std::isfinite(floats.acceleration(Vec3<float>{static_cast<float>(at), 0, 0}).x));
  }
}

}  // namespace
}  // namespace articula::test
