#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include <articula/generate/device.h>

#include "support/names.h"

namespace articula::test {

/// Tests of what runs on a GPU. With ARTICULA_TEST_GPU set they run there; otherwise on a stand-in, which compiles the same
/// text for the processor at hand and checks every access to the device's memory.
class OnDevice : public testing::Test {
 protected:
  static bool real() { return std::getenv("ARTICULA_TEST_GPU") != nullptr; }

  void SetUp() override {
    namespace fs = std::filesystem;
    std::string name = (fs::temp_directory_path() / "articula-device-XXXXXX").string();
    folder = mkdtemp(name.data());
    options.cache = (folder / "cache").string();
    if (real()) {
      if (find_devices().empty()) GTEST_SKIP() << "there is no GPU";
      options.cache = shared_cache();
      return;
    }
    const std::string driver = (folder / "driver.so").string();
    const std::string make = "cc -shared -fPIC '" + stand_in + "/driver.c' -o '" + driver + "' 2>/dev/null";
    if (std::system(make.c_str()) != 0) GTEST_SKIP() << "there is no C compiler";
    options.driver = driver;
    options.compiler = stand_in + "/nvcc";
  }
  void TearDown() override { std::filesystem::remove_all(folder); }

  const std::string stand_in = ARTICULA_SOURCE_DIR "/tests/support/cuda_stand_in";
  std::filesystem::path folder;
  DeviceOptions options;

 private:
  /// nvcc is slow: what several tests need is compiled once.
  static std::string shared_cache() {
    const char* const chosen = std::getenv("ARTICULA_TEST_GPU_CACHE");
    return chosen != nullptr ? chosen : "";
  }
};

}  // namespace articula::test
