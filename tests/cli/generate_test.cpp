#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "cli/program.h"

using ::testing::HasSubstr;

namespace fs = std::filesystem;

TEST(Generate, WritesAFolderThatTestsItself) {
  const TemporaryFolder folder;
  const std::string out = folder.path("code");
  const Outcome run = articula_program(
      "generate models/kuka_lwr4.yaml --algorithm inverse_dynamics,mass_matrix --target c --prefix arm -o " + out);
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_EQ(run.out, "");
  EXPECT_THAT(run.err, HasSubstr("wrote 8 files to " + out));
  for (const char* name : {"arm_inverse_dynamics.h", "arm_inverse_dynamics.c", "arm_inverse_dynamics_test.c",
                           "arm_mass_matrix.c", "CMakeLists.txt", "README.md"}) {
    EXPECT_TRUE(fs::exists(out + "/" + name)) << name;
  }
  if (std::system("command -v cc >/dev/null 2>&1") != 0) GTEST_SKIP() << "there is no C compiler";
  const std::string test = "cd " + out +
                           " && cc -std=c99 -Wall -Wextra -Werror -pedantic arm_inverse_dynamics.c "
                           "arm_inverse_dynamics_test.c -o t -lm && ./t >/dev/null";
  EXPECT_EQ(std::system(test.c_str()), 0);
}

TEST(Generate, GravityTorquesTestThemselves) {
  const TemporaryFolder folder;
  const std::string out = folder.path("code");
  const std::string command = "generate models/kuka_lwr4.yaml --algorithm gravity --prefix arm -o " + out;
  const Outcome run = articula_program(command);
  EXPECT_EQ(run.code, 0) << run.err;
  std::ostringstream header;
  header << std::ifstream(out + "/arm_gravity.h").rdbuf();
  EXPECT_THAT(header.str(), HasSubstr("Model: \"kuka_lwr4\" of models/kuka_lwr4.yaml, SHA-256 "));
  EXPECT_THAT(header.str(), HasSubstr("Command: articula " + command));
  if (std::system("command -v cc >/dev/null 2>&1 && command -v sha256sum >/dev/null 2>&1") != 0)
    GTEST_SKIP() << "there is no C compiler or no sha256sum";
  const std::string test =
      "cd " + out +
      " && cc -std=c99 -Wall -Wextra -Werror -pedantic arm_gravity.c arm_gravity_test.c -o t -lm && "
      "./t >/dev/null";
  EXPECT_EQ(std::system(test.c_str()), 0);
  const std::string same =
      "grep -q $(sha256sum " ARTICULA_SOURCE_DIR "/models/kuka_lwr4.yaml | cut -d' ' -f1) " + out + "/arm_gravity.c";
  EXPECT_EQ(std::system(same.c_str()), 0);
}

TEST(Generate, AnUnknownAlgorithmIsNamed) {
  const TemporaryFolder folder;
  const Outcome run =
      articula_program("generate models/two_link.yaml --algorithm inverse_dynamic -o " + folder.path("code"));
  EXPECT_EQ(run.code, 3);
  EXPECT_THAT(run.err, HasSubstr("Did you mean \"inverse_dynamics\"?"));
  EXPECT_THAT(run.err, HasSubstr("[algorithm-unknown]"));
  EXPECT_FALSE(fs::exists(folder.path("code")));
}

TEST(Generate, AJacobianNeedsAFrame) {
  const TemporaryFolder folder;
  const Outcome without =
      articula_program("generate models/two_link.yaml --algorithm jacobian -o " + folder.path("code"));
  EXPECT_EQ(without.code, 3);
  EXPECT_THAT(without.err, HasSubstr("it is that of one frame, and 0 are named"));
  const Outcome with =
      articula_program("generate models/two_link.yaml --algorithm jacobian --frame link2 --in world --target cuda -o " +
                       folder.path("code"));
  EXPECT_EQ(with.code, 0) << with.err;
  EXPECT_TRUE(fs::exists(folder.path("code/two_link_jacobian.cuh")));
}

TEST(Generate, AFolderThatCannotBeWrittenIsAnError) {
  const TemporaryFolder folder;
  const std::string file = folder.file("taken", "text");
  const Outcome run = articula_program("generate models/two_link.yaml --algorithm mass_matrix -o " + file);
  EXPECT_EQ(run.code, 5);
  EXPECT_THAT(run.err, HasSubstr("[file-unwritable]"));
}

TEST(Generate, LoopsAreRefused) {
  const TemporaryFolder folder;
  const Outcome run =
      articula_program("generate models/four_bar.yaml --algorithm inverse_dynamics -o " + folder.path("code"));
  EXPECT_EQ(run.code, 3);
  EXPECT_THAT(run.err, HasSubstr("[loop-not-computed]"));
}

TEST(Eval, RunsAsGeneratedAndWithoutACompilerAsFlat) {
  const TemporaryFolder folder;
  const std::string states =
      folder.file("states.json", R"({"states": [{"q": [0.3, -0.7], "v": [1, 2], "a": [3, 4]}]})");
  const std::string command = "eval models/two_link.yaml --states " + states + " --compute inverse_dynamics --run-as ";
  const std::string cache = "XDG_CACHE_HOME=" + folder.path("cache") + " ";
  const Outcome without = articula_program(command + "generated", cache + "PATH=/nonexistent ");
  EXPECT_EQ(without.code, 0) << without.err;
  EXPECT_THAT(without.err, HasSubstr("[compiler-missing]"));
  EXPECT_EQ(without.out, articula_program(command + "flat").out);
}
