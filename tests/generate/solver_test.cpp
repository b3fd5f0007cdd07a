// Solvers that run as generated code: the same answers through the same interface.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <articula/base/error.h>
#include <articula/formats/load.h>
#include <articula/generate/compile.h>
#include <articula/generate/record.h>
#include <articula/solve/forward_dynamics.h>
#include <articula/solve/inverse_dynamics.h>
#include <articula/solve/mass_matrix.h>

#include "generate/evaluate.h"
#include "network/flat.h"
#include "support/allocations.h"

namespace articula {
namespace {

namespace fs = std::filesystem;
using test::distance;
using test::Numbers;
using testing::HasSubstr;

constexpr double tolerance = 1e-12;

Model robot(const char* name) { return load(std::string(ARTICULA_SOURCE_DIR "/models/") + name); }

/// A cache of its own, and a compiler.
class RunAsGenerated : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "articula-cache-XXXXXX").string();
    folder = mkdtemp(name.data());
    setenv("XDG_CACHE_HOME", folder.c_str(), 1);
    if (std::system("command -v cc >/dev/null 2>&1") != 0) GTEST_SKIP() << "there is no C compiler";
  }
  void TearDown() override { fs::remove_all(folder); }

  static SolverOptions generated() {
    SolverOptions options;
    options.run_as = RunAs::generated;
    return options;
  }
  static Numbers numbers(VectorView x) { return {x.begin(), x.end()}; }
  static Numbers numbers(const MatrixView& x) { return {x.data(), x.data() + x.size()}; }

  fs::path folder;
};

TEST_F(RunAsGenerated, AnswersAreThoseOfFlat) {
  for (const char* name : {"kuka_lwr4.yaml", "quadruped.yaml"}) {
    const Model model = robot(name);
    const test::RandomState at(model, build(model), 5);
    const State state{.q = at.q, .v = at.v, .vdot = at.vdot, .tau = at.tau, .loads = {}};
    InverseDynamics torques(model), fast_torques(model, generated());
    ForwardDynamics motion(model), fast_motion(model, generated());
    MassMatrix masses(model), fast_masses(model, generated());
    for (Solver* solver :
         std::initializer_list<Solver*>{&torques, &fast_torques, &motion, &fast_motion, &masses, &fast_masses}) {
      solver->update(state);
    }
    EXPECT_EQ(fast_torques.run_as(), RunAs::generated);
    EXPECT_LE(distance(numbers(fast_torques.compute()), numbers(torques.compute())), tolerance) << name;
    EXPECT_LE(distance(numbers(fast_motion.compute()), numbers(motion.compute())), tolerance) << name;
    EXPECT_LE(distance(numbers(fast_masses.compute()), numbers(masses.compute())), tolerance) << name;
  }
}

TEST_F(RunAsGenerated, ATickAllocatesNothing) {
  const Model model = robot("kuka_lwr4.yaml");
  const test::RandomState at(model, build(model), 5);
  InverseDynamics torques(model, generated());
  torques.update({.q = at.q, .v = at.v, .vdot = at.vdot, .tau = {}, .loads = {}});
  const std::size_t before = test::allocations();
  torques.compute();
  EXPECT_EQ(test::allocations() - before, 0u);
}

TEST_F(RunAsGenerated, LoadsActAllTheSame) {
  const Model model = robot("kuka_lwr4.yaml");
  const test::RandomState at(model, build(model), 5);
  InverseDynamics torques(model), fast(model, generated());
  const Load load{
      .frame = static_cast<int>(torques.mechanism().frames.size()) - 1, .wrench = {{1, 2, 3}, {4, 5, 6}}, .axes = 0};
  const State state{.q = at.q, .v = at.v, .vdot = at.vdot, .tau = {}, .loads = {&load, 1}};
  torques.update(state);
  fast.update(state);
  EXPECT_LE(distance(numbers(fast.compute()), numbers(torques.compute())), tolerance);
}

TEST_F(RunAsGenerated, NewNumbersAreTakenUp) {
  Model model = robot("two_link.yaml");
  const test::RandomState at(model, build(model), 5);
  InverseDynamics torques(model, generated());
  model.at<RigidBody>("link2").mass = 7.5;
  torques.refresh(model);
  InverseDynamics expected(model);
  const State state{.q = at.q, .v = at.v, .vdot = at.vdot, .tau = {}, .loads = {}};
  torques.update(state);
  expected.update(state);
  EXPECT_LE(distance(numbers(torques.compute()), numbers(expected.compute())), tolerance);
}

TEST_F(RunAsGenerated, WithoutACompilerItRunsFlatAndSaysSo) {
  const Model model = robot("two_link.yaml");
  const std::string path = getenv("PATH");
  setenv("PATH", folder.c_str(), 1);
  InverseDynamics torques(model, generated());
  setenv("PATH", path.c_str(), 1);
  EXPECT_EQ(torques.run_as(), RunAs::flat);
  ASSERT_EQ(torques.findings().size(), 1u);
  EXPECT_EQ(torques.findings()[0].code, "compiler-missing");
  EXPECT_EQ(torques.findings()[0].severity, Severity::warning);
  EXPECT_THAT(torques.findings()[0].message, HasSubstr("there is no C compiler \"cc\" on this machine"));
}

TEST_F(RunAsGenerated, PassiveForcesAreRefused) {
  SolverOptions options = generated();
  options.passive = true;
  try {
    InverseDynamics torques(robot("two_link.yaml"), options);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), "run-as-not-available");
    EXPECT_THAT(error.message(), HasSubstr("run as \"generated\" it knows no passive forces"));
  }
}

TEST_F(RunAsGenerated, APackComputesEightStatesAtOnce) {
  const Model model = robot("quadruped.yaml");
  const Built built = build(model);
  const RecordedFunction function = record(Algorithm::inverse_dynamics, built);
  const CompiledFunction packs(function, {.compiler = "cc", .cache = {}, .form = CompileOptions::Form::eight_doubles});
  constexpr int lanes = 8;
  struct alignas(64) Pack {
    double lane[lanes];
  };
  std::vector<Pack> q(static_cast<std::size_t>(built.mechanism.nq)), v(static_cast<std::size_t>(built.mechanism.nv)),
      vdot(v), tau(v);
  std::vector<Numbers> expected;
  InverseDynamics torques(model);
  for (int l = 0; l < lanes; ++l) {
    const test::RandomState at(model, built, static_cast<std::uint32_t>(l + 1));
    for (std::size_t k = 0; k < q.size(); ++k) q[k].lane[l] = at.q[k];
    for (std::size_t k = 0; k < v.size(); ++k) v[k].lane[l] = at.v[k], vdot[k].lane[l] = at.vdot[k];
    torques.update({.q = at.q, .v = at.v, .vdot = at.vdot, .tau = {}, .loads = {}});
    expected.push_back(numbers(torques.compute()));
  }
  const double* const in[] = {q[0].lane, v[0].lane, vdot[0].lane};
  double* const out[] = {tau[0].lane};
  packs(in, out);
  for (int l = 0; l < lanes; ++l) {
    Numbers lane;
    for (const Pack& pack : tau) lane.push_back(pack.lane[l]);
    EXPECT_LE(distance(lane, expected[static_cast<std::size_t>(l)]), tolerance) << "lane " << l;
  }
}

TEST_F(RunAsGenerated, TheSecondTimeTheCacheServes) {
  const RecordedFunction function = record(Algorithm::inverse_dynamics, build(robot("two_link.yaml")));
  EXPECT_FALSE(CompiledFunction::is_cached(function));
  EXPECT_FALSE(CompiledFunction(function).was_cached());
  EXPECT_TRUE(CompiledFunction::is_cached(function));
  EXPECT_FALSE(CompiledFunction::is_cached(function, {.form = CompileOptions::Form::eight_doubles}));
  EXPECT_TRUE(CompiledFunction(function).was_cached());
  struct stat info {};
  ASSERT_EQ(stat((folder / "articula").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0700u);
}

TEST_F(RunAsGenerated, ACacheEntryWithAnotherSourceIsNotUsed) {
  const RecordedFunction function = record(Algorithm::inverse_dynamics, build(robot("two_link.yaml")));
  EXPECT_FALSE(CompiledFunction(function).was_cached());
  for (const auto& entry : fs::directory_iterator(folder / "articula")) {
    if (entry.path().extension() == ".c") std::ofstream(entry.path(), std::ios::app) << " ";
  }
  EXPECT_FALSE(CompiledFunction(function).was_cached());
}

TEST_F(RunAsGenerated, ACacheThatOthersMayWriteToIsRefused) {
  fs::create_directory(folder / "articula");
  chmod((folder / "articula").c_str(), 0777);
  const RecordedFunction function = record(Algorithm::inverse_dynamics, build(robot("two_link.yaml")));
  try {
    CompiledFunction compiled(function);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), "cache-unsafe");
    EXPECT_THAT(error.message(), HasSubstr("others may write to it"));
  }
}

TEST_F(RunAsGenerated, ACompilerThatFailsIsAnErrorWithWhatItSaid) {
  const RecordedFunction function = record(Algorithm::inverse_dynamics, build(robot("two_link.yaml")));
  std::ofstream(folder / "bad_cc") << "#!/bin/sh\necho out of luck\nexit 7\n";
  chmod((folder / "bad_cc").c_str(), 0700);
  try {
    CompiledFunction compiled(function, {.compiler = (folder / "bad_cc").string(), .cache = {}, .form = {}});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), "compile-failed");
    EXPECT_THAT(error.message(), HasSubstr("ended with status 7"));
    EXPECT_THAT(error.message(), HasSubstr("out of luck"));
  }
  EXPECT_TRUE(fs::is_empty(folder / "articula"));
}

TEST_F(RunAsGenerated, HeldJointsAreRefusedForAccelerations) {
  SolverOptions options = generated();
  options.exterior.joints = {"joint2"};
  try {
    ForwardDynamics motion(robot("two_link.yaml"), options);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), "generate-not-available");
    EXPECT_THAT(error.message(), HasSubstr("joints are held"));
  }
}

}  // namespace
}  // namespace articula
