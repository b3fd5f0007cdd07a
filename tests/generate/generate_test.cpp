// Generated C compiles with strict warnings and passes its own test.

#include <articula/generate/generate.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include <articula/base/error.h>
#include <articula/base/text.h>
#include <articula/formats/load.h>

#include "support/temporary_folder.h"

namespace articula::test {
namespace {

using testing::HasSubstr;
using testing::Not;

Model robot(const char* name) { return load(std::string(ARTICULA_SOURCE_DIR "/models/") + name); }

/// A temporary folder with generated files.
class Folder {
 public:
  explicit Folder(const std::vector<GeneratedFile>& files) {
    for (const GeneratedFile& file : files) folder_.file(file.name, file.text);
  }

  /// Runs a command in the folder; returns its exit code and output.
  std::pair<int, std::string> run(const std::string& command) const {
    const int status = std::system(("cd '" + folder_.path().string() + "' && (" + command + ") >said 2>&1").c_str());
    std::ostringstream text;
    text << std::ifstream(folder_.path("said")).rdbuf();
    return {WEXITSTATUS(status), text.str()};
  }

 private:
  test::TemporaryFolder folder_;
};

bool has_program(const std::string& name) {
  return std::system(("command -v " + name + " >/dev/null 2>&1").c_str()) == 0;
}

const std::string strict = "cc -std=c99 -Wall -Wextra -Werror -pedantic -ffp-contract=fast -O1 ";

void expect_good(const Folder& folder, const std::string& name) {
  const auto [code, said] = folder.run(strict + name + ".c " + name + "_test.c -o t -lm && ./t");
  EXPECT_EQ(code, 0) << said;
  EXPECT_THAT(said, HasSubstr("good"));
}

TEST(Generate, CPassesItsOwnTestUnderStrictWarnings) {
  if (!has_program("cc")) GTEST_SKIP() << "there is no C compiler";
  GenerateOptions options;
  options.algorithms = {Algorithm::inverse_dynamics, Algorithm::forward_dynamics, Algorithm::mass_matrix,
                        Algorithm::kinematics,       Algorithm::frame_motions,    Algorithm::step};
  const Folder folder(generate_code(robot("quadruped.yaml"), options));
  for (const char* name :
       {"inverse_dynamics", "forward_dynamics", "mass_matrix", "kinematics", "frame_motions", "step"}) {
    expect_good(folder, std::string("quadruped_") + name);
  }
}

TEST(Generate, ItsTestNoticesAWrongNumber) {
  if (!has_program("cc")) GTEST_SKIP() << "there is no C compiler";
  GenerateOptions options;
  options.algorithms = {Algorithm::inverse_dynamics};
  std::vector<GeneratedFile> files = generate_code(robot("kuka_lwr4.yaml"), options);
  std::string& source = files[1].text;
  ASSERT_EQ(files[1].name, "kuka_lwr4_inverse_dynamics.c");
  const std::size_t minus = source.find(" - t");
  ASSERT_NE(minus, std::string::npos);
  source[minus + 1] = '+';
  const Folder folder(files);
  const auto [code, said] =
      folder.run("cc -std=c99 -O1 kuka_lwr4_inverse_dynamics.c kuka_lwr4_inverse_dynamics_test.c -o t -lm && ./t");
  EXPECT_EQ(code, 1) << said;
  EXPECT_THAT(said, HasSubstr("BAD"));
}

TEST(Generate, DerivativesAndJacobiansPassTheirTests) {
  if (!has_program("cc")) GTEST_SKIP() << "there is no C compiler";
  GenerateOptions options;
  options.algorithms = {Algorithm::inverse_dynamics_derivatives, Algorithm::forward_dynamics_derivatives,
                        Algorithm::inverse_mass_matrix, Algorithm::jacobian};
  options.record.frames = {{"link2", ""}};
  options.record.symbolic = {"link2.mass"};
  const Folder folder(generate_code(robot("two_link.yaml"), options));
  for (const char* name :
       {"inverse_dynamics_derivatives", "forward_dynamics_derivatives", "inverse_mass_matrix", "jacobian"}) {
    expect_good(folder, std::string("two_link_") + name);
  }
}

TEST(Generate, TorquesOfElasticDrivesPassTheirTest) {
  if (!has_program("cc")) GTEST_SKIP() << "there is no C compiler";
  GenerateOptions options;
  options.algorithms = {Algorithm::elastic_inverse_dynamics};
  const Folder folder(generate_code(robot("lbr_like.yaml"), options));
  expect_good(folder, "lbr_like_elastic_inverse_dynamics");
}

TEST(Generate, CCallsNothingButTheMathLibrary) {
  if (!has_program("cc") || !has_program("nm")) GTEST_SKIP() << "there is no C compiler";
  GenerateOptions options;
  options.algorithms = {Algorithm::mass_matrix};
  const Folder folder(generate_code(robot("quadruped.yaml"), options));
  const auto [code, said] = folder.run(
      "cc -std=c99 -O3 -fno-stack-protector -ffp-contract=fast -c quadruped_mass_matrix.c && nm -u "
      "quadruped_mass_matrix.o | "
      "grep -v -w -e sin -e cos -e sincos -e fabs");
  EXPECT_THAT(said, Not(HasSubstr(" U ")));
}

TEST(Generate, CppcheckFindsNothing) {
  if (!has_program("cppcheck")) GTEST_SKIP() << "there is no cppcheck";
  GenerateOptions options;
  options.algorithms = {Algorithm::inverse_dynamics};
  const Folder folder(generate_code(robot("kuka_lwr4.yaml"), options));
  const auto [code, said] = folder.run(
      "cppcheck --quiet --error-exitcode=9 --std=c99 --enable=warning,performance,portability "
      "kuka_lwr4_inverse_dynamics.c");
  EXPECT_EQ(code, 0) << said;
  EXPECT_EQ(said, "");
}

TEST(Generate, LanesPassTheirOwnTest) {
  if (!has_program("c++")) GTEST_SKIP() << "there is no C++ compiler";
  for (const bool single : {false, true}) {
    GenerateOptions options;
    options.algorithms = {Algorithm::inverse_dynamics};
    options.target = Target::cpp;
    options.single = single;
    const Folder folder(generate_code(robot("kuka_lwr4.yaml"), options));
    const auto [code, said] =
        folder.run("c++ -std=c++17 -Wall -Wextra -O1 kuka_lwr4_inverse_dynamics_test.cpp -o t && ./t");
    EXPECT_EQ(code, 0) << said;
    EXPECT_THAT(said, HasSubstr(single ? "16 lanes" : "8 lanes"));
  }
}

/// Names that end comments and strings, splice lines, or are not valid in a program.
TEST(Generate, HostileNamesGiveValidCode) {
  if (!has_program("cc")) GTEST_SKIP() << "there is no C compiler";
  const std::string hostile = "*/ int main(void){} /* \" ' \n ?\?/\n \\\n // <script> ; \xe2\x80\xae \xc3\xa4";
  Model model(hostile);
  RigidBody body;
  body.mass = 1;
  body.com = {0.1, 0.2, 0.3};
  body.inertia = {0.1, 0, 0, 0.1, 0, 0.1};
  model.add(hostile + "b", body);
  model.add(hostile, Joint{.axis = z_axis}, "world", hostile + "b");
  GenerateOptions options;
  options.algorithms = {Algorithm::inverse_dynamics};
  options.prefix = "9 \"; rm -rf";
  options.record.symbolic = {hostile + "b.mass"};
  const Folder folder(generate_code(model, options));
  expect_good(folder, "m9____rm__rf_inverse_dynamics");
}

TEST(Generate, TheTextDependsOnTheModelAlone) {
  GenerateOptions options;
  options.algorithms = {Algorithm::inverse_dynamics};
  options.target = Target::cuda;
  const auto first = generate_code(robot("two_link.yaml"), options),
             second = generate_code(robot("two_link.yaml"), options);
  ASSERT_EQ(first.size(), second.size());
  for (std::size_t k = 0; k < first.size(); ++k) EXPECT_EQ(first[k].text, second[k].text);
}

TEST(Generate, EveryLanguageHasAFileATestABuildAndAReadme) {
  for (const TargetTraits& row : all_targets) {
    GenerateOptions options;
    options.algorithms = {Algorithm::step};
    options.target = row.target;
    const std::vector<GeneratedFile> files = generate_code(robot("two_link.yaml"), options);
    ASSERT_GE(files.size(), 4u) << row.name;
    EXPECT_THAT(files[files.size() - 3].name, HasSubstr("two_link_step_test.")) << row.name;
    const std::string &build = files[files.size() - 2].text, &readme = files.back().text;
    EXPECT_EQ(files.back().name, "README.md");
    EXPECT_THAT(build, HasSubstr("two_link_step_test")) << row.name;
    EXPECT_THAT(readme, HasSubstr("- `two_link_step`\n\nEach header says")) << row.name;
    EXPECT_THAT(readme, HasSubstr("To test it against the vectors inside:")) << row.name;
  }
}

TEST(Generate, CInSinglePrecisionIsRefused) {
  GenerateOptions options;
  options.algorithms = {Algorithm::inverse_dynamics};
  options.single = true;
  try {
    generate_code(robot("two_link.yaml"), options);
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "code in C99 computes in double precision. Take away --single, or choose C++ on lanes.  "
                 "[generate-not-available]");
  }
}

TEST(Generate, CudaHoldsAKernelATestAndARollout) {
  GenerateOptions options;
  options.algorithms = {Algorithm::step};
  options.target = Target::cuda;
  const auto files = generate_code(robot("two_link.yaml"), options);
  EXPECT_EQ(files[0].name, "two_link_step.cuh");
  EXPECT_THAT(files[0].text, HasSubstr(" two_link_step(int states"));
  EXPECT_THAT(files[0].text, HasSubstr("__launch_bounds__("));
  EXPECT_THAT(files[0].text, HasSubstr("two_link_step_rollout(int states, int steps"));
  EXPECT_THAT(files[1].text, HasSubstr("there is no CUDA device"));
}

TEST(Generate, TestsOfLongChainsHoldNoMassMatrix) {
  Model chain("chain");
  for (int k = 0; k < 600; ++k) {
    chain.add(concat("b", k), RigidBody{.mass = 1, .com = {0, 0, 0.1}, .inertia = SymMat3<double>::identity()});
    chain.add(concat("j", k), Joint{}, k == 0 ? std::string("world") : concat("b", k - 1), concat("b", k));
  }
  GenerateOptions options;
  options.algorithms = {Algorithm::forward_dynamics};
  options.target = Target::cuda;
  for (const GeneratedFile& file : generate_code(chain, options)) {
    EXPECT_THAT(file.text, Not(HasSubstr("expected_M"))) << file.name;
    EXPECT_LT(file.text.size(), 5'000'000u) << file.name << ", where six mass matrices take 40 MB";
  }
}

/// The kernel with one thread per state, compiled without CUDA, with the tables of its own test.
TEST(Generate, TheFormulasOfAKernelAreRightOnAProcessor) {
  if (!has_program("c++")) GTEST_SKIP() << "there is no C++ compiler";
  GenerateOptions options;
  options.algorithms = {Algorithm::forward_dynamics};
  options.target = Target::cuda;
  std::vector<GeneratedFile> files = generate_code(robot("quadruped.yaml"), options);
  const std::string test = files[1].text;
  const std::size_t begin = test.find("enum { STATES"), end = test.find("static void must");
  ASSERT_LT(begin, end);
  files.push_back({"t.cpp", R"(
#include <math.h>
#include <stdio.h>
#define __global__
#define __launch_bounds__(...)
struct Place { unsigned x; };
static Place blockIdx{0}, threadIdx{0}, blockDim{1};
#include "quadruped_forward_dynamics.cuh"
)" + test.substr(begin, end - begin) +
                                R"(
enum { N = sizeof(given_tau[0]) / sizeof(double) };
int main()
{
  double apart = 0, size = 0, rest = 0;
  for (int i = 0; i < STATES; ++i) {
    double vdot[N];
    quadruped_forward_dynamics_device::quadruped_forward_dynamics<double>(1, given_q[i], given_v[i], given_tau[i], vdot);
    for (int k = 0; k < N; ++k) {
      apart += pow(vdot[k] - expected_vdot[i][k], 2), size += pow(expected_vdot[i][k], 2);
      double r = expected_bias[i][k] - given_tau[i][k];
      for (int j = 0; j < N; ++j) r += expected_M[i][k * N + j] * vdot[j];
      rest = fmax(rest, fabs(r));
    }
  }
  printf("distance %g, residual %g\n", sqrt(apart / size), rest);
  return sqrt(apart / size) <= 1e-10 && rest <= 1e-8 ? 0 : 1;
}
)"});
  const Folder folder(files);
  const auto [code, said] = folder.run("c++ -std=c++17 -O0 t.cpp -o t && ./t");
  EXPECT_EQ(code, 0) << said;
  EXPECT_THAT(said, HasSubstr("distance"));
}

}  // namespace
}  // namespace articula::test
