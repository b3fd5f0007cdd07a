#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include <nlohmann/json.hpp>

#include "cli/program.h"
#include "support/sanitized.h"

using nlohmann::json;
using ::testing::EndsWith;
using ::testing::HasSubstr;

namespace {

constexpr double equal = 1e-12;  // normwise, relative
constexpr unsigned seed = 20261115;

using articula::test::sanitized;  // sanitizers need the machine as it is

Outcome eval(const std::string& model, const json& states, const std::string& more) {
  const TemporaryFolder folder;
  return articula_program("eval " + model + " --states " + folder.file("states.json", states.dump()) + " --compute " +
                          more);
}

json numbers(std::mt19937& random, int count, double scale) {
  std::uniform_real_distribution<double> uniform(-scale, scale);
  json list = json::array();
  for (int k = 0; k < count; ++k) list.push_back(uniform(random));
  return list;
}

/// 21 states: not a multiple of any number of lanes.
json some_states(int joints, bool floats) {
  std::mt19937 random(seed);
  json states = json::array();
  for (int s = 0; s < 21; ++s) {
    json q = json::array();
    if (floats) {
      q = numbers(random, 7, 1);
      double length = 0;
      for (int k = 3; k < 7; ++k) length = std::hypot(length, q[k].get<double>());
      for (int k = 3; k < 7; ++k) q[k] = q[k].get<double>() / length;
    }
    for (const json& x : numbers(random, joints, 2)) q.push_back(x);
    const int nv = joints + (floats ? 6 : 0);
    states.push_back(
        {{"q", q}, {"v", numbers(random, nv, 2)}, {"a", numbers(random, nv, 3)}, {"tau", numbers(random, nv, 10)}});
  }
  return {{"states", states}};
}

std::vector<double> flattened(const json& x) {
  if (x.is_number()) return {x.get<double>()};
  std::vector<double> all;
  for (const json& each : x) {
    for (const double e : flattened(each)) all.push_back(e);
  }
  return all;
}

void expect_same(const std::string& a_text, const std::string& b_text) {
  const json a = json::parse(a_text), b = json::parse(b_text);
  EXPECT_EQ(a.at("names"), b.at("names"));
  ASSERT_EQ(a.at("results").size(), b.at("results").size());
  for (std::size_t s = 0; s < a["results"].size(); ++s) {
    for (const auto& [key, value] : a["results"][s].items()) {
      const std::vector<double> x = flattened(value), y = flattened(b["results"][s].at(key));
      ASSERT_EQ(x.size(), y.size());
      double norm = 0, difference = 0;
      for (std::size_t k = 0; k < x.size(); ++k) {
        norm = std::hypot(norm, x[k]), difference = std::hypot(difference, x[k] - y[k]);
      }
      EXPECT_GT(norm, 0);
      EXPECT_LE(difference, equal * norm) << key << " of state " << s << ", seed " << seed;
    }
  }
}

const std::string all = "inverse_dynamics,forward_dynamics,mass_matrix";

void expect_batched_is_flat(const std::string& model, const json& states) {
  const Outcome flat = eval(model, states, all), batched = eval(model, states, all + " --run-as batched");
  ASSERT_EQ(flat.code, 0) << flat.err;
  ASSERT_EQ(batched.code, 0) << batched.err;
  EXPECT_EQ(batched.err, flat.err);
  expect_same(flat.out, batched.out);
}

}  // namespace

TEST(EvalBatched, ResultsOfAnArmAreThoseOfTheFlatSolvers) {
  expect_batched_is_flat("models/kuka_lwr4.yaml", some_states(7, false));
}

TEST(EvalBatched, ResultsOfAFloatingBaseAreThoseOfTheFlatSolvers) {
  expect_batched_is_flat("models/quadruped.yaml", some_states(12, true));
}

/// qemu emulates processors without AVX-512, and without AVX.
TEST(EvalBatched, OlderProcessorsGiveTheSameResults) {
  if (sanitized) GTEST_SKIP() << "sanitized programs do not run on qemu";
  if (std::system("command -v qemu-x86_64 >/dev/null 2>&1") != 0) {
    GTEST_SKIP() << "no qemu-x86_64 on this machine (Debian's package qemu-user)";
  }
  const TemporaryFolder folder;
  const std::string arguments = "eval models/quadruped.yaml --states " +
                                folder.file("states.json", some_states(12, true).dump()) + " --compute " + all +
                                " --run-as batched";
  const Outcome here = articula_program(arguments);
  ASSERT_EQ(here.code, 0) << here.err;
  for (const char* processor : {"Nehalem", "Haswell"}) {
    const Outcome there = articula_program(arguments, std::string("qemu-x86_64 -cpu ") + processor + " ");
    ASSERT_EQ(there.code, 0) << processor << there.err;
    expect_same(here.out, there.out);
  }
}

TEST(EvalBatched, JointsMayComeInAnyOrder) {
  json states{{"order", {"joint2", "joint1"}}, {"states", json::array()}};
  states["states"].push_back({{"q", {0.3, -0.8}}, {"v", {1, 2}}, {"a", {3, 4}}, {"tau", {5, 6}}});
  expect_batched_is_flat("models/two_link.yaml", states);
}

TEST(EvalBatched, WhatIsLeftOutIsZero) {
  const json states{{"states", {{{"q", {0.3, -0.8}}}, {{"q", {0.1, 0.2}}, {"v", {1, 2}}}}}};
  expect_batched_is_flat("models/two_link.yaml", states);
}

TEST(EvalBatched, NoStatesGiveNoResults) {
  const json none{{"states", json::array()}};
  const Outcome run = eval("models/two_link.yaml", none, all + " --run-as batched");
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_EQ(run.out, eval("models/two_link.yaml", none, all).out);
}

TEST(EvalBatched, AStateThatIsWrongIsNamedAsElsewhere) {
  json states = some_states(12, true);
  states["states"][4]["q"][3] = 3;
  const Outcome flat = eval("models/quadruped.yaml", states, all);
  const Outcome batched = eval("models/quadruped.yaml", states, all + " --run-as batched");
  const auto place = [](const std::string& text) { return text.substr(text.find("states[")); };
  EXPECT_EQ(batched.code, 3);
  EXPECT_EQ(batched.out, "");
  EXPECT_THAT(batched.err, HasSubstr("states[4]"));
  EXPECT_EQ(place(batched.err), place(flat.err));
}

TEST(EvalBatched, OtherQuantitiesAreRefusedByName) {
  const json states{{"states", {{{"q", {0.3, -0.8}}}}}};
  const auto refused = [&](const std::string& model, const std::string& more) {
    const Outcome run = eval(model, states, more + " --run-as batched");
    EXPECT_EQ(run.code, 3) << more;
    EXPECT_EQ(run.out, "");
    return run.err;
  };
  EXPECT_EQ(
      refused("models/two_link.yaml", "mass_matrix,gravity"),
      "error: \"gravity\" does not run as \"batched\". inverse_dynamics, forward_dynamics and mass_matrix do. Ask "
      "for it in a run of its own, as \"flat\".  [run-as-not-available]\n");
  EXPECT_THAT(refused("models/two_link.yaml", "jacobian:link2"), HasSubstr("\"jacobian:link2\" does not run"));
  EXPECT_EQ(
      refused("models/two_link.yaml", "mass_matrix --passive"),
      "error: run as \"batched\", springs, dampers, friction and drives have no part. Leave --passive off, or run "
      "as \"flat\".  [run-as-not-available]\n");
  EXPECT_THAT(refused("models/four_bar.yaml", "mass_matrix"), EndsWith("]\n"));
}

TEST(EvalBatched, HeldJointsAreRefused) {
  const TemporaryFolder folder;
  const std::string model = folder.file("held.yaml", R"(articula: 1
name: held
bodies:
  a: {mass: 1, com: [0.5, 0, 0]}
  b: {mass: 1, com: [0.5, 0, 0]}
joints:
  j: {type: revolute, axis: y, from: world, to: a}
  k: {type: revolute, axis: y, from: {a: {xyz: [1, 0, 0]}}, to: b}
exterior: {joints: [j]}
)");
  const Outcome run = eval(model, {{"states", {{{"q", {0.3}}}}}}, "mass_matrix --run-as batched");
  EXPECT_EQ(run.code, 3) << run.out;
  EXPECT_EQ(
      run.err,
      "error: BatchedMassMatrix of \"held\": joint \"k\" is held, since `exterior` leaves it out, and batches compute "
      "joints that move. Expose all joints, or use the flat solver.  [batch-not-computed]\n");
}
