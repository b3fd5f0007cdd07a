// Long functions are written as loops over repeated parts, and compute the same results.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <articula/base/error.h>
#include <articula/formats/load.h>
#include <articula/generate/compile.h>
#include <articula/generate/generate.h>
#include <articula/generate/internal/c_text.h>
#include <articula/generate/internal/rolled.h>
#include <articula/network/network.h>
#include <articula/solve/derivatives.h>

#include "network/flat.h"
#include "support/temporary_folder.h"

namespace articula::test {
namespace {

namespace fs = std::filesystem;
using test::distance;
using test::Numbers;
using testing::HasSubstr;

constexpr double tolerance = 1e-11;

RecordOptions in_loops() {
  RecordOptions options;
  options.most_in_straight_lines = 0;
  return options;
}

/// Links of the same structure with different numbers: inertia and placement of bodies are general.
Model snake(int links) {
  Model model("snake");
  std::string parent = "world";
  for (int k = 0; k < links; ++k) {
    const std::string name = "link" + std::to_string(k);
    const double wave = std::sin(k);
    RigidBody body;
    body.mass = 1 + 0.3 * wave;
    body.com = {0.02 * wave, 0.01, 0.05 - 0.01 * wave};
    body.inertia = {0.02, 0.003 * wave, -0.002, 0.03, 0.001, 0.01 + 0.004 * wave};
    model.add(name, body);
    model.add(name, Joint{.axis = k % 2 == 0 ? z_axis : y_axis}, at(parent, Place{.xyz = {0.01 * wave, 0, 0.1}}), name);
    parent = name;
  }
  return model;
}

/// A chain of links with the same structure, so that recordings are repetitive.
Model spiral(int links) {
  Model model("spiral");
  std::string parent = "world";
  for (int k = 0; k < links; ++k) {
    const std::string name = "link" + std::to_string(k);
    model.add(name,
              RigidBody{.mass = 1, .com = {0.02, 0.01, 0.03}, .inertia = {0.02, 0.003, -0.002, 0.03, 0.001, 0.01}});
    model.add(name, Joint{.axis = x_axis}, at(parent, Place{.xyz = {0.01, 0.05, 0.1}}), name);
    parent = name;
  }
  return model;
}

class Loops : public testing::Test {
 protected:
  void SetUp() override {
    if (std::system("command -v cc >/dev/null 2>&1") != 0) GTEST_SKIP() << "there is no C compiler";
  }

  const test::TemporaryFolder temporary;
  const fs::path& folder = temporary.path();
};

TEST_F(Loops, ComputeWhatTheNetworkComputes) {
  test::RandomModelOptions shape;
  shape.bodies = 8;
  shape.moving_frames = 0;
  shape.chained = 0;
  for (std::uint32_t seed = 1; seed <= 3; ++seed) {
    const Model model =
        seed == 1 ? load(ARTICULA_SOURCE_DIR "/models/quadruped.yaml") : test::random_model(seed, shape);
    const Built built = build_mechanism(model);
    const test::RandomState state(model, built, seed);
    network::Network network(model);
    Numbers expected(state.v.size()), tau(state.v.size()), back(state.v.size());
    network.inverse_dynamics(state.q, state.v, state.vdot, expected);

    const CompiledFunction torques(record(Algorithm::inverse_dynamics, built, in_loops()), {.cache = folder.string()});
    const CompiledFunction accelerations(record(Algorithm::forward_dynamics, built, in_loops()),
                                         {.cache = folder.string()});
    const double* given[] = {state.q.data(), state.v.data(), state.vdot.data()};
    double* out[] = {tau.data()};
    torques(given, out);
    EXPECT_LE(distance(tau, expected), tolerance) << "seed " << seed;
    const double* forces[] = {state.q.data(), state.v.data(), tau.data()};
    double* again[] = {back.data()};
    accelerations(forces, again);
    EXPECT_LE(distance(back, state.vdot), 1e-8) << "seed " << seed;
  }
}

TEST_F(Loops, ComputeTheDerivativesThatRecursionsCompute) {
  const Model model = load(ARTICULA_SOURCE_DIR "/models/quadruped.yaml");
  const Built built = build_mechanism(model);
  const test::RandomState state(model, built, 5);
  Derivatives flat(model, Derivatives::Of::forward_dynamics);
  flat.update({.q = state.q, .v = state.v, .tau = state.vdot});
  const auto& [dq, dv, du] = flat.compute();
  const MatrixView expected[] = {dq, dv, du};

  const RecordedFunction function = record(Algorithm::forward_dynamics_derivatives, built, in_loops());
  const CompiledFunction one(function, {.cache = folder.string()});
  const CompiledFunction eight(function, {.cache = folder.string(), .form = CompileOptions::Form::eight_doubles});
  constexpr std::size_t lanes = 8, nv = 18;
  Numbers single[3];
  lanes::LineVector<double> packs[3], given_packs[3];
  for (std::size_t a = 0; a < 3; ++a) {
    single[a].resize(nv * nv);
    packs[a].resize(nv * nv * lanes);
    const Numbers& given = a == 0 ? state.q : a == 1 ? state.v : state.vdot;
    for (const double x : given) given_packs[a].insert(given_packs[a].end(), lanes, x);
  }
  const double* in[] = {state.q.data(), state.v.data(), state.vdot.data()};
  double* out[] = {single[0].data(), single[1].data(), single[2].data()};
  one(in, out);
  const double* in_packs[] = {given_packs[0].data(), given_packs[1].data(), given_packs[2].data()};
  double* out_packs[] = {packs[0].data(), packs[1].data(), packs[2].data()};
  eight(in_packs, out_packs);
  for (std::size_t a = 0; a < 3; ++a) {
    Numbers flat_ones, lane;
    for (std::size_t i = 0; i < nv; ++i) {
      for (std::size_t j = 0; j < nv; ++j) {
        flat_ones.push_back(expected[a](static_cast<int>(i), static_cast<int>(j)));
        // Packs have the upper triangle of a symmetric matrix.
        const std::size_t entry = a == 2 && j < i ? j * nv + i : i * nv + j;
        lane.push_back(packs[a][entry * lanes + 5]);
      }
    }
    EXPECT_LE(distance(single[a], flat_ones), tolerance) << "array " << a;
    EXPECT_LE(distance(lane, flat_ones), tolerance) << "array " << a;
  }
}

TEST_F(Loops, ComputePacksOfStates) {
  const Model model = snake(12);
  const Built built = build_mechanism(model);
  const test::RandomState state(model, built, 4);
  Numbers expected(state.v.size());
  network::Network(model).inverse_dynamics(state.q, state.v, state.vdot, expected);
  const CompiledFunction torques(record(Algorithm::inverse_dynamics, built, in_loops()),
                                 {.cache = folder.string(), .form = CompileOptions::Form::eight_doubles});
  constexpr std::size_t lanes = 8, nv = 12;
  alignas(64) double q[nv * lanes], v[nv * lanes], vdot[nv * lanes], tau[nv * lanes];
  for (std::size_t k = 0; k < nv * lanes; ++k) {
    q[k] = state.q[k / lanes], v[k] = state.v[k / lanes], vdot[k] = state.vdot[k / lanes];
  }
  const double* in[] = {q, v, vdot};
  double* out[] = {tau};
  torques(in, out);
  for (std::size_t lane : {0u, 7u}) {
    Numbers of_lane(nv);
    for (std::size_t k = 0; k < nv; ++k) of_lane[k] = tau[k * lanes + lane];
    EXPECT_LE(distance(of_lane, expected), tolerance) << "lane " << lane;
  }
}

TEST_F(Loops, PassTheirOwnTestUnderStrictWarnings) {
  GenerateOptions options;
  options.algorithms = {Algorithm::forward_dynamics, Algorithm::mass_matrix};
  options.prefix = "snake";
  options.record.most_in_straight_lines = 1'000;
  options.test_states = 2;
  for (const GeneratedFile& file : generate_code(snake(24), options)) {
    std::ofstream(folder / file.name) << file.text;
    if (file.name == "README.md") {
      EXPECT_THAT(file.text,
                  HasSubstr("one thread at a time may call\n`snake_forward_dynamics`, `snake_mass_matrix`."));
    }
  }
  for (const std::string name : {"snake_forward_dynamics", "snake_mass_matrix"}) {
    const std::string command = "cd '" + folder.string() + "' && cc -std=c99 -Wall -Wextra -Werror -pedantic -O1 " +
                                name + ".c " + name + "_test.c -o t -lm && ./t >/dev/null";
    EXPECT_EQ(std::system(command.c_str()), 0) << name;
  }
}

TEST(Rolling, WritesCodeThatDoesNotGrowWithTheMechanism) {
  for (const auto& make : {snake, spiral}) {
    std::size_t routines[2];
    for (int k = 0; k < 2; ++k) {
      const RecordedFunction function = record(Algorithm::inverse_dynamics, build_mechanism(make(k == 0 ? 200 : 800)),
                                               {.most_in_straight_lines = 1'000});
      ASSERT_TRUE(function.in_loops);
      const RolledFunction rolled = roll(make_schedule(function));
      routines[k] = rolled.routines.size();
      EXPECT_LT(rolled.operations, 3'000);
    }
    EXPECT_EQ(routines[0], routines[1]);
  }
}

TEST(Rolling, WhatWasKeptTogetherIsReadByOneName) {
  const RecordedFunction function =
      record(Algorithm::forward_dynamics, build_mechanism(snake(200)), {.most_in_straight_lines = 1'000});
  std::size_t reads = 0, names = 0;
  const RolledFunction rolled = roll(make_schedule(function));
  for (const RoutineCall& call : rolled.calls) {
    reads += rolled.routines[static_cast<std::size_t>(call.routine)].reads.size();
    names += call.bases.size();
  }
  EXPECT_LT(5 * names, reads);
}

TEST(Rolling, ValuesMakeRoomForOthers) {
  const RecordedFunction function =
      record(Algorithm::forward_dynamics_derivatives,
             build_mechanism(load(ARTICULA_SOURCE_DIR "/models/quadruped.yaml")), in_loops());
  const RolledFunction rolled = roll(make_schedule(function));
  int values = 0;
  for (const RoutineCall& call : rolled.calls) {
    for (const int count : rolled.routines[static_cast<std::size_t>(call.routine)].values) values += count;
  }
  EXPECT_LT(2 * rolled.slots, values);
}

TEST(Rolling, ShortFunctionsStayStraight) {
  const Built built = build_mechanism(load(ARTICULA_SOURCE_DIR "/models/quadruped.yaml"));
  EXPECT_FALSE(record(Algorithm::forward_dynamics, built).in_loops);
  EXPECT_TRUE(record(Algorithm::forward_dynamics_derivatives, built).in_loops);
  EXPECT_FALSE(record(Algorithm::forward_dynamics_derivatives, built, {.many_states = true}).in_loops);
}

TEST(Rolling, AWorkspaceIsOnTheStackIfItFitsThere) {
  const auto code = [](int links, Workspace workspace) {
    return c_source(record(Algorithm::inverse_dynamics, build_mechanism(snake(links)), in_loops()), "torques",
                    workspace);
  };
  EXPECT_THAT(code(20, Workspace::of_caller), HasSubstr("\n  double workspace[SLOTS];"));
  EXPECT_THAT(code(3'000, Workspace::of_caller), HasSubstr("\n  static __thread double workspace[SLOTS];"));
  EXPECT_THAT(code(20, Workspace::as_compiled), HasSubstr("\n  ARTICULA_WORKSPACE double workspace[SLOTS];"));
}

TEST(Rolling, AThreadOfAGpuGetsNoLoops) {
  GenerateOptions options;
  options.algorithms = {Algorithm::inverse_dynamics};
  options.target = Target::cuda;
  options.record.most_in_straight_lines = 1'000;
  try {
    generate_code(snake(20), options);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), "generate-too-large");
    EXPECT_THAT(error.message(),
                HasSubstr("a thread of a GPU gets no loops. Generate C or C++, or run batched on the CPU."));
  }
}

TEST(Rolling, CodeThatRepeatsTooLittleIsRefused) {
  GenerateOptions options;
  options.algorithms = {Algorithm::forward_dynamics};
  options.record.most_in_straight_lines = 1'000;
  options.most_operations = 500;
  try {
    generate_code(load(ARTICULA_SOURCE_DIR "/models/quadruped.yaml"), options);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), "generate-too-large");
    EXPECT_THAT(error.message(), HasSubstr("what repeats written once"));
    EXPECT_THAT(error.message(), HasSubstr("500 are allowed"));
  }
}

TEST(Rolling, AJointThatMovesNoMassIsRefused) {
  Model model("pin");
  model.add("pin", RigidBody{});
  model.add("pin", Joint{.axis = z_axis}, "world", "pin");
  try {
    record(Algorithm::forward_dynamics, build_mechanism(model));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), "generate-not-available");
    EXPECT_EQ(
        error.message(),
        "forward_dynamics of \"pin\" is not generated: it divides by zero, since joint \"pin\" moves nothing that "
        "has inertia. Give the bodies beyond it mass, or fix the joint.");
  }
}

/// Gears of ratio 1e50 in a row: the last joint's mass weighs 1e50·(1e150)² on the first, beyond the largest double.
TEST(Rolling, NumbersThatOverflowAreRefused) {
  Model model("tower");
  for (int k = 0; k < 4; ++k) {
    const std::string name = "block" + std::to_string(k);
    model.add(name, RigidBody{.mass = 1e50});
    model.add("slide" + std::to_string(k), Joint{.kind = JointKind::prismatic}, "world", name);
  }
  for (int k = 0; k < 3; ++k) {
    model.add("gear" + std::to_string(k), Gear{.ratio = {{1e50}}}, "slide" + std::to_string(k + 1),
              "slide" + std::to_string(k));
  }
  try {
    record(Algorithm::mass_matrix, build_mechanism(model));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), "generate-not-available");
    EXPECT_EQ(
        error.message(),
        "mass_matrix of \"tower\" is not generated: with the numbers of the model, an intermediate result is inf. "
        "Look for masses, lengths or gear ratios that are extremely large or small.");
  }
}

}  // namespace
}  // namespace articula::test
