// Recorded functions on a GPU, or on a substitute for one: sizes, layouts, copies, the cache, and errors.

#include <articula/generate/device.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <limits>

#include <articula/base/error.h>
#include <articula/formats/load.h>
#include <articula/generate/record.h>

#include "generate/evaluate.h"
#include "support/device_stand_in.h"

namespace articula::test {
namespace {

using test::OnDevice;
using testing::AllOf;
using testing::HasSubstr;

using DeviceFunctions = OnDevice;

RecordedFunction recorded(Algorithm algorithm, const char* model = "two_link.yaml") {
  return record(algorithm, build_mechanism(load(std::string(ARTICULA_SOURCE_DIR "/models/") + model)));
}

/// The code and message of the Error that `f` throws.
template <class F>
std::pair<std::string, std::string> error_of(F&& f) {
  try {
    f();
  } catch (const Error& error) {
    return {error.code(), error.message()};
  }
  return {"none", ""};
}

/// Sets an environment variable during its lifetime.
struct Setting {
  Setting(const char* name, const char* value) : name_(name) { setenv(name, value, 1); }
  ~Setting() { unsetenv(name_); }
  const char* name_;
};

TEST_F(DeviceFunctions, GiveWhatTheirExpressionsGive) {
  constexpr int states = 300;  // more than two blocks, and no multiple of anything
  const RecordedFunction function = recorded(Algorithm::inverse_dynamics);
  DeviceFunction torques(function, states, options);
  std::vector<double> q, v, vdot, tau(2 * states);
  for (int i = 0; i < 2 * states; ++i) {
    q.push_back(0.01 * i), v.push_back(1 - 0.02 * i), vdot.push_back(0.3 * (i % 7));
  }
  torques.input("q").load(q);
  torques.input("v").load(v);
  torques.input("vdot").load(vdot);
  torques.compute();
  torques.output("tau").store(tau);
  for (std::size_t i = 0; i < states; ++i) {
    const auto row = [&](const std::vector<double>& x) { return std::vector{x[2 * i], x[2 * i + 1]}; };
    const std::vector<double> expected = test::evaluate(function, {row(q), row(v), row(vdot), {}});
    EXPECT_NEAR(tau[2 * i], expected[0], 1e-12 * std::abs(expected[0]) + 1e-12) << i;
    EXPECT_NEAR(tau[2 * i + 1], expected[1], 1e-12 * std::abs(expected[1]) + 1e-12) << i;
  }
}

TEST_F(DeviceFunctions, RowsBecomeColumnsAndBack) {
  constexpr int states = 11;
  options.stage_bytes = 3 * 2 * sizeof(float);  // three states at a time
  DeviceFunction<float> function(recorded(Algorithm::mass_matrix), states, options);
  DeviceArray<float>& q = function.input("q");
  EXPECT_EQ(q.width(), 2);
  std::vector<float> rows, columns(2 * states), back(2 * states);
  for (int i = 0; i < 2 * states; ++i) rows.push_back(static_cast<float>(i));
  q.load(rows);
  q.store(columns, StatesAs::columns);
  for (std::size_t i = 0; i < states; ++i) {
    EXPECT_EQ(columns[i], rows[2 * i]);
    EXPECT_EQ(columns[states + i], rows[2 * i + 1]);
  }
  q.store(back);
  EXPECT_EQ(back, rows);
  q.clear();
  q.load(columns, StatesAs::columns);
  q.store(back);
  EXPECT_EQ(back, rows);
  q.fill(1, 7.0f);
  q.store(back, StatesAs::columns);
  EXPECT_EQ(back[0], 0.0f);
  EXPECT_EQ(back[states], 7.0f);
  EXPECT_EQ(back[2 * states - 1], 7.0f);
}

TEST_F(DeviceFunctions, TheFirstStateThatIsNotFiniteIsFound) {
  DeviceFunction function(recorded(Algorithm::mass_matrix), 500, options);
  DeviceArray<double>& q = function.input("q");
  EXPECT_EQ(q.first_not_finite(), -1);
  std::vector<double> rows(1000);
  rows[2 * 400] = rows[2 * 321 + 1] = std::numeric_limits<double>::quiet_NaN();
  rows[2 * 499] = std::numeric_limits<double>::infinity();
  q.load(rows);
  EXPECT_EQ(q.first_not_finite(), 321);
}

TEST_F(DeviceFunctions, TheSecondTimeTheCacheServes) {
  if (real()) GTEST_SKIP() << "the cache may be warm";
  const RecordedFunction function = recorded(Algorithm::mass_matrix);
  EXPECT_FALSE(DeviceFunction(function, 10, options).was_cached());
  EXPECT_TRUE(DeviceFunction(function, 20, options).was_cached()) << "the number of states is no part of the code";
  EXPECT_FALSE(DeviceFunction<float>(function, 10, options).was_cached());
}

TEST_F(DeviceFunctions, TheDeviceIsNamed) {
  DeviceFunction function(recorded(Algorithm::mass_matrix), 1, options);
  EXPECT_EQ(function.device().name, find_devices(options.driver).at(0).name);
  EXPECT_GE(function.device().architecture, 50);
  EXPECT_TRUE(real() || function.device().architecture == 90);
}

TEST_F(DeviceFunctions, WrongSizesAreRefused) {
  DeviceFunction function(recorded(Algorithm::mass_matrix), 10, options);
  const auto [code, message] = error_of([&] { function.input("q").load(std::vector<double>(19)); });
  EXPECT_EQ(code, "device-size");
  EXPECT_EQ(message, "q on the host has 19 numbers, but 10 states of 2 need 20.");
  std::vector<double> M(10);
  EXPECT_EQ(error_of([&] { function.output("M").store(M); }).first, "device-size");
  EXPECT_EQ(error_of([&] { DeviceFunction none(recorded(Algorithm::mass_matrix), 0, options); }).first, "batch-states");
}

TEST_F(DeviceFunctions, AnUnknownArrayIsRefusedWithTheChoices) {
  DeviceFunction function(recorded(Algorithm::inverse_dynamics), 1, options);
  const auto [code, message] = error_of([&] { function.input("vdott"); });
  EXPECT_EQ(code, "device-no-such-array");
  EXPECT_EQ(message, "there is no array \"vdott\". Did you mean \"vdot\"? Arrays: q, v, vdot.");
}

TEST_F(DeviceFunctions, OnlyAStepIsRolledOut) {
  DeviceFunction function(recorded(Algorithm::mass_matrix), 1, options);
  const auto [code, message] = error_of([&] { function.roll_out(3); });
  EXPECT_EQ(code, "device-no-steps");
  EXPECT_EQ(message, "this function takes no steps. Record Algorithm::step to roll out.");
}

TEST_F(DeviceFunctions, CodeThatWouldBeTooLongIsRefused) {
  options.most_operations = 5;
  const auto [code, message] =
      error_of([&] { DeviceFunction function(recorded(Algorithm::inverse_dynamics), 1, options); });
  EXPECT_EQ(code, "generate-too-large");
  EXPECT_THAT(message, AllOf(HasSubstr("inverse_dynamics takes "), HasSubstr("of which 5 are allowed"),
                             HasSubstr("or run batched on the CPU.")));
}

TEST_F(DeviceFunctions, AMachineWithoutADriverHasNoGpu) {
  options.driver = "libno_such_driver.so.1";
  EXPECT_TRUE(find_devices(options.driver).empty());
  const auto [code, message] = error_of([&] { DeviceFunction function(recorded(Algorithm::mass_matrix), 1, options); });
  EXPECT_EQ(code, "no-gpu");
  EXPECT_THAT(message, HasSubstr("there is no GPU to compute on: the NVIDIA driver's library "
                                 "\"libno_such_driver.so.1\" cannot be loaded ("));
  EXPECT_THAT(message, HasSubstr("Use a machine with an NVIDIA GPU and its driver, or run batched on the CPU."));
}

TEST_F(DeviceFunctions, ADriverThatFindsNoDeviceSaysSo) {
  if (real()) GTEST_SKIP() << "there is a GPU";
  const auto refused = [&] {
    return error_of([&] { DeviceFunction function(recorded(Algorithm::mass_matrix), 1, options); });
  };
  {
    const Setting none("ARTICULA_STAND_IN_DEVICES", "0");
    EXPECT_EQ(refused().first, "no-gpu");
    EXPECT_THAT(refused().second, HasSubstr("there is no GPU to compute on: the NVIDIA driver finds none. Use"));
  }
  {
    const Setting broken("ARTICULA_STAND_IN_BROKEN", "1");
    EXPECT_EQ(refused().first, "no-gpu");
    EXPECT_THAT(refused().second, HasSubstr("the NVIDIA driver finds none (cuInit gave 100)"));
  }
  const Setting two("ARTICULA_STAND_IN_DEVICES", "2");
  options.device = 2;
  EXPECT_EQ(
      refused().second,
      "there is no GPU 2. There are 2, counted from 0, the first \"Stand-in\". Choose one of them, or run batched "
      "on the CPU.");
}

TEST_F(DeviceFunctions, AMachineWithoutACudaCompilerSaysWhereItLooked) {
  options.compiler = "nvcc-of-nowhere";
  auto [code, message] = error_of([&] { DeviceFunction function(recorded(Algorithm::mass_matrix), 1, options); });
  EXPECT_EQ(code, "no-cuda-compiler");
  EXPECT_EQ(
      message,
      "there is no CUDA compiler \"nvcc-of-nowhere\" on this machine, neither on the PATH nor in $CUDA_HOME/bin or "
      "/usr/local/cuda/bin. Install the CUDA toolkit, name its compiler in DeviceOptions::compiler, or run batched "
      "on the CPU.");
  options.compiler = "/no/such/nvcc";
  EXPECT_EQ(
      error_of([&] { DeviceFunction function(recorded(Algorithm::mass_matrix), 1, options); }).second,
      "there is no CUDA compiler \"/no/such/nvcc\" on this machine. Install the CUDA toolkit, name its compiler in "
      "DeviceOptions::compiler, or run batched on the CPU.");
}

TEST_F(DeviceFunctions, TheCompilerIsFoundWhereCudaIsInstalled) {
  if (real()) GTEST_SKIP() << "there is a compiler";
  const Setting home("CUDA_HOME", folder.c_str());
  std::filesystem::create_directory(folder / "bin");
  std::filesystem::create_symlink(stand_in + "/nvcc", folder / "bin" / "nvcc_stand_in");
  std::filesystem::create_symlink(stand_in + "/cuda_runtime.h", folder / "bin" / "cuda_runtime.h");
  options.compiler = "nvcc_stand_in";
  EXPECT_NO_THROW(DeviceFunction(recorded(Algorithm::mass_matrix), 1, options));
}

TEST_F(DeviceFunctions, ACompilerThatFailsIsAnErrorWithWhatItSaid) {
  options.compiler = (folder / "bad_nvcc").string();
  std::ofstream(options.compiler) << "#!/bin/sh\necho out of luck\nexit 7\n";
  std::filesystem::permissions(options.compiler, std::filesystem::perms::owner_all);
  const auto [code, message] = error_of([&] { DeviceFunction function(recorded(Algorithm::mass_matrix), 1, options); });
  EXPECT_EQ(code, "compile-failed");
  EXPECT_THAT(message, AllOf(HasSubstr("ended with status 7"), HasSubstr("out of luck"),
                             HasSubstr("Free space on the disk, or run batched on the CPU.")));
}

TEST_F(DeviceFunctions, MoreThanTheDeviceHoldsIsRefusedAndNothingIsKept) {
  if (real()) GTEST_SKIP() << "of unknown size";
  const RecordedFunction function = recorded(Algorithm::inverse_dynamics);
  const auto [code, message] = error_of([&] { DeviceFunction huge(function, 2'000'000, options); });
  EXPECT_EQ(code, "device-memory");
  EXPECT_EQ(message,
            "GPU 0, \"Stand-in\", has no room for tau of 2000000 states, 32 MB: of its 100 MB 4 MB are free. Compute "
            "fewer states at once, or run batched on the CPU.");
  EXPECT_NO_THROW(DeviceFunction(function, 1'500'000, options));
}

TEST_F(DeviceFunctions, ADeviceThatFailsIsAnError) {
  if (real()) GTEST_SKIP() << "no failure to be had";
  DeviceFunction function(recorded(Algorithm::mass_matrix), 10, options);
  const Setting fails("ARTICULA_STAND_IN_FAILS", "1");
  const auto [code, message] = error_of([&] { function.compute(); });
  EXPECT_EQ(code, "device-failed");
  EXPECT_EQ(
      message,
      "GPU 0, \"Stand-in\", failed to compute: invalid argument (1). Make it anew; if it fails again, look at the "
      "driver (nvidia-smi), or run batched on the CPU.");
}

}  // namespace
}  // namespace articula::test
