// Solvers that share one mechanism compute as those that build their own.
#include <articula/solve/forward_dynamics.h>
#include <articula/solve/inverse_dynamics.h>

#include <gtest/gtest.h>

#include <articula/build/builder_counts.h>

#include "support/names.h"

namespace articula::test {
namespace {

Model arm() {
  const RigidBody link{.mass = 2, .com = {0, 0.1, -0.5}, .inertia = SymMat3<double>::identity()};
  Model model("arm");
  model.add("upper", link).add("fore", link);
  model.add("shoulder", Joint{.axis = y_axis}, "world", "upper");
  model.add("elbow", Joint{.axis = x_axis}, at("upper", {.xyz = {0, 0, -1}}), "fore");
  return model;
}

const std::vector<double> q{0.3, -0.8}, v{1, 2}, vdot{0.5, -1};

std::vector<double> torques_of(InverseDynamics& solver) {
  solver.update({.q = q, .v = v, .vdot = vdot});
  const VectorView tau = solver.compute();
  return {tau.begin(), tau.end()};
}

TEST(SharedSolvers, ComputeWithOneLowering) {
  Model model = arm();
  InverseDynamics own(model);
  const SharedMechanism shared(model);
  const std::uint64_t before = builder_counts().lowerings;
  InverseDynamics torques(model, {.mechanism = shared});
  ForwardDynamics accelerations(model, {.mechanism = shared});
  EXPECT_EQ(builder_counts().lowerings, before);
  EXPECT_EQ(&torques.mechanism(), &accelerations.mechanism());
  EXPECT_EQ(torques_of(torques), torques_of(own));

  model.at<RigidBody>("fore").mass = 5;
  InverseDynamics heavier(model, {.mechanism = shared.of(model)});
  EXPECT_EQ(builder_counts().lowerings, before);
  own.refresh(model);
  EXPECT_EQ(torques_of(heavier), torques_of(own));
}

TEST(SharedSolvers, AreRefreshedEachByItself) {
  Model model = arm();
  const SharedMechanism shared(model);
  InverseDynamics light(model, {.mechanism = shared}), heavy(model, {.mechanism = shared});
  const std::vector<double> before = torques_of(light);
  model.at<RigidBody>("fore").mass = 5;
  heavy.refresh(model);
  InverseDynamics own(model);
  EXPECT_EQ(torques_of(heavy), torques_of(own));
  EXPECT_EQ(torques_of(light), before);
}

TEST(SharedSolvers, LeaveTheSharedMechanismWhenTheyAreReconfigured) {
  Model model = arm();
  const SharedMechanism shared(model);
  InverseDynamics solver(model, {.mechanism = shared});
  torques_of(solver);
  model.at<Joint>("elbow").kind = JointKind::cylindrical;
  solver.reconfigure(model);
  EXPECT_EQ(solver.nv(), 3);
  EXPECT_EQ(shared.mechanism().nv, 2);
}

}  // namespace
}  // namespace articula::test
