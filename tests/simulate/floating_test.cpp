/// Fixed steps of bodies whose velocities refer to axes that turn.

#include <gtest/gtest.h>

#include <cmath>

#include <articula/batch/batch.h>

#include "simulate/runs.h"

namespace articula::test {
namespace {

using Numbers = std::vector<double>;

SimulationOptions semi_implicit(double step, double until, double every) {
  return {.integrator = {.method = Method::semi_implicit, .step = step}, .until = until, .output_every = every};
}

Model body(const SymMat3<double>& inertia) {
  Model model("body");
  model.add("b", RigidBody{.mass = 2, .inertia = inertia});
  model.add("free", Joint{.kind = JointKind::free}, "world", "b");
  model.environment.gravity = UniformGravity{{0, 0, 0}};
  return model;
}

/// A floating base with a leg on a hinge, a leg on a ball joint, and a foot on a hinge.
Model base_with_legs(const Vec3<double>& gravity) {
  Model model("legs");
  model.add("base", RigidBody{.mass = 3, .com = {0.02, 0, 0.01}, .inertia = SymMat3<double>::diagonal(0.1, 0.2, 0.25)});
  model.add("free", Joint{.kind = JointKind::free}, "world", "base");
  model.add("left",
            RigidBody{.mass = 0.5, .com = {0, 0, -0.2}, .inertia = SymMat3<double>::diagonal(0.02, 0.02, 0.005)});
  model.add("hip", Joint{.axis = y_axis}, at("base", {.xyz = {0.2, 0.1, 0}}), "left");
  model.add("foot",
            RigidBody{.mass = 0.2, .com = {0, 0.05, -0.1}, .inertia = SymMat3<double>::diagonal(0.01, 0.01, 0.01)});
  model.add("knee", Joint{.axis = x_axis}, at("left", {.xyz = {0, 0, -0.4}}), "foot");
  model.add("right",
            RigidBody{.mass = 0.7, .com = {0.1, 0, -0.2}, .inertia = SymMat3<double>::diagonal(0.03, 0.02, 0.02)});
  model.add("ball", Joint{.kind = JointKind::spherical}, at("base", {.xyz = {-0.2, 0, 0}}), "right");
  model.environment.gravity = UniformGravity{gravity};
  return model;
}

/// Position, orientation; hinges in the order of the mechanism, the ball's quaternion.
StartState start_of(System& system, const Numbers& v) {
  Numbers q(system.q_names().size());
  for (std::size_t k = 0; k < q.size(); ++k) {
    const std::string& name = system.q_names()[k];
    q[k] = name.ends_with("qw") ? 1 : name == "hip" ? 0.3 : name == "knee" ? -0.5 : 0;
  }
  return {.q = q, .v = v};
}

Vec3<double> in_world(const KeptRows& rows, const std::vector<double>& row, const Vec3<double>& x) {
  const auto at = [&](const char* name) { return row[rows.place(name)]; };
  return rotation_of(Quaternion<double>{at("q.free.qx"), at("q.free.qy"), at("q.free.qz"), at("q.free.qw")}) * x;
}

/// 3 m/s and 10 rad/s: x = 3·t, whatever it spins like.
TEST(FixedSteps, KeepTheVelocityOfABallInWorld) {
  const auto system = make_system(body(SymMat3<double>::diagonal(0.1, 0.1, 0.1)), {});
  const Ran ran = run(*system, {.v = Numbers{3, 0, 0, 2, 4, std::sqrt(80)}}, semi_implicit(2e-3, 200, 1));
  EXPECT_EQ(ran.outcome.counts.steps, 100'000);
  double worst_v = 0, worst_x = 0;
  for (const auto& row : ran.rows.rows) {
    const auto at = [&](const char* name) { return row[ran.rows.place(name)]; };
    const Vec3<double> v = in_world(ran.rows, row, {at("v.free.vx"), at("v.free.vy"), at("v.free.vz")});
    worst_v = std::max({worst_v, std::abs(v.x - 3), std::abs(v.y), std::abs(v.z)});
    worst_x = std::max({worst_x, std::abs(at("q.free.x") - 3 * row[0]), std::abs(at("q.free.y"))});
  }
  EXPECT_LT(worst_v, 1e-12);
  EXPECT_LT(worst_x, 1e-8);
}

/// Energy and momentum of a force-free body are constant.  [Euler]
TEST(FixedSteps, KeepEnergyAndMomentumOfATumblingBody) {
  for (const Numbers& w : {Numbers{5, 7, 5.1}, Numbers{1, 9.9, 1}, Numbers{9, 2, 3.9}, Numbers{2, 3, 9.3}}) {
    const auto system = make_system(body(SymMat3<double>::diagonal(1, 2, 3)), {});
    const Ran ran = run(*system, {.v = Numbers{0, 0, 0, w[0], w[1], w[2]}}, semi_implicit(2e-3, 20, 0.05));
    const Vec3<double> L0{w[0], 2 * w[1], 3 * w[2]};
    for (const auto& row : ran.rows.rows) {
      const auto at = [&](const char* name) { return row[ran.rows.place(name)]; };
      EXPECT_NEAR(at("energy.kinetic") / ran.rows.rows[0][ran.rows.place("energy.kinetic")], 1, 1e-4);
      const Vec3<double> L_B{at("v.free.wx"), 2 * at("v.free.wy"), 3 * at("v.free.wz")};
      EXPECT_NEAR(norm(L_B) / norm(L0), 1, 1e-4);
      // The direction errs by h·ω/2 at most, and does not drift.
      EXPECT_LT(norm(in_world(ran.rows, row, L_B) - L0) / norm(L0), 0.011);
    }
  }
}

/// Against the same motion at 1e-12: half the step, half the error.
TEST(FixedSteps, ConvergeToFirstOrderOnAFloatingTree) {
  const auto system = make_system(base_with_legs({0, 0, -9.81}), {});
  const Numbers v{1, -2, 3, 4, -3, 2, 1, -2, 0.5, 1, -1};
  const StartState start = start_of(*system, v);
  const Ran exact =
      run(*system, start, {.integrator = {.method = Method::rk45, .relative = 1e-12, .absolute = 1e-12}, .until = 0.5});
  Numbers errors;
  for (const double step : {4e-4, 2e-4, 1e-4}) {
    const Ran ran = run(*system, start, semi_implicit(step, 0.5, 0.5));
    double error = 0;
    for (std::size_t k = 0; k < ran.outcome.y.size(); ++k) {
      error = std::max(error, std::abs(ran.outcome.y[k] - exact.outcome.y[k]));
    }
    errors.push_back(error);
  }
  EXPECT_LT(errors[2], 0.01);
  EXPECT_NEAR(errors[0] / errors[1], 2, 0.1);
  EXPECT_NEAR(errors[1] / errors[2], 2, 0.1);
}

/// A tree that tumbles without forces: legs swing, energy stays.
TEST(FixedSteps, KeepTheEnergyOfATumblingTree) {
  const auto system = make_system(base_with_legs({0, 0, 0}), {});
  const Ran ran = run(*system, start_of(*system, {1, 0, 0, 2, 3, 9, 0, 0, 0, 0, 0}), semi_implicit(1e-3, 20, 0.05));
  const Numbers energy = ran.rows.column("energy.kinetic");
  for (const double each : energy) EXPECT_NEAR(each / energy[0], 1, 0.05);
}

/// A run and a batch take the same steps.
TEST(FixedSteps, AreTheSameInRunsAndBatches) {
  const Model model = base_with_legs({0, 0, -9.81});
  const auto system = make_system(model, {});
  const StartState start = start_of(*system, {1, -2, 3, 4, -3, 2, 1, -2, 0.5, 1, -1});
  const Ran ran = run(*system, start, semi_implicit(1e-3, 0.3, 0.3));
  BatchedRollout batch(model, 1, {.step = 1e-3, .steps = 300});
  batch.update({.q = *start.q, .v = *start.v});
  batch.compute();
  for (int k = 0; k < batch.q().width(); ++k) {
    EXPECT_NEAR(batch.q()(0, k), ran.outcome.y[static_cast<std::size_t>(k)], 1e-11);
  }
}

}  // namespace
}  // namespace articula::test
