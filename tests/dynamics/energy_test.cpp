// Energies against the mass matrix, against closed forms, and their rate against the power that is put in.

#include <articula/dynamics/acting_forces.h>
#include <articula/dynamics/energy.h>
#include <articula/dynamics/inverse_dynamics.h>
#include <articula/dynamics/mass_matrix.h>

#include "dynamics/moving_model.h"

namespace articula::test {
namespace {

constexpr double rounding = 1e-12;  ///< relative
constexpr std::uint32_t models = 80;

double kinetic_energy_of(const MovingModel& m) { return kinetic_energy<double, double>(m.mech, m.par, m.kin, m.v); }

TEST(KineticEnergy, IsThatOfTheMassMatrix) {
  for_moving_models(models, [](const MovingModel& m) {
    CompositeBody<double> scratch(m.mech);
    Numbers M(static_cast<std::size_t>(m.mech.nv * m.mech.nv));
    mass_matrix<double, double>(m.mech, m.par, m.kin, scratch, M);
    const double expected = m.mech.nv == 0 ? 0 : 0.5 * vector(m.v).dot(matrix(M, m.mech.nv) * vector(m.v));
    EXPECT_NEAR(kinetic_energy_of(m), expected, rounding * (1 + expected));
  });
}

/// Of a point of mass m at distance l: ½·m·l²·w², and −m·g·l·cos q below the pivot.
TEST(Energy, OfAPendulumIsTheTextbooks) {
  Model model("pendulum");
  model.add("bob", RigidBody{.mass = 3, .com = {0, 0, -0.5}});
  model.add("pivot", Joint{.axis = y_axis}, "world", "bob");
  MovingModel m(model, 1);
  m.move_to({0.4}, {1.5}, {0});
  EXPECT_NEAR(kinetic_energy_of(m), 0.5 * 3 * 0.25 * 2.25, 1e-15);
  EXPECT_NEAR(potential_energy(m.mech, m.par, m.poses), -3 * 9.81 * 0.5 * std::cos(0.4), 1e-14);
}

TEST(Energy, OfASatelliteIsTheTextbooks) {
  Model model("satellite");
  model.environment.gravity = CentralGravity{{0, 0, 0}, 3.986e14};
  model.add("hull", RigidBody{.mass = 2, .com = {1, 0, 0}, .inertia = SymMat3<double>::identity()});
  model.add("orbit", Joint{.kind = JointKind::free}, "world", "hull");
  MovingModel m(model, 1);
  m.move_to({7e6, 0, 0, 0, 0, 0, 1}, {0, 7e3, 0, 0, 0, 0}, Numbers(6));
  EXPECT_NEAR(kinetic_energy_of(m), 7e3 * 7e3, 1e-7);
  EXPECT_NEAR(potential_energy(m.mech, m.par, m.poses), -3.986e14 * 2 / 7000001, 1e-7);
}

/// d(T + U)/dt along a motion, by differences, is tauᵀ·v + Σ Fᵀ·V with the torques of inverse dynamics.
void check_power(MovingModel& m, std::uint32_t seed) {
  Random random(seed);
  const std::size_t bodies = m.mech.bodies.size();
  std::vector<Force<double>> given(bodies), all(bodies);
  ActingForces<double> acting(m.mech, m.par);
  acting_forces<double, double>(m.mech, m.par, m.kin, {}, acting);
  for (std::size_t k = 1; k < bodies; ++k) {
    given[k] = {random.vec3(), random.vec3()};
    all[k] = given[k] + acting.F_B[k];
  }
  NewtonEuler<double> scratch(m.mech);
  Numbers tau(m.v.size());
  inverse_dynamics<double, double>(m.mech, m.par, m.kin, m.q, m.v, m.vdot, all, scratch, tau);
  const double put_in = power<double>(m.kin, m.v, tau, given);

  MovingModel other = m;
  const auto potential = [&](double t) {
    other.move_to(m.q_at(t), m.v, m.vdot);
    return potential_energy(m.mech, m.par, other.poses);
  };
  // Along straight steps of v, since kinetic energy needs the velocity there: T(q(t), v + vdot·t). The velocity of
  // q_at is that to first order only, which is enough for the first derivative of T along it.
  const auto kinetic = [&](double t) {
    Numbers v = m.v;
    for (std::size_t k = 0; k < v.size(); ++k) v[k] += m.vdot[k] * t;
    other.move_to(m.q_at(t), v, m.vdot);
    return kinetic_energy<double, double>(m.mech, m.par, other.kin, v);
  };
  const double rate = derivatives(potential).first + derivatives(kinetic).first;
  EXPECT_NEAR(put_in, rate, richardson_tolerance * (1 + std::abs(rate) + kinetic_energy_of(m)));
}

TEST(Energy, GrowsByThePowerPutIn) {
  for_moving_models(models, [](MovingModel& m) { check_power(m, 5); });
}

TEST(Energy, GrowsByThePowerPutInUnderCentralGravity) {
  for (std::uint32_t seed = 1; seed <= models && !HasFailure(); ++seed) {
    SCOPED_TRACE(concat("seed ", seed));
    Model model = random_model(seed, tree_options(seed));
    model.environment.gravity = CentralGravity{{20, 30, -10}, 1000};
    MovingModel m(model, seed);
    check_power(m, seed);
  }
}

}  // namespace
}  // namespace articula::test
