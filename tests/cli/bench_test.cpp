#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <tuple>

#include <nlohmann/json.hpp>

#include "cli/program.h"

using nlohmann::json;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

namespace {

/// Code is compiled into a temporary folder of the test.
class Bench : public testing::Test {
 protected:
  Outcome run(const std::string& arguments, const std::string& before = "") const {
    return articula_program("bench " + arguments, "XDG_CACHE_HOME=" + folder_.path("cache") + " " + before);
  }

  TemporaryFolder folder_;
};

using Key = std::tuple<std::string, std::string, std::string, int>;

/// All measurements; every entry has the documented form.
std::set<Key> measured(const std::string& text) {
  const json out = json::parse(text);
  EXPECT_EQ(out.size(), 2u);
  const double peak = out.at("peak_gflops");
  EXPECT_TRUE(std::isfinite(peak) && peak > 0.1 && peak < 1e4) << peak;
  std::set<Key> keys;
  for (const json& entry : out.at("results")) {
    EXPECT_EQ(entry.size(), 5u) << entry;
    const double ns = entry.at("ns_per_state");
    EXPECT_TRUE(std::isfinite(ns) && ns > 0) << entry;
    EXPECT_TRUE(
        keys.emplace(entry.at("algorithm"), entry.at("run_as"), entry.at("precision"), entry.at("threads")).second)
        << entry << " is there twice";
  }
  return keys;
}

TEST_F(Bench, MeasuresSingleTicks) {
  const auto outcome =
      run("models/two_link.yaml --ticks 2000 --run-as flat --algorithm inverse_dynamics,jacobian --json");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const json said = json::parse(outcome.out);
  EXPECT_EQ(said["ticks"], 2000);
  ASSERT_EQ(said["results"].size(), 2u);
  for (const json& each : said["results"]) {
    EXPECT_GT(each["median_ns"], 0);
    EXPECT_GE(each["p9999_ns"], each["median_ns"]);
    EXPECT_GE(each["worst_ns"], each["p9999_ns"]);
    EXPECT_LE(each["long_ticks"], 1000);  // at most half of them are longer than the median
    EXPECT_GE(each["interruptions"], 0);
  }
  const auto plain = run("models/two_link.yaml --ticks 200 --run-as flat --algorithm inverse_dynamics");
  EXPECT_THAT(plain.out, StartsWith("\"two_link\": ns of one tick, each of 200 measured by itself\n"));
  EXPECT_THAT(plain.out, HasSubstr("worst/median"));
}

TEST_F(Bench, HasNoTicksOfBatches) {
  const auto outcome = run("models/two_link.yaml --ticks 2000 --run-as batched");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("\"batched\" computes many states at once and has no ticks. Use --run-as "
                                     "flat,generated."));
}

}  // namespace

TEST_F(Bench, EveryAlgorithmIsMeasuredFlatAndBatched) {
  const Outcome out = run("models/kuka_lwr4.yaml --json --seconds 2 --run-as flat,batched");
  EXPECT_EQ(out.code, 0) << out.err;
  std::set<Key> expected;
  for (const char* algorithm :
       {"inverse_dynamics", "forward_dynamics", "mass_matrix", "inverse_mass_matrix", "kinematics", "jacobian",
        "inverse_dynamics_derivatives", "forward_dynamics_derivatives", "step"}) {
    const std::string name = algorithm;
    if (name != "step") expected.emplace(name, "flat", "double", 1);
    if (name != "jacobian") expected.emplace(name, "batched", "double", 1);
  }
  for (const char* algorithm : {"inverse_dynamics", "forward_dynamics", "mass_matrix"}) {
    expected.emplace(algorithm, "batched", "single", 1);
  }
  EXPECT_EQ(measured(out.out), expected);
  EXPECT_THAT(out.err, StartsWith("note: left out: jacobian as batched: there is no batch for jacobian. Measure it as "
                                  "\"flat\", \"generated\" or \"batched_generated\".  [bench-not-available]\n"));
  EXPECT_THAT(out.err, HasSubstr("note: left out: step as flat: there is no flat solver for step. Measure it as "
                                 "\"generated\", \"batched\" or \"batched_generated\".  [bench-not-available]\n"));
}

TEST_F(Bench, GeneratedCodeIsMeasuredInBothPrecisions) {
  if (std::system("command -v cc >/dev/null 2>&1") != 0) GTEST_SKIP() << "there is no C compiler";
  const Outcome out =
      run("models/two_link.yaml --json --seconds 30 --algorithm mass_matrix,inverse_dynamics,jacobian,step --run-as "
          "generated,batched_generated");
  EXPECT_EQ(out.code, 0) << out.err;
  EXPECT_EQ(out.err, "");
  std::set<Key> expected;
  for (const char* algorithm : {"inverse_dynamics", "mass_matrix", "jacobian", "step"}) {
    expected.emplace(algorithm, "generated", "double", 1);
    expected.emplace(algorithm, "batched_generated", "double", 1);
    expected.emplace(algorithm, "batched_generated", "single", 1);
  }
  EXPECT_EQ(measured(out.out), expected);
}

TEST_F(Bench, ThreadsAreMeasuredBesideOne) {
  const Outcome out =
      run("models/two_link.yaml --json --seconds 0.5 --algorithm inverse_dynamics --run-as batched --threads 2");
  EXPECT_EQ(out.code, 0) << out.err;
  EXPECT_EQ(measured(out.out), (std::set<Key>{{"inverse_dynamics", "batched", "double", 1},
                                              {"inverse_dynamics", "batched", "single", 1},
                                              {"inverse_dynamics", "batched", "double", 2},
                                              {"inverse_dynamics", "batched", "single", 2}}));
}

TEST_F(Bench, PeopleGetATable) {
  const Outcome out =
      run("models/two_link.yaml --seconds 0.5 --algorithm kinematics --algorithm mass_matrix --run-as flat,batched");
  EXPECT_EQ(out.code, 0) << out.err;
  EXPECT_THAT(out.out, StartsWith("\"two_link\": ns per state, the least of many repeats\npeak of a core: "));
  EXPECT_THAT(out.out, HasSubstr(" GFLOP/s in double precision ("));
  EXPECT_THAT(out.out, HasSubstr("       flat    batched  batched, single\nmass_matrix  "));
  EXPECT_THAT(out.out, HasSubstr("\nkinematics  "));
}

TEST_F(Bench, GearsAreMeasuredInEveryWay) {
  const std::string geared = folder_.file("geared.yaml", R"(articula: 1
name: geared
bodies:
  a: {mass: 1, com: [0.5, 0, 0]}
  b: {mass: 1, com: [0.5, 0, 0]}
joints:
  j: {type: revolute, axis: y, from: world, to: a}
  k: {type: revolute, axis: y, from: {a: {xyz: [1, 0, 0]}}, to: b}
gears:
  g: {ratio: 2, in1: j, out1: k}
)");
  const Outcome out = run(geared + " --json --seconds 4 --algorithm inverse_dynamics");
  EXPECT_EQ(out.code, 0) << out.err;
  const std::set<Key> all = measured(out.out);
  for (const char* way : {"flat", "generated", "batched", "batched_generated"})
    EXPECT_TRUE(all.contains({"inverse_dynamics", way, "double", 1})) << way;
  EXPECT_EQ(out.err, "");
}

TEST_F(Bench, WithoutACompilerTheRestIsMeasured) {
  const Outcome out = run("models/two_link.yaml --json --seconds 0.5 --algorithm mass_matrix --run-as flat,generated",
                          "PATH=/nonexistent ");
  EXPECT_EQ(out.code, 0) << out.err;
  EXPECT_EQ(measured(out.out), (std::set<Key>{{"mass_matrix", "flat", "double", 1}}));
  EXPECT_THAT(out.err, StartsWith("note: left out: mass_matrix as generated: there is no C compiler \"cc\""));
}

TEST_F(Bench, LargeMatricesAreLeftOut) {
  std::string text = "articula: 1\nname: chain\nbodies:\n";
  for (int i = 0; i < 600; ++i) text += "  b" + std::to_string(i) + ": {mass: 1, com: [0.5, 0, 0]}\n";
  text += "joints:\n";
  for (int i = 0; i < 600; ++i) {
    text += "  j" + std::to_string(i) + ": {type: revolute, axis: y, from: {" +
            (i == 0 ? "world" : "b" + std::to_string(i - 1)) + ": {xyz: [1, 0, 0]}}, to: b" + std::to_string(i) + "}\n";
  }
  const Outcome out = run(folder_.file("chain.yaml", text) +
                          " --json --seconds 1 --algorithm inverse_dynamics,mass_matrix --run-as flat");
  EXPECT_EQ(out.code, 0) << out.err;
  EXPECT_EQ(measured(out.out), (std::set<Key>{{"inverse_dynamics", "flat", "double", 1}}));
  EXPECT_THAT(
      out.err,
      EndsWith("note: left out: mass_matrix as flat: matrices of 600 rows are too large to be measured. At most "
               "500 velocities are allowed for mass_matrix.  [bench-too-large]\n"));
}

TEST_F(Bench, WhereNothingCanBeMeasuredItSaysWhy) {
  const Outcome out = run("models/four_bar.yaml --json --seconds 0.5 --run-as flat,batched");
  EXPECT_EQ(out.code, 3);
  EXPECT_EQ(out.out, "");
  EXPECT_THAT(out.err, HasSubstr("[loop-not-computed]"));
  EXPECT_THAT(out.err, EndsWith("error: nothing of \"four_bar\" could be measured. The notes above say why.  "
                                "[bench-nothing-measured]\n"));
}

TEST_F(Bench, WrongUsageIsNamed) {
  const auto wrong = [&](const std::string& options) {
    const Outcome out = run("models/two_link.yaml " + options);
    EXPECT_EQ(out.code, 2) << options;
    EXPECT_EQ(out.out, "");
    return out.err;
  };
  EXPECT_THAT(wrong("--algorithm mass_matrx"),
              StartsWith("--algorithm: \"mass_matrx\" is nothing that can be measured. Did you mean \"mass_matrix\"? "
                         "Choices: inverse_dynamics, forward_dynamics, mass_matrix, inverse_mass_matrix, kinematics, "
                         "jacobian, inverse_dynamics_derivatives, forward_dynamics_derivatives, step.\n"));
  EXPECT_THAT(
      wrong("--run-as batch"),
      StartsWith("--run-as: \"batch\" is nothing that can be measured. Did you mean \"batched\"? Choices: flat, "
                 "generated, batched, batched_generated.\n"));
  EXPECT_THAT(wrong("--algorithm mass_matrix,"), StartsWith("--algorithm: \"\" is nothing"));
  for (const char* seconds : {"0", "-1", "nan", "inf", "1e9", "soon"}) {
    EXPECT_THAT(wrong(std::string("--seconds ") + seconds), HasSubstr("--seconds"));
  }
  for (const char* threads : {"-1", "5000", "1.5", "many"}) {
    EXPECT_THAT(wrong(std::string("--threads ") + threads), HasSubstr("--threads"));
  }
  EXPECT_EQ(articula_program("bench").code, 2);
}

TEST_F(Bench, HostileModelsAreRefused) {
  for (const std::string& text : {std::string(), std::string("\0\xff\xfe", 3), std::string(100'000, '['),
                                  std::string("articula: 1\nname: \"a\\nb\"\nbodies: {a: {mass: -1}}\n")}) {
    const Outcome out = run(folder_.file("hostile.yaml", text) + " --json");
    EXPECT_EQ(out.code, 3) << out.err;
    EXPECT_EQ(out.out, "");
    EXPECT_THAT(out.err, HasSubstr("error: "));
  }
  EXPECT_EQ(run("/nonexistent.yaml").code, 3);
}
