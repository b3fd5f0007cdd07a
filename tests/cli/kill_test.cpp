/// Kill −9 of the program at random moments: the store always remains readable, no incomplete file has its final name,
/// and a resumed run has the same bits as an undisturbed one. ARTICULA_KILLS sets the number of kills.

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <articula/base/text.h>

#include "cli/program.h"

namespace {

namespace fs = std::filesystem;
using articula::base::concat;
using ::testing::HasSubstr;

/// Starts the program without a shell, so that the signal kills the program itself.
pid_t start(const std::vector<std::string>& arguments) {
  const pid_t child = fork();
  if (child != 0) return child;
  const int nowhere = open("/dev/null", O_RDWR);
  for (const int stream : {0, 1, 2}) dup2(nowhere, stream);
  std::vector<std::string> words{ARTICULA_PROGRAM};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  execv(ARTICULA_PROGRAM, argv.data());
  _exit(127);
}

/// Whether it was killed after that time; it may have ended earlier.
bool kill_after(std::chrono::microseconds time, const std::vector<std::string>& arguments) {
  const pid_t child = start(arguments);
  std::this_thread::sleep_for(time);
  kill(child, SIGKILL);
  int status = 0;
  waitpid(child, &status, 0);
  return WIFSIGNALED(status);
}

class Kill : public ::testing::Test {
 protected:
  void SetUp() override {
    folder.file("arm.yaml",
                "articula: 1\nname: arm\nbodies: {rod: {mass: 1, com: [0, 0, -0.5], inertia: {xx: 1, yy: 1, zz: 1}}}\n"
                "joints: {hinge: {type: revolute, axis: y, from: world, to: rod}}\n");
    study = folder.file("swing.yaml",
                        "articula_study: 1\nmodel: arm.yaml\nstart: {q: {hinge: 1}}\ntasks:\n"
                        "  motion: {type: simulate, until: 300 s, checkpoint_every: 1 s}\n"
                        "  many: {type: sweep, over: {rod.mass: {from: 1 kg, to: 2 kg, count: 40}}, threads: 2,\n"
                        "         task: {type: simulate, until: 20 s, integrator: rk45}}\n"
                        "checks: [{task: motion, signal: q.hinge, take: first, expect: 1, within: 1e-12}]\n");
    ASSERT_EQ(articula_program("run " + study + " --store " + undisturbed).code, 0);
  }

  std::chrono::microseconds moment() {
    return std::chrono::microseconds(std::uniform_int_distribution(0, 150'000)(random));
  }

  /// The store has no damage.
  void expect_sound(const std::string& store) {
    if (!fs::exists(store)) return;
    const Outcome verified = articula_program("runs verify --store " + store);
    EXPECT_EQ(verified.code, 0) << verified.err;
    EXPECT_EQ(articula_program("runs list --store " + store).code, 0);
  }

  const TemporaryFolder folder;
  std::string study;
  const std::string undisturbed = folder.path("undisturbed.db");
  const unsigned seed = std::random_device()();
  std::mt19937 random{seed};
};

TEST_F(Kill, TakesNothingThatWasStored) {
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  const char* wish = std::getenv("ARTICULA_KILLS");
  const int kills = wish == nullptr ? 20 : std::atoi(wish);
  int killed = 0, runs = 0, resumed = 0;
  while (killed < kills) {
    const std::string store = folder.path(concat("run", runs++, ".db"));
    killed += kill_after(moment(), {"run", study, "--store", store}) ? 1 : 0;
    expect_sound(store);
    // As often as needed, and at last without being killed.
    for (int k = 0; k < 4 && killed < kills && fs::exists(store); ++k) {
      killed += kill_after(moment(), {"runs", "resume", "latest", "--store", store}) ? 1 : 0;
      expect_sound(store);
    }
    const Outcome list = articula_program("runs list --json --store " + store);
    if (list.code != 0 || list.out.find("\"id\"") == std::string::npos) continue;  // killed before there was a run
    const Outcome end = articula_program("runs resume latest --store " + store);
    EXPECT_EQ(end.code, 0) << end.out << end.err;
    const Outcome same =
        articula_program("runs compare latest latest --store " + undisturbed + " --other-store " + store);
    EXPECT_THAT(same.out, HasSubstr("are bit-identical")) << same.err;
    ++resumed;
    for (const char* suffix : {"", "-wal", "-shm"}) fs::remove(store + suffix);
  }
  RecordProperty("kills", killed);
  RecordProperty("resumed", resumed);
  std::printf("%d kills, %d runs that went on, all bit-identical\n", killed, resumed);
}

TEST_F(Kill, LeavesNoHalfFileUnderItsName) {
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  const char* wish = std::getenv("ARTICULA_KILLS");
  const int kills = wish == nullptr ? 10 : std::atoi(wish) / 4;
  struct Written {
    std::vector<std::string> command;
    std::string file;
  };
  const auto written = [&](const std::string& name, std::vector<std::string> command) {
    const std::string file = folder.path(name);
    command.insert(command.end(), {"-o", file, "--store", undisturbed});
    return Written{command, file};
  };
  const std::vector<Written> all{written("out.csv", {"runs", "export", "latest", "--task", "motion"}),
                                 written("out.h5", {"runs", "export", "latest"}),
                                 written("out.mcap", {"runs", "export", "latest"}),
                                 written("out.html", {"report", "latest"})};
  const auto bytes = [](const std::string& file) {
    std::ifstream in(file, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(in), {});
  };
  for (const Written& one : all) {
    const pid_t whole = start(one.command);
    int status = 0;
    waitpid(whole, &status, 0);
    ASSERT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << one.file;
    const std::size_t size = bytes(one.file).size();
    fs::remove(one.file);
    for (int killed = 0, tries = 0; killed < kills / 4 + 1 && tries < 20 * kills; ++tries) {
      killed += kill_after(moment() / 4, one.command) ? 1 : 0;
      const bool stands = fs::exists(one.file);
      EXPECT_TRUE(!stands || bytes(one.file).size() == size) << one.file;
      fs::remove(one.file);
    }
    expect_sound(undisturbed);
  }
}

}  // namespace
