/// The network against the flat form, on random models of all joint kinds, in three representations.

#include <gtest/gtest.h>

#include <articula/build/singular_joints.h>
#include <articula/network/network.h>

#include "network/flat.h"
#include "support/findings.h"

namespace articula {
namespace {

using namespace test;

/// Normwise, relative: a few hundred roundings along each chain, and what cancels where forces of many bodies meet.
constexpr double rounding = 1e-12;

constexpr std::uint32_t models = 200;

RandomModelOptions with_everything() {
  RandomModelOptions options;
  options.bodies = 10;
  options.elements = 5;
  return options;
}

/// Nothing moves as told.
RandomModelOptions free_to_move() {
  RandomModelOptions options = with_everything();
  options.moving_frames = 0;
  return options;
}

/// Joints drawn next to each other may share a motion, which then has no acceleration.
bool is_regular(const Built& built, const Numbers& q) {
  return find_singular_joints(built.mechanism, built.parameters, q).empty();
}

std::string note(std::uint32_t seed, const std::string& representation) {
  return "seed " + std::to_string(seed) + ", " + representation + " representation";
}

/// Gears are not drawn, but joints that share a drive's shaft... are not either: every model is a tree.
TEST(Network, GivesTheTorquesOfTheFlatForm) {
  double worst = 0;
  for (std::uint32_t seed = 0; seed < models; ++seed) {
    const Model model = random_model(seed, with_everything());
    const Built built = build(model);
    const RandomState state(model, built, seed);
    const Numbers expected = flat_inverse(built, state.q, state.v, state.vdot, applied_forces(built, state.q)).tau;
    for (const auto& [representation, name] : representations()) {
      Network network(model, {.representation = representation, .implementations = {}});
      ASSERT_EQ(network.layout().q, built.mechanism.layout.q);
      Numbers tau(expected.size());
      network.inverse_dynamics(state.q, state.v, state.vdot, tau);
      EXPECT_LT(distance(tau, expected), rounding) << note(seed, name);
      worst = std::max(worst, distance(tau, expected));
    }
  }
  RecordProperty("worst", std::to_string(worst));
  std::printf("worst %g\n", worst);
}

TEST(Network, GivesTheAccelerationsOfTheFlatForm) {
  double worst = 0;
  int tested = 0;
  for (std::uint32_t seed = 0; seed < models; ++seed) {
    const Model model = random_model(seed, free_to_move());
    const Built built = build(model);
    const RandomState state(model, built, seed);
    if (!is_regular(built, state.q)) continue;
    ++tested;
    const Numbers expected = flat_forward(built, state.q, state.v, state.tau, applied_forces(built, state.q));
    for (const auto& [representation, name] : representations()) {
      Network network(model, {.representation = representation, .implementations = {}});
      Numbers vdot(expected.size());
      network.forward_dynamics(state.q, state.v, state.tau, vdot);
      const double gap = distance(vdot, expected) / condition(built, state.q);
      EXPECT_LT(gap, rounding) << note(seed, name);
      worst = std::max(worst, gap);
    }
  }
  std::printf("worst %g tested %d\n", worst, tested);
}

}  // namespace
}  // namespace articula
