/// What batches refuse, word by word; and that what is refused changes nothing.

#include <articula/batch/batch.h>

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <articula/base/error.h>
#include <articula/formats/load.h>

#include "support/random_state.h"

namespace articula::test {
namespace {

using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

constexpr int states = 3;

/// What the action throws.
template <class F>
std::string error_of(F&& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing thrown";
}

/// Two flywheels on parallel axes: joints ja and jb.
Model flywheels() {
  Model model("flywheels");
  for (const char* name : {"a", "b"}) {
    model.add(name, RigidBody{.mass = 1, .inertia = SymMat3<double>::diagonal(0.1, 0.1, 0.4)});
    model.add(std::string("j") + name, Joint{.axis = z_axis}, at("world", {.xyz = {name[0] == 'a' ? 0.0 : 1.0, 0, 0}}),
              name);
  }
  return model;
}

/// As many numbers as `states` states have, all zero.
Numbers zeros(int width) { return Numbers(static_cast<std::size_t>(states * width)); }

TEST(BatchRefuses, ANumberOfStatesThatIsNone) {
  EXPECT_EQ(
      error_of([] { BatchedMassMatrix(flywheels(), 0); }),
      "BatchedMassMatrix: a batch of 0 states. It takes 1 to 1000000000; compute more of them in several batches.  "
      "[batch-states]");
  EXPECT_THAT(error_of([] { BatchedInverseDynamics<float>(flywheels(), -7); }),
              StartsWith("BatchedInverseDynamics: a batch of -7 states. "));
  EXPECT_THAT(error_of([] { BatchedForwardDynamics(flywheels(), 1'000'000'001); }), EndsWith("[batch-states]"));
}

Model chain(int links) {
  Model model("chain");
  std::string parent = "world";
  for (int k = 0; k < links; ++k) {
    const std::string name = "b" + std::to_string(k);
    model.add(name, RigidBody{.mass = 1, .inertia = SymMat3<double>::diagonal(1, 1, 1)});
    model.add("j" + std::to_string(k), Joint{.axis = z_axis}, at(parent, {.xyz = {1, 0, 0}}), name);
    parent = name;
  }
  return model;
}

/// 4 million numbers a matrix, 96 MB a state.
TEST(BatchRefuses, MoreThanTheMemoryOfTheMachine) {
  EXPECT_THAT(
      error_of([] { BatchedForwardDynamicsDerivatives(chain(2000), 1'000'000'000); }),
      AllOf(StartsWith("BatchedForwardDynamicsDerivatives of \"chain\": 1000000000 states need 96048000 GB, and "
                       "this machine has "),
            EndsWith(". Compute them in several batches.  [batch-too-large]")));
}

TEST(BatchRefuses, MatricesThatAreTooLarge) {
  EXPECT_EQ(error_of([] { BatchedMassMatrix(chain(40'000), 1, {.instructions = InstructionSet::baseline}); }),
            "BatchedMassMatrix of \"chain\": one result of a state has 1600000000 numbers, and a batch takes at most "
            "1073741823. Use the flat solver.  [batch-too-large]");
}

TEST(BatchRefuses, ANumberOfThreadsThatIsNone) {
  EXPECT_EQ(error_of([] { BatchedMassMatrix(flywheels(), states, {.threads = -2}); }),
            "BatchedMassMatrix: a batch on -2 threads. Give 1 to 4096, or 0 for one on each core.  [batch-threads]");
  EXPECT_THAT(error_of([] { BatchedMassMatrix(flywheels(), states, {.threads = 4097}); }),
              HasSubstr("a batch on 4097 threads. "));
}

TEST(BatchRefuses, InstructionsThatTheProcessorLacks) {
  for (const InstructionSet set : {InstructionSet::avx2, InstructionSet::avx512}) {
    if (is_available(set)) continue;
    EXPECT_EQ(error_of([&] { BatchedMassMatrix(flywheels(), states, {.instructions = set}); }),
              "BatchedMassMatrix: this processor does not have the instructions \"" + std::string(to_text(set)) +
                  "\". It has \"" + std::string(to_text(best_instruction_set())) +
                  "\"; leave the choice to the batch.  [batch-instructions]");
  }
}

TEST(BatchRefuses, StepsThatDoNotGoForward) {
  const auto rollout = [](double step, int steps) {
    return error_of([&] { BatchedRollout(flywheels(), states, {.step = step, .steps = steps}); });
  };
  EXPECT_EQ(
      rollout(0, 5),
      "BatchedRollout: a rollout of 5 steps of 0 s. It needs at least one step, of a finite time longer than zero, "
      "such as 0.001 s.  [rollout-step]");
  EXPECT_THAT(rollout(-0.5, 1), HasSubstr("a rollout of 1 step of -0.5 s. "));
  EXPECT_THAT(rollout(std::nan(""), 2), HasSubstr("a rollout of 2 steps of nan s. "));
  EXPECT_THAT(rollout(INFINITY, 2), HasSubstr("a rollout of 2 steps of inf s. "));
  EXPECT_THAT(rollout(0.001, 0), EndsWith("[rollout-step]"));
}

TEST(BatchRefuses, Loops) {
  EXPECT_THAT(
      error_of([] { BatchedMassMatrix(load(ARTICULA_SOURCE_DIR "/models/four_bar.yaml"), states); }),
      AllOf(StartsWith("BatchedMassMatrix of \"four_bar\": joint \"B1\" "),
            EndsWith("closes a loop or ties velocities, and this version computes trees only. Take it away to compute "
                     "the tree that is left.  [loop-not-computed]")));
}

TEST(BatchRefuses, HeldJoints) {
  Model model = flywheels();
  model.exterior.joints = {"ja"};
  EXPECT_EQ(
      error_of([&] { BatchedForwardDynamics(model, states); }),
      "BatchedForwardDynamics of \"flywheels\": joint \"jb\" is held, since `exterior` leaves it out, and batches "
      "compute joints that move. Expose all joints, or use the flat solver.  [batch-not-computed]");
  model.exterior.joints = {"jb", "ja"};
  EXPECT_EQ(BatchedForwardDynamics(model, states).v_names()[0], "ja");  // in the mechanism's own order
}

TEST(BatchRefuses, PrescribedMotionWhereAccelerationsAreComputed) {
  Model model = flywheels();
  model.add("plinth", ReferenceFrame{.motion = FrameMotion::prescribed});
  model.add("c", RigidBody{.mass = 1, .inertia = SymMat3<double>::diagonal(1, 1, 1)});
  model.add("jc", Joint{.axis = z_axis}, "plinth", "c");
  EXPECT_THAT(error_of([&] { BatchedForwardDynamics(model, states); }),
              AllOf(StartsWith("BatchedForwardDynamics of \"flywheels\": \"plinth"),
                    EndsWith("is prescribed, and batches compute the accelerations of free joints only. Use the flat "
                             "solver.  [batch-not-computed]")));
  EXPECT_EQ(error_of([&] { BatchedInverseDynamics(model, states); }), "nothing thrown");
}

TEST(BatchRefuses, JointsThatMoveNothing) {
  Model model = flywheels();
  model.at<RigidBody>("b") = RigidBody{};
  EXPECT_THAT(error_of([&] { BatchedForwardDynamics(model, states); }),
              AllOf(HasSubstr("\"jb\""), EndsWith("[joint-inertia-singular]")));
  EXPECT_EQ(error_of([&] { BatchedInverseDynamics(model, states); }), "nothing thrown");
}

TEST(BatchRefuses, FramesThatAreNot) {
  const std::vector<PortRef> frames{{"hand", "tip"}};
  EXPECT_THAT(error_of([&] { BatchedKinematics(flywheels(), states, frames); }),
              AllOf(HasSubstr("frame \"hand.tip\" not found in \"flywheels\""), EndsWith("[no-such-frame]")));
}

TEST(BatchRefuses, NumbersThatAreTooManyOrTooFew) {
  BatchedForwardDynamics forward(flywheels(), states);
  EXPECT_EQ(error_of([&] { forward.update({.q = Numbers(5)}); }),
            "BatchedForwardDynamics: q has 5 numbers, but 3 states of 2 need 6, state after state, each in this order: "
            "ja, jb.  [batch-size]");
  EXPECT_THAT(error_of([&] { forward.update({}); }), HasSubstr("q has 0 numbers, but 3 states of 2 need 6"));
  EXPECT_THAT(error_of([&] { forward.update({.q = zeros(2), .v = Numbers(7)}); }), HasSubstr(": v has 7 numbers"));
  EXPECT_THAT(error_of([&] { forward.update({.q = zeros(2), .tau = Numbers(2)}); }), HasSubstr(": tau has 2 numbers"));
  Numbers few(5);
  EXPECT_EQ(error_of([&] { forward.compute().store(few); }),
            "a place for 5 numbers, but 3 states of 2 have 6. Give as many, state after state.  [batch-size]");
  EXPECT_THAT(error_of([&] { forward.q().load(few); }), EndsWith("[batch-size]"));
}

TEST(BatchRefuses, NumbersThatAreNotFinite) {
  BatchedForwardDynamics forward(flywheels(), states);
  Numbers bad = zeros(2);
  bad[5] = std::nan("");
  EXPECT_EQ(error_of([&] { forward.update({.q = zeros(2), .v = bad}); }),
            "BatchedForwardDynamics: v of state 2, entry 1, \"jb\", is nan. Only finite numbers are allowed.  "
            "[batch-not-finite]");
  bad[5] = 0, bad[0] = -INFINITY;
  EXPECT_THAT(error_of([&] { forward.update({.q = bad}); }),
              HasSubstr("q of state 0, entry 0, \"ja\", is -inf. Only finite numbers are allowed."));
  forward.q()(1, 0) = INFINITY;
  EXPECT_THAT(error_of([&] { forward.check(); }), HasSubstr("q of state 1, entry 0, \"ja\", is inf."));
}

TEST(BatchRefuses, NumbersThatItDoesNotRead) {
  BatchedForwardDynamics forward(flywheels(), states);
  BatchedInverseDynamics inverse(flywheels(), states);
  BatchedMassMatrix mass(flywheels(), states);
  EXPECT_EQ(error_of([&] { forward.update({.q = zeros(2), .vdot = zeros(2)}); }),
            "BatchedForwardDynamics: vdot has no part in it. It takes q, v, tau; leave the rest empty.  [batch-input]");
  EXPECT_THAT(error_of([&] { inverse.update({.q = zeros(2), .tau = zeros(2)}); }),
              HasSubstr("tau has no part in it. It takes q, v, vdot; leave the rest empty."));
  EXPECT_THAT(error_of([&] { mass.update({.q = zeros(2), .tau = zeros(2)}); }), HasSubstr("It takes q; leave"));
}

TEST(BatchRefuses, QuaternionsWithoutUnitLength) {
  const Model model = floating_model(4);
  BatchedForwardDynamics forward(model, states);
  Numbers q;
  for (int i = 0; i < states; ++i) {
    const Numbers one = to_q(build_mechanism(model).mechanism, random_coordinates(model, 4));
    q.insert(q.end(), one.begin(), one.end());
  }
  EXPECT_EQ(error_of([&] { forward.update({.q = q}); }), "nothing thrown");
  for (std::size_t k = 3; k < 7; ++k) q[static_cast<std::size_t>(2 * forward.nq()) + k] *= 1.5;
  EXPECT_EQ(error_of([&] { forward.update({.q = q}); }),
            "BatchedForwardDynamics: the quaternion \"free.qx\" to \"free.qw\" of state 2 has length 1.5. It must be 1 "
            "within 1e-06; divide it by its length.  [batch-quaternion]");
}

TEST(BatchRefuses, ParametersForOneStateOfManyThatShareThem) {
  BatchedMassMatrix shared(flywheels(), states), own(flywheels(), states, {.own_parameters = true});
  EXPECT_EQ(
      error_of([&] { shared.refresh(1, flywheels()); }),
      "BatchedMassMatrix: all states share one set of parameters. Make the batch with `own_parameters`, or refresh "
      "all of them.  [batch-shared-parameters]");
  EXPECT_EQ(error_of([&] { own.refresh(3, flywheels()); }),
            "BatchedMassMatrix: there is no state 3. States 0 to 2 are there; make a larger batch.  "
            "[batch-no-such-state]");
  EXPECT_THAT(error_of([&] { own.refresh(-1, flywheels()); }), HasSubstr("there is no state -1. "));
}

TEST(BatchRefuses, AnotherStructure) {
  Model other = flywheels();
  other.add("c", RigidBody{.mass = 1});
  BatchedMassMatrix mass(flywheels(), states);
  EXPECT_THAT(error_of([&] { mass.refresh(other); }), EndsWith("[structure-changed]"));
}

TEST(BatchRefuses, WithoutChangingAnything) {
  BatchedForwardDynamics forward(flywheels(), states);
  const Numbers q{1, 2, 3, 4, 5, 6}, v{0.1, 0.2, 0.3, 0.4, 0.5, 0.6}, tau{6, 5, 4, 3, 2, 1};
  forward.update({.q = q, .v = v, .tau = tau});
  Numbers before(6), after(6), bad = q;
  forward.compute().store(before);
  bad[4] = std::nan("");
  error_of([&] { forward.update({.q = bad, .v = tau, .tau = v}); });
  error_of([&] { forward.update({.q = tau, .v = bad, .tau = v}); });
  error_of([&] { forward.update({.q = tau, .v = v, .vdot = q}); });
  forward.compute().store(after);
  EXPECT_EQ(after, before);
}

}  // namespace
}  // namespace articula::test
