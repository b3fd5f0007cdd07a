/// Stores with flipped bits, or truncated: no command crashes, no data differ silently, and `verify` and `resume`
/// agree. ARTICULA_FLIPS is the number of damaged copies.

#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <articula/base/text.h>

#include "cli/program.h"

namespace {

namespace fs = std::filesystem;
using articula::base::concat;
using ::testing::AnyOf;
using ::testing::HasSubstr;

std::string bytes_of(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST(Damage, OfAStoreIsFoundAndMended) {
  const char* wish = std::getenv("ARTICULA_FLIPS");
  const int copies = wish == nullptr ? 20 : std::atoi(wish);
  const unsigned seed = std::random_device()();
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  std::mt19937 random(seed);
  const TemporaryFolder folder;
  folder.file("arm.yaml",
              "articula: 1\nname: arm\nbodies: {rod: {mass: 1, com: [0, 0, -0.5], inertia: {xx: 1, yy: 1, zz: 1}}}\n"
              "joints: {hinge: {type: revolute, axis: y, from: world, to: rod}}\n");
  const std::string study =
      folder.file("swing.yaml",
                  "articula_study: 1\nmodel: arm.yaml\nstart: {q: {hinge: 1}}\ntasks:\n"
                  "  motion: {type: simulate, until: 5 s}\n  fall: {type: simulate, until: 2 s}\n"
                  "checks: [{task: motion, signal: q.hinge, take: first, expect: 1, within: 1}]\n");
  const std::string good = folder.path("good.db"), bad = folder.path("bad.db");
  ASSERT_EQ(articula_program("run " + study + " --store " + good).code, 0);
  const std::string whole = bytes_of(good);
  ASSERT_FALSE(fs::exists(good + "-wal"));
  int sound = 0, damaged = 0, mended = 0, unreadable = 0;
  const auto clear = [&] {
    for (const auto& entry : fs::directory_iterator(folder.path())) {
      if (entry.path().filename().string().starts_with("bad")) fs::remove(entry.path());
    }
  };
  for (int k = 0; k < copies; ++k) {
    clear();
    std::string bytes = whole;
    const std::size_t at = std::uniform_int_distribution<std::size_t>(0, whole.size() - 1)(random);
    const bool cut = k % 5 == 4;
    if (cut) {
      bytes.resize(at);
    } else {
      bytes[at] = static_cast<char>(bytes[at] ^ 1 << std::uniform_int_distribution(0, 7)(random));
    }
    std::ofstream(bad, std::ios::binary) << bytes;
    SCOPED_TRACE(testing::Message() << (cut ? "cut" : "flipped") << " at " << at << " of " << whole.size());
    const Outcome verified = articula_program("runs verify --store " + bad);
    EXPECT_THAT(verified.code, AnyOf(0, 1, 3)) << verified.err;
    for (const char* command : {"runs list", "runs show latest", "report latest -o /dev/null --force"}) {
      EXPECT_THAT(articula_program(concat(command, " --store ", bad)).code, AnyOf(0, 1, 2, 3, 5)) << command;
    }
    const Outcome same = articula_program("runs compare latest latest --store " + good + " --other-store " + bad);
    if (verified.code == 0) {
      // Bytes that mean nothing, or a text about the run.
      ++sound;
      EXPECT_THAT(same.out, HasSubstr("are bit-identical")) << same.err;
      continue;
    }
    ++damaged;
    // What verify finds, resume mends, or refuses.
    const Outcome resumed = articula_program("runs resume latest --store " + bad);
    EXPECT_THAT(resumed.code, AnyOf(0, 1, 3, 5)) << resumed.err;
    if (resumed.code != 0) {
      ++unreadable;
      EXPECT_NE(resumed.err, "");
      continue;
    }
    ++mended;
    const Outcome again = articula_program("runs compare latest latest --store " + good + " --other-store " + bad);
    EXPECT_THAT(again.out, HasSubstr("are bit-identical")) << verified.err << resumed.out << again.err;
  }
  std::printf("%d copies: %d sound, %d damaged, of which %d mended and %d refused\n", copies, sound, damaged, mended,
              unreadable);
}

}  // namespace
