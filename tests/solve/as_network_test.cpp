/// Solvers that run entity by entity take loads, give all forces and tell what is singular, as the flat ones do.

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <articula/articula.h>

#include "support/random_state.h"

namespace articula::test {
namespace {

constexpr double rounding = 1e-10;
constexpr int mechanisms = 30;

Numbers copy(VectorView x) { return {x.begin(), x.end()}; }

/// Loads at every kind of frame there is, in World's axes, in those of the frame, in any.
std::vector<Load> loads_of(const Mechanism& mech, Random& random) {
  std::vector<Load> loads;
  const int frames = static_cast<int>(mech.frames.size());
  for (int frame = 0; frame < frames; ++frame) {
    const int axes = random.below(3);
    loads.push_back({frame, {random.vec3(), random.vec3()}, axes == 0 ? 0 : axes == 1 ? frame : random.below(frames)});
  }
  return loads;
}

TEST(AsNetwork, TakesLoadsAtEveryFrame) {
  for (std::uint32_t seed = 1; seed <= mechanisms; ++seed) {
    RandomModelOptions options;
    options.chained = 0;
    options.elements = 0;
    const Model model = random_model(seed, options);
    InverseDynamics flat(model), network(model, {.run_as = RunAs::network});
    Random random(seed);
    const Numbers q = to_q(flat.mechanism(), random_coordinates(model, seed));
    Numbers v, vdot;
    for (int k = 0; k < flat.nv(); ++k) v.push_back(random.number()), vdot.push_back(random.number());
    const std::vector<Load> loads = loads_of(flat.mechanism(), random);
    const State loaded{.q = q, .v = v, .vdot = vdot, .loads = loads}, bare{.q = q, .v = v, .vdot = vdot};
    for (const State& state : {loaded, bare, loaded}) {
      flat.update(state);
      network.update(state);
      EXPECT_LT(distance(copy(network.compute()), copy(flat.compute())), rounding) << "seed " << seed;
    }
    // New numbers or a new structure, same loads.
    network.refresh(model);
    EXPECT_LT(distance(copy(network.compute()), copy(flat.compute())), rounding) << "seed " << seed;
    network.reconfigure(model);
    EXPECT_LT(distance(copy(network.compute()), copy(flat.compute())), rounding) << "seed " << seed;
  }
}

TEST(AsNetwork, GivesAllForcesOfPrescribedMotionUnderLoads) {
  for (std::uint32_t seed = 1; seed <= mechanisms; ++seed) {
    RandomModelOptions options;
    options.chained = 0;
    const Model model = random_model(seed, options);  // with a frame that moves as told
    ForwardDynamics flat(model), network(model, {.run_as = RunAs::network});
    Random random(seed);
    const Numbers q = to_q(flat.mechanism(), random_coordinates(model, seed));
    Numbers v, vdot, tau;
    for (int k = 0; k < flat.nv(); ++k) {
      v.push_back(random.number()), vdot.push_back(random.number()), tau.push_back(random.number());
    }
    const std::vector<Load> loads = loads_of(flat.mechanism(), random);
    const State state{.q = q, .v = v, .vdot = vdot, .tau = tau, .loads = loads};
    flat.update(state);
    network.update(state);
    const Numbers expected = copy(flat.compute());
    EXPECT_LT(distance(copy(network.compute()), expected), 1e-8) << "seed " << seed;
    EXPECT_LT(distance(copy(network.tau()), copy(flat.tau())), 1e-8) << "seed " << seed;
  }
}

TEST(AsNetwork, ReportsASingularJointAndKeepsTheLastGoodResult) {
  // A point mass on the axis of the second joint when it is stretched out, and nowhere else.
  Model arm("arm");
  arm.add("near", RigidBody{.mass = 1, .com = {0.5, 0, 0}, .inertia = SymMat3<double>::diagonal(0.1, 0.1, 0.1)});
  arm.add("bar", RigidBody{});
  arm.add("far", RigidBody{.mass = 1});
  arm.add("first", Joint{.axis = z_axis}, "world", "near");
  arm.add("second", Joint{.axis = x_axis}, at("near", {.xyz = {1, 0, 0}}), "bar");
  arm.add("third", Joint{.axis = z_axis, .start = {1.0}}, "bar", at("far", {.xyz = {-1, 0, 0}}));
  ForwardDynamics motion(arm, {.run_as = RunAs::network});
  motion.update({.q = Numbers{0, 0, 1}, .tau = Numbers{1, 2, 3}});
  const Numbers good = copy(motion.compute());
  EXPECT_TRUE(motion.report().ok());
  EXPECT_THAT(copy(motion.tau()), testing::ElementsAre(1, 2, 3));
  motion.update({.q = Numbers{0, 0, 0}, .tau = Numbers{1, 2, 3}});
  EXPECT_EQ(copy(motion.compute()), good);
  EXPECT_FALSE(motion.report().ok());
  EXPECT_THAT(to_text(motion.report()), testing::HasSubstr("joint \"second\" moves nothing that has inertia"));
}

}  // namespace
}  // namespace articula::test
