/// The cost limits of the program: an input below 1 MB is read and checked in a second of processor time and 512 MB.

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <articula/base/text.h>

#include "cli/program.h"
#include "support/sanitized.h"

namespace {

using articula::base::concat;

/// One second, and one more for a machine that is slow or busy.
constexpr double seconds_allowed = 2;

struct Cost {
  int code = -1;
  double seconds = 0, megabytes = 0;
};

/// Of a command: processor time and peak memory; its output is discarded.
Cost cost_of(std::vector<std::string> words) {
  const pid_t child = fork();
  if (child == 0) {
    const int nowhere = open("/dev/null", O_RDWR);
    for (const int stream : {0, 1, 2}) dup2(nowhere, stream);
    words.insert(words.begin(), ARTICULA_PROGRAM);
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    execv(ARTICULA_PROGRAM, argv.data());
    _exit(127);
  }
  int status = 0;
  struct rusage used {};
  wait4(child, &status, 0, &used);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, seconds(used.ru_utime) + seconds(used.ru_stime),
          static_cast<double>(used.ru_maxrss) / 1024};
}

class Costs : public ::testing::Test {
 protected:
  void SetUp() override {
    if (articula::test::sanitized) GTEST_SKIP() << "sanitizers take time and memory of their own";
#ifndef __OPTIMIZE__
    GTEST_SKIP() << "without optimization, times are others";
#endif
    folder.file("arm.yaml",
                "articula: 1\nbodies: {rod: {mass: 1, com: [0, 0, -0.5], inertia: {xx: 1, yy: 1, zz: 1}}}\n"
                "joints: {hinge: {type: revolute, axis: y, from: world, to: rod}}\n");
  }

  /// `line(k)` for all k, one after another.
  template <class Line>
  static std::string many(int count, Line&& line) {
    std::string text;
    for (int k = 0; k < count; ++k) text += line(k);
    return text;
  }
  static std::string chain(int count) {
    const auto of = [](int k) { return k == 0 ? std::string("world") : concat("b", k - 1); };
    return "articula: 1\nbodies:\n" +
           many(count, [](int k) { return concat("  b", k, ": {mass: 1, inertia: {xx: 1, yy: 1, zz: 1}}\n"); }) +
           "joints:\n" + many(count, [&](int k) {
             return concat("  j", k, ": {type: revolute, axis: y, from: ", of(k), ", to: b", k, "}\n");
           });
  }
  static std::string study(const std::string& top, const std::string& tasks = "{t: {type: simulate, until: 1 s}}") {
    return "articula_study: 1\nmodel: arm.yaml\n" + top + "tasks: " + tasks + "\n";
  }

  void expect_cheap(const std::string& name, const std::string& text, int code,
                    const std::vector<std::string>& command = {"check"}) {
    const std::string file = folder.file(name, text);
    EXPECT_LT(text.size(), 1'100'000u) << name;
    std::vector<std::string> words = command;
    words.push_back(file);
    const Cost cost = cost_of(words);
    std::printf("%-20s %.2f s, %.0f MB\n", name.c_str(), cost.seconds, cost.megabytes);
    EXPECT_EQ(cost.code, code) << name;
    EXPECT_LT(cost.seconds, seconds_allowed) << name;
    EXPECT_LT(cost.megabytes, 512) << name;
  }

  const TemporaryFolder folder;
};

TEST_F(Costs, OfIncludesAndAliases) {
  folder.file("leaf.yaml", "articula: 1\nbodies:\n" + many(4000, [](int k) {
                             return concat("  b", k, ": {mass: 1, inertia: {xx: -1, yy: 1, zz: 1}}\n");
                           }));
  expect_cheap("included.yaml",
               "articula: 1\nparts:\n" + many(999, [](int k) { return concat("  p", k, ": {include: leaf.yaml}\n"); }),
               3);
  const std::string text(500'000, 'x');
  expect_cheap("aliases.yaml",
               "articula: 1\nname: &n \"" + text + "\"\nbodies:\n" +
                   many(20'000, [](int k) { return concat("  b", k, ": {mass: *n}\n"); }),
               3);
  expect_cheap(
      "aliases_study.yaml",
      study("name: &n \"" + text + "\"\noverride:\n" + many(12'000, [](int k) { return concat("  a", k, ": *n\n"); })),
      3);
}

TEST_F(Costs, OfChainsOfLoops) {
  const std::string text = chain(5000) + "loops:\n" + many(4999, [](int k) {
                             return concat("  l", k, ": {type: revolute, axis: y, from: world, to: b", k + 1, "}\n");
                           });
  expect_cheap("loops.yaml", text, 0);
  expect_cheap("loops.yaml", text, 0, {"info", "--json"});
}

TEST_F(Costs, OfTablesTrajectoriesAndBlocks) {
  folder.file("wide.csv", "t,hinge" + many(118'000, [](int k) { return concat(",c", k); }) + "\n0,0" +
                              many(118'000, [](int) { return ",0"; }) + "\n1,0" +
                              many(118'000, [](int) { return ",0"; }) + "\n");
  expect_cheap("wide.yaml", study("trajectories: {w: {type: table, file: wide.csv}}\n"), 0);
  expect_cheap(
      "trajectories.yaml",
      study("trajectories:\n" + many(20'000, [](int k) { return concat("  w", k, ": {type: constant, value: 0}\n"); })),
      3);
  const std::string times = many(60'000, [](int k) { return concat(k == 0 ? "" : ",", k); }),
                    points = many(60'000, [](int k) { return k == 0 ? "[0]" : ",[0]"; });
  for (const char* type : {"spline", "b_spline"}) {
    expect_cheap(concat(type, ".yaml"),
                 study(concat("trajectories: {w: {type: ", type, ", times: [", times, "], points: [", points, "]}}\n")),
                 0);
  }
  for (const char* type : {"sampled", "switched"}) {
    expect_cheap(concat(type, ".yaml"),
                 study("blocks:\n  b0: {type: torque, joints: all, value: 1}\n" +
                       many(15'000,
                            [&](int k) {
                              return concat("  b", k + 1, ": {type: ", type, ", block: b", k, ", ",
                                            type[1] == 'a' ? "period: 0.01" : "until: 1", "}\n");
                            })),
                 3);
  }
  expect_cheap("tasks.yaml",
               "articula_study: 1\nmodel: arm.yaml\ntasks:\n" +
                   many(20'000, [](int k) { return concat("  t", k, ": {type: simulate, until: 1 s}\n"); }),
               3);
}

/// Costs for many joints, tasks and points.
TEST_F(Costs, OfManyJoints) {
  folder.file("joints.yaml", chain(5000));
  const auto of_joints = [](const std::string& top, const std::string& tasks) {
    return "articula_study: 1\nmodel: joints.yaml\n" + top + "tasks:\n" + tasks;
  };
  const std::string simulate = "  t: {type: simulate, until: 1 s}\n";
  const auto waves = [](int count) {
    return "trajectories:\n" + many(count, [](int k) { return concat("  w", k, ": {type: constant, value: 0}\n"); });
  };
  expect_cheap("moved.yaml", of_joints(waves(20), simulate), 0);
  expect_cheap(
      "moved_often.yaml",
      of_joints(waves(20), many(30, [](int k) { return concat("  t", k, ": {type: simulate, until: 1 s}\n"); })), 3);
  expect_cheap("often.yaml",
               of_joints("", many(1000, [](int k) { return concat("  t", k, ": {type: simulate, until: 1 s}\n"); })),
               3);
  expect_cheap("swept.yaml",
               of_joints("", concat("  t: {type: sweep, over: {b0.mass: {from: 1, to: 2, count: 100000}}, task: ",
                                    "{type: simulate, until: 1 s, signals: [q.j0]}}\n")),
               0);
  for (const char* task : {"linearize", "linearize, matrices: false", "equilibrium",
                           "simulate, until: 1 s, integrator: bdf", "compare_integrators, until: 1 s"}) {
    expect_cheap(concat(std::string(task).substr(0, 5), ".yaml"), of_joints("", concat("  t: {type: ", task, "}\n")),
                 3);
  }
  const auto name = [](int k) {  // four letters
    std::string letters;
    for (int rest = k; letters.size() < 4; rest /= 26) letters += static_cast<char>('a' + rest % 26);
    return letters;
  };
  expect_cheap("bare.yaml",
               "articula: 1\njoints:\n" + many(150'000, [&](int k) { return concat(" ", name(k), ":\n"); }), 3);
}

TEST_F(Costs, OfSweepsOverManyProperties) {
  expect_cheap("properties.yaml",
               study("", "{t: {type: sweep, combine: together, over: {" +
                             many(20'000, [](int k) { return concat(k == 0 ? "" : ", ", "rod.mass", k, ": [1, 2]"); }) +
                             "}, task: {type: simulate, until: 1 s}}}"),
               3);
}

TEST_F(Costs, OfMatrices) {
  const std::string zeros = many(9000, [](int k) { return k == 0 ? "0" : ",0"; });
  const std::string states = folder.file("states.json", R"({"states": [{"q": [)" + zeros + "]}]}");
  const std::string model =
      "articula: 1\nbodies:\n" +
      many(9000, [](int k) { return concat(" b", k, ": {mass: 1, inertia: {xx: 1, yy: 1, zz: 1}}\n"); }) + "joints:\n" +
      many(9000, [](int k) { return concat(" j", k, ": {type: revolute, from: world, to: b", k, "}\n"); });
  for (const char* quantity : {"mass_matrix", "inverse_mass_matrix", "coriolis_matrix", "gravity", "derivatives",
                               "regressor", "operators", "closed_form"}) {
    expect_cheap("matrices.yaml", model, 3, {"eval", "--states", states, "--compute", quantity});
  }
  expect_cheap("matrices.yaml", model, 0, {"eval", "--states", states, "--compute", "inverse_dynamics"});
  expect_cheap("matrices.yaml", model, 3, {"generate", "-o", folder.path("code"), "--algorithm", "mass_matrix"});
}

TEST_F(Costs, OfManyMistakes) {
  expect_cheap(
      "mistakes.yaml",
      "articula: 1\nbodies:\n" + many(25'000, [](int k) { return concat("  b", k, ": {mas: 1, mass: -1}\n"); }), 3);
  expect_cheap("overrides.yaml",
               study("override:\n" + many(40'000, [](int k) { return concat("  rod.mass", k, ": 1\n"); })), 3);
}

}  // namespace
