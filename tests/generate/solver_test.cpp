// Solvers that run as generated code: the same results through the same interface.

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
#include <articula/solve/center_of_mass.h>
#include <articula/solve/derivatives.h>
#include <articula/solve/forward_dynamics.h>
#include <articula/solve/forward_kinematics.h>
#include <articula/solve/inverse_dynamics.h>
#include <articula/solve/jacobian.h>
#include <articula/solve/mass_matrix.h>

#include "generate/evaluate.h"
#include "network/flat.h"
#include "support/allocations.h"
#include "support/temporary_folder.h"

namespace articula::test {
namespace {

namespace fs = std::filesystem;
using test::distance;
using test::Numbers;
using testing::HasSubstr;

constexpr double tolerance = 1e-12;

Model robot(const char* name) { return load(std::string(ARTICULA_SOURCE_DIR "/models/") + name); }

/// A cache of the test's own, and a compiler.
class RunAsGenerated : public testing::Test {
 protected:
  void SetUp() override {
    setenv("XDG_CACHE_HOME", folder.c_str(), 1);
    if (std::system("command -v cc >/dev/null 2>&1") != 0) GTEST_SKIP() << "there is no C compiler";
  }
  void TearDown() override { setenv("PATH", path.c_str(), 1); }

  /// From now on `cc` compiles without optimization: the same results, compiled faster.
  void compile_in_a_hurry() const {
    const std::string bin = (folder / "bin").string();
    fs::create_directory(bin);
    std::ofstream(bin + "/cc") << "#!/bin/sh\nPATH='" << path << "' exec cc \"$@\" -O0\n";
    chmod((bin + "/cc").c_str(), 0700);
    setenv("PATH", (bin + ":" + path).c_str(), 1);
  }

  static SolverOptions generated() {
    SolverOptions options;
    options.run_as = RunAs::generated;
    return options;
  }
  static Numbers numbers(VectorView x) { return {x.begin(), x.end()}; }
  static Numbers numbers(const MatrixView& x) { return {x.data(), x.data() + x.size()}; }

  const test::TemporaryFolder temporary;
  const fs::path folder = temporary.path();
  const std::string path = getenv("PATH");
};

/// A state of a robot, and the results of solvers.
struct Sample {
  explicit Sample(const char* name) : model(robot(name)), at(model, build_mechanism(model), 5) {}

  template <class... Solvers>
  void update(Solvers&... solvers) const {
    (solvers.update({.q = at.q, .v = at.v, .vdot = at.vdot, .tau = at.tau, .loads = {}}), ...);
  }
  PortRef last_body() const { return {model_bodies().back(), ""}; }
  std::vector<std::string> model_bodies() const {
    std::vector<std::string> names;
    for (const ConstituentPlace& place : build_mechanism(model).mechanism.provenance.constituents)
      names.push_back(place.name);
    return names;
  }

  Model model;
  test::RandomState at;
};

Numbers numbers_of(std::span<const MovingFrame> motions) {
  Numbers all;
  for (const auto& [X, V, A] : motions) {
    for (int k = 0; k < 9; ++k) all.push_back(X.R.m(k / 3, k % 3));
    for (const Vec3<double>& x : {X.p, V.w, V.v, A.w, A.v}) all.insert(all.end(), {x.x, x.y, x.z});
  }
  return all;
}

TEST_F(RunAsGenerated, AnswersAreThoseOfFlat) {
  for (const char* name : {"kuka_lwr4.yaml", "quadruped.yaml"}) {
    const Model model = robot(name);
    const test::RandomState at(model, build_mechanism(model), 5);
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

TEST_F(RunAsGenerated, DerivativesAreThoseOfFlat) {
  compile_in_a_hurry();
  for (const char* name : {"kuka_lwr4.yaml", "quadruped.yaml", "biped.yaml"}) {
    const Sample sample(name);
    for (const auto of : {Derivatives::Of::inverse_dynamics, Derivatives::Of::forward_dynamics}) {
      Derivatives flat(sample.model, of), fast(sample.model, of, generated());
      sample.update(flat, fast);
      EXPECT_EQ(fast.run_as(), RunAs::generated);
      const StateDerivatives &expected = flat.compute(), &got = fast.compute();
      EXPECT_TRUE(fast.report().ok());
      EXPECT_LE(distance(numbers(got.dq), numbers(expected.dq)), tolerance) << name;
      EXPECT_LE(distance(numbers(got.dv), numbers(expected.dv)), tolerance) << name;
      EXPECT_LE(distance(numbers(got.du), numbers(expected.du)), tolerance) << name;
    }
  }
}

TEST_F(RunAsGenerated, InverseMassMatricesAreThoseOfFlat) {
  compile_in_a_hurry();
  for (const char* name : {"kuka_lwr4.yaml", "quadruped.yaml", "biped.yaml"}) {
    const Sample sample(name);
    MassMatrix flat(sample.model), by_code(sample.model, generated(), MassMatrix::Code::matrix_and_inverse),
        by_factors(sample.model, generated());
    sample.update(flat, by_code, by_factors);
    const Numbers expected = numbers(flat.compute_inverse());
    EXPECT_LE(distance(numbers(by_code.compute_inverse()), expected), tolerance) << name;
    EXPECT_LE(distance(numbers(by_factors.compute_inverse()), expected), tolerance) << name;
    EXPECT_LE(distance(numbers(by_code.compute()), numbers(flat.compute())), tolerance) << name;
    EXPECT_TRUE(by_code.report().ok());
  }
}

TEST_F(RunAsGenerated, MotionsOfFramesAndJacobiansAreThoseOfFlat) {
  compile_in_a_hurry();
  for (const char* name : {"kuka_lwr4.yaml", "quadruped.yaml", "biped.yaml"}) {
    const Sample sample(name);
    ForwardKinematics frames(sample.model), fast_frames(sample.model, generated());
    sample.update(frames, fast_frames);
    EXPECT_EQ(fast_frames.run_as(), RunAs::generated);
    EXPECT_LE(distance(numbers_of(fast_frames.compute()), numbers_of(frames.compute())), tolerance) << name;
    for (const auto in : {JacobianFrame::local, JacobianFrame::world, JacobianFrame::local_world_aligned}) {
      Jacobian flat(sample.model, sample.last_body(), in), fast(sample.model, sample.last_body(), in, generated());
      sample.update(flat, fast);
      EXPECT_LE(distance(numbers(fast.compute()), numbers(flat.compute())), tolerance) << name;
      EXPECT_LE(distance(numbers(fast.compute_rate()), numbers(flat.compute_rate())), tolerance) << name;
    }
  }
}

/// Locked joints, another order and chosen frames: exterior ports are mapped as in every other way to run.
TEST_F(RunAsGenerated, AChoiceOfJointsAndFramesIsKept) {
  compile_in_a_hurry();
  const Model model = robot("two_link.yaml");
  SolverOptions flat, fast = generated();
  flat.exterior = fast.exterior = {.joints = {"joint2"}, .frames = {{"link2", ""}}};
  ForwardKinematics frames(model, flat), fast_frames(model, fast);
  Derivatives torques(model, Derivatives::Of::inverse_dynamics, flat),
      fast_torques(model, Derivatives::Of::inverse_dynamics, fast);
  MassMatrix masses(model, flat), fast_masses(model, fast, MassMatrix::Code::matrix_and_inverse);
  Jacobian jacobian(model, {"link2", ""}, JacobianFrame::world, flat),
      fast_jacobian(model, {"link2", ""}, JacobianFrame::world, fast);
  const Numbers q{0.7}, v{-0.4}, vdot{1.3};
  for (Solver* solver : std::initializer_list<Solver*>{&frames, &fast_frames, &torques, &fast_torques, &masses,
                                                       &fast_masses, &jacobian, &fast_jacobian}) {
    solver->update({.q = q, .v = v, .vdot = vdot, .tau = {}, .loads = {}});
  }
  EXPECT_EQ(fast_frames.compute().size(), 1u);
  EXPECT_LE(distance(numbers_of(fast_frames.compute()), numbers_of(frames.compute())), tolerance);
  EXPECT_LE(distance(numbers(fast_torques.compute().dq), numbers(torques.compute().dq)), tolerance);
  EXPECT_LE(distance(numbers(fast_masses.compute_inverse()), numbers(masses.compute_inverse())), tolerance);
  EXPECT_LE(distance(numbers(fast_jacobian.compute()), numbers(jacobian.compute())), tolerance);
}

TEST_F(RunAsGenerated, ATickAllocatesNothing) {
  compile_in_a_hurry();
  const Sample sample("two_link.yaml");
  InverseDynamics torques(sample.model, generated());
  ForwardDynamics motion(sample.model, generated());
  MassMatrix masses(sample.model, generated()),
      inverse(sample.model, generated(), MassMatrix::Code::matrix_and_inverse);
  Derivatives of_torques(sample.model, Derivatives::Of::inverse_dynamics, generated()),
      of_motion(sample.model, Derivatives::Of::forward_dynamics, generated());
  ForwardKinematics frames(sample.model, generated());
  Jacobian jacobian(sample.model, sample.last_body(), JacobianFrame::local, generated());
  const std::size_t before = test::allocations();
  sample.update(torques, motion, masses, inverse, of_torques, of_motion, frames, jacobian);
  torques.compute(), motion.compute(), masses.compute(), masses.compute_inverse(), inverse.compute_inverse();
  of_torques.compute(), of_motion.compute(), frames.compute(), jacobian.compute();
  EXPECT_EQ(test::allocations() - before, 0u);
}

TEST_F(RunAsGenerated, LoadsActAllTheSame) {
  const Model model = robot("kuka_lwr4.yaml");
  const test::RandomState at(model, build_mechanism(model), 5);
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
  const test::RandomState at(model, build_mechanism(model), 5);
  InverseDynamics torques(model, generated());
  model.at<RigidBody>("link2").mass = 7.5;
  torques.refresh(model);
  InverseDynamics expected(model);
  const State state{.q = at.q, .v = at.v, .vdot = at.vdot, .tau = {}, .loads = {}};
  torques.update(state);
  expected.update(state);
  EXPECT_LE(distance(numbers(torques.compute()), numbers(expected.compute())), tolerance);
}

TEST_F(RunAsGenerated, NewNumbersAreTakenUpByEverySolver) {
  compile_in_a_hurry();
  Sample sample("two_link.yaml");
  Derivatives changes(sample.model, Derivatives::Of::forward_dynamics, generated());
  MassMatrix masses(sample.model, generated(), MassMatrix::Code::matrix_and_inverse);
  ForwardKinematics frames(sample.model, generated());
  sample.update(changes, masses, frames);
  const Numbers before = numbers(changes.compute().dq);
  sample.model.at<RigidBody>("link2").mass = 7.5;
  changes.refresh(sample.model), masses.refresh(sample.model), frames.refresh(sample.model);
  Derivatives expected_changes(sample.model, Derivatives::Of::forward_dynamics);
  MassMatrix expected_masses(sample.model);
  ForwardKinematics expected_frames(sample.model);
  sample.update(expected_changes, expected_masses, expected_frames);
  const Numbers after = numbers(expected_changes.compute().dq);
  EXPECT_GT(distance(before, after), 1e-3);
  EXPECT_LE(distance(numbers(changes.compute().dq), after), tolerance);
  EXPECT_LE(distance(numbers(masses.compute_inverse()), numbers(expected_masses.compute_inverse())), tolerance);
  EXPECT_LE(distance(numbers_of(frames.compute()), numbers_of(expected_frames.compute())), tolerance);
}

TEST_F(RunAsGenerated, EverySolverRunsFlatWithoutACompiler) {
  const Sample sample("two_link.yaml");
  setenv("PATH", folder.c_str(), 1);
  Derivatives changes(sample.model, Derivatives::Of::inverse_dynamics, generated());
  MassMatrix masses(sample.model, generated(), MassMatrix::Code::matrix_and_inverse);
  ForwardKinematics frames(sample.model, generated());
  Jacobian jacobian(sample.model, sample.last_body(), JacobianFrame::local, generated());
  for (const Solver* solver : std::initializer_list<const Solver*>{&changes, &masses, &frames, &jacobian}) {
    EXPECT_EQ(solver->run_as(), RunAs::flat);
    ASSERT_EQ(solver->findings().size(), 1u);
    EXPECT_EQ(solver->findings()[0].code, "compiler-missing");
    EXPECT_THAT(solver->findings()[0].message, HasSubstr("It runs as \"flat\" now."));
  }
  MassMatrix expected(sample.model);
  sample.update(masses, expected);
  EXPECT_EQ(numbers(masses.compute_inverse()), numbers(expected.compute_inverse()));
}

TEST_F(RunAsGenerated, WhatHasNoCodeIsRefusedByName) {
  try {
    CenterOfMass whole(robot("two_link.yaml"), generated());
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), "run-as-not-available");
    EXPECT_THAT(error.message(), HasSubstr("CenterOfMass of \"two_link\": it does not run as \"generated\" yet. It "
                                           "runs as \"flat\"."));
  }
  SolverOptions held = generated();
  held.exterior.joints = {"joint2"};
  try {
    Derivatives changes(robot("two_link.yaml"), Derivatives::Of::forward_dynamics, held);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), "generate-not-available");
    EXPECT_THAT(
        error.message(),
        HasSubstr("is held or prescribed, and code computes the accelerations of free joints only. Expose all joints, "
                  "or run as \"flat\"."));
  }
}

TEST_F(RunAsGenerated, WithoutACompilerItRunsFlatAndSaysSo) {
  const Model model = robot("two_link.yaml");
  setenv("PATH", folder.c_str(), 1);
  InverseDynamics torques(model, generated());
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
    EXPECT_THAT(error.message(),
                HasSubstr("run as \"generated\" it knows no springs, dampers and friction. Run it as \"flat\"."));
  }
}

TEST_F(RunAsGenerated, APackComputesEightStatesAtOnce) {
  const Model model = robot("quadruped.yaml");
  const Built built = build_mechanism(model);
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
  const RecordedFunction function = record(Algorithm::inverse_dynamics, build_mechanism(robot("two_link.yaml")));
  EXPECT_FALSE(CompiledFunction::is_cached(function));
  EXPECT_FALSE(CompiledFunction(function).was_cached());
  EXPECT_TRUE(CompiledFunction::is_cached(function));
  EXPECT_FALSE(CompiledFunction::is_cached(function, {.form = CompileOptions::Form::eight_doubles}));
  EXPECT_TRUE(CompiledFunction(function).was_cached());
  struct stat info {};
  ASSERT_EQ(stat((folder / "articula").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0700u);
}

TEST_F(RunAsGenerated, ACacheThatOthersMayWriteToIsRefused) {
  fs::create_directory(folder / "articula");
  chmod((folder / "articula").c_str(), 0777);
  const RecordedFunction function = record(Algorithm::inverse_dynamics, build_mechanism(robot("two_link.yaml")));
  try {
    CompiledFunction compiled(function);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), "cache-unsafe");
    EXPECT_THAT(error.message(), HasSubstr("others may write to it"));
  }
}

TEST_F(RunAsGenerated, ACompilerThatFailsIsAnErrorWithWhatItSaid) {
  const RecordedFunction function = record(Algorithm::inverse_dynamics, build_mechanism(robot("two_link.yaml")));
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
    EXPECT_THAT(error.message(), HasSubstr("\"joint1\" is held or prescribed"));
  }
}

}  // namespace
}  // namespace articula::test
