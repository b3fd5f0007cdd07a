/// Unusual environments of the program: streams that are closed or full, no threads, no temporary folder, names that
/// contain terminal commands, libraries next to the model.

#include <sys/wait.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/program.h"

namespace {

using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::Not;

/// Runs a line of shell in which $articula is the program, and $store, $study, $model are files.
class Surroundings : public ::testing::Test {
 protected:
  int shell(const std::string& line) const {
    const std::string command = "cd '" + folder.path().string() + "' && articula='" ARTICULA_PROGRAM "' && (" + line +
                                ") >out 2>err </dev/null";
    const int status = std::system(command.c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  std::string text(const std::string& name) const {
    std::ifstream in(folder.path(name), std::ios::binary);
    std::stringstream all;
    all << in.rdbuf();
    return all.str();
  }
  /// Whether another user is available; ./articula is the program for it, since the other path may not be accessible.
  bool for_another_user() const {
    return shell(
               "chmod 777 . && cp $articula articula && chmod 755 articula && "
               "setpriv --reuid=54321 --clear-groups ./articula --version") == 0;
  }
  void SetUp() override {
    folder.file("arm.yaml",
                "articula: 1\nname: arm\nbodies: {rod: {mass: 1, com: [0, 0, -0.5], inertia: {xx: 1, yy: 1, zz: 1}}}\n"
                "joints: {hinge: {type: revolute, axis: y, from: world, to: rod}}\n");
    folder.file(
        "swing.yaml",
        "articula_study: 1\nmodel: arm.yaml\nstart: {q: {hinge: 1}}\ntasks:\n"
        "  one: {type: simulate, until: 1 s}\n  two: {type: simulate, until: 1 s}\n"
        "  many: {type: sweep, over: {rod.mass: [1, 2, 3, 4]}, threads: 4, task: {type: simulate, until: 1 s}}\n"
        "checks: [{task: two, signal: q.hinge, take: first, expect: 1, within: 1e-12}]\n");
    folder.file("states.json", R"({"states": [{"q": [1]}]})");
    ASSERT_EQ(shell("$articula run swing.yaml --store runs.db"), 0) << text("err");
  }
  const TemporaryFolder folder;
};

/// All commands that print.
const std::vector<std::string> commands{
    "--help",
    "--version",
    "check arm.yaml",
    "check arm.yaml --json",
    "info arm.yaml",
    "info arm.yaml --json",
    "info arm.yaml --graph",
    "eval arm.yaml --states states.json --compute inverse_dynamics",
    "run swing.yaml --store again.db",
    "runs list --store runs.db",
    "runs list --json --store runs.db",
    "runs show latest --store runs.db",
    "runs show latest --json --store runs.db",
    "runs compare latest latest --store runs.db",
    "report latest -o - --store runs.db",
    "bench arm.yaml --algorithm inverse_dynamics --run-as flat --seconds 0.1",
};

TEST_F(Surroundings, AFullOutputIsAnErrorThatIsSaid) {
  for (const std::string& command : commands) {
    EXPECT_EQ(shell("$articula " + command + " >/dev/full"), 5) << command;
    EXPECT_THAT(text("err"), HasSubstr("<stdout>: it cannot be written: No space left on device. Part of the output is "
                                       "lost.  [output-unwritable]"))
        << command;
    EXPECT_EQ(shell("$articula " + command + " >&-"), 5) << command;
    EXPECT_THAT(text("err"), HasSubstr("<stdout>: it cannot be written: Bad file descriptor.")) << command;
  }
}

TEST_F(Surroundings, TalkThatNobodyHearsChangesNothing) {
  std::vector<std::string> all = commands;
  all.insert(all.end(),
             {"convert --force arm.yaml out.urdf", "runs verify --store runs.db",
              "generate arm.yaml --algorithm gravity -o package", "runs export latest -o out.csv --store runs.db"});
  for (const std::string& command : all) {
    for (const char* to : {"2>/dev/full", "2>&-"})
      EXPECT_EQ(shell("$articula " + command + " " + to), 0) << command << to;
  }
  for (const char* to : {"2>/dev/full", "2>&-"}) {
    EXPECT_EQ(shell(std::string("$articula info missing.yaml ") + to), 3);
    EXPECT_EQ(shell(std::string("$articula rnu ") + to), 2);
  }
  EXPECT_EQ(shell("$articula runs verify --store runs.db"), 0)
      << "no word of the program is in a file: " << text("err");
}

TEST_F(Surroundings, ARunIsFinishedWhoeverReads) {
  EXPECT_EQ(shell("$articula run swing.yaml --store piped.db | head -1"), 0);
  EXPECT_EQ(shell("$articula run swing.yaml --store full.db >/dev/full"), 5);
  for (const char* store : {"piped.db", "full.db"}) {
    EXPECT_EQ(shell(std::string("$articula runs show latest --store ") + store), 0);
    EXPECT_THAT(text("out"), AllOf(HasSubstr("done"), Not(HasSubstr("running")), HasSubstr("pass"))) << store;
  }
}

TEST_F(Surroundings, ReadersMayGoAway) {
  EXPECT_EQ(shell("{ $articula info arm.yaml --json; echo $? >code; } | head -c 1 >/dev/null; exit $(cat code)"), 0)
      << text("err");
  EXPECT_EQ(text("err"), "");
}

TEST_F(Surroundings, WithoutThreadsFewerDoTheWork) {
  // The number of threads is counted over all of a user's; this user has none else.
  if (!for_another_user()) GTEST_SKIP() << "no other user can be taken";
  // LeakSanitizer would want a thread of its own at the end.
  EXPECT_EQ(shell("ASAN_OPTIONS=detect_leaks=0 setpriv --reuid=54321 --clear-groups "
                  "bash -c 'ulimit -u 1; exec ./articula run swing.yaml --store few.db'"),
            0)
      << text("err");
  EXPECT_EQ(shell("$articula runs compare latest latest --store runs.db --other-store few.db"), 0) << text("out");
}

TEST_F(Surroundings, NamesDoNotCommandTheTerminal) {
  const std::string overridden = "a\u202eb", high = "a\\u009bb";
  folder.file("evil.yaml", "articula: 1\nname: \"\\u009b31m\\u202e\"\nbodies: {\"" + overridden + high +
                               "\": {mass: 1, inertia: {xx: 1, yy: 1, zz: 1}}}\njoints: {\"j" + high +
                               "\": {type: revolute, axis: y, from: world, to: \"" + overridden + high + "\"}}\n");
  for (const char* command :
       {"info evil.yaml", "info evil.yaml --json", "info evil.yaml --graph", "check evil.yaml",
        "eval evil.yaml --states states.json --compute inverse_dynamics", "info 'no\033[31mfile'"}) {
    shell(std::string("$articula ") + command);
    for (const std::string& said : {text("out"), text("err")}) {
      EXPECT_THAT(
          said, AllOf(Not(HasSubstr("\033")), Not(HasSubstr("\u202e")), Not(HasSubstr("\u009b")), Not(HasSubstr("\a"))))
          << command;
    }
  }
  EXPECT_EQ(shell("$articula info evil.yaml"), 0);
  EXPECT_THAT(text("out"), AllOf(HasSubstr("\\u009b"), HasSubstr("\\u202e")));
}

/// A library that ends the program with 77 when it is loaded.
TEST_F(Surroundings, NoLibraryIsTakenFromTheCurrentFolder) {
  folder.file("evil.c", "#include <stdlib.h>\n__attribute__((constructor)) static void f(void) { _Exit(77); }\n");
  ASSERT_EQ(shell("cc -shared -fPIC -o evil.so evil.c"), 0) << text("err");
  ASSERT_EQ(
      shell("ldd $articula | sed -n 's/^[[:space:]]*\\([^ /]*\\.so[^ ]*\\) =>.*/\\1/p' | while read -r name; do cp "
            "evil.so \"$name\"; done; ls *.so.* >/dev/null"),
      0);
  EXPECT_EQ(shell("$articula info arm.yaml"), 0);
  EXPECT_EQ(shell("readelf -d $articula | grep -iE 'r(un)?path' | grep -E '\\[:|::|:\\]|\\[\\]|\\[\\.|:\\.'"), 1)
      << text("out");
}

TEST_F(Surroundings, AStudyThatEndsAtAHangUpIsKept) {
  folder.file(
      "long.yaml",
      "articula_study: 1\nmodel: arm.yaml\nstart: {q: {hinge: 1}}\ntasks: {long: {type: simulate, until: 1e7 s, "
      "output_every: 1 s}}\n");
  EXPECT_EQ(shell("$articula run long.yaml --store long.db & pid=$!; sleep 0.5; kill -HUP $pid; wait $pid"), 130);
  EXPECT_THAT(text("err"), HasSubstr("interrupted: all rows until now are kept."));
  EXPECT_EQ(shell("(trap '' HUP; exec $articula run swing.yaml --store nohup.db) & pid=$!; sleep 0.2; kill -HUP $pid; "
                  "wait $pid"),
            0)
      << text("err");
}

TEST_F(Surroundings, ResumingNeedsNoTemporaryFolder) {
  folder.file("way.csv", "t,hinge\n0,0\n1,1\n2,0\n");
  folder.file("table.yaml",
              "articula_study: 1\nmodel: arm.yaml\ntrajectories: {way: {type: table, file: way.csv, joints: hinge}}\n"
              "tasks: {torques: {type: inverse_dynamics, along: way}}\n");
  ASSERT_EQ(shell("$articula run table.yaml --store table.db"), 0) << text("err");
  EXPECT_EQ(shell("TMPDIR=$PWD/nowhere $articula runs resume latest --store table.db"), 0) << text("err");
  if (!for_another_user()) GTEST_SKIP() << "no other user can be taken";
  ASSERT_EQ(shell("chmod 777 . && chmod 666 table.db && mkdir -m 555 closed"), 0) << text("err");
  EXPECT_EQ(
      shell(
          "setpriv --reuid=54321 --clear-groups env TMPDIR=$PWD/closed ./articula runs resume latest --store table.db"),
      0)
      << text("err");
}

}  // namespace
