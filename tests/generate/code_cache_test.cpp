// The code cache under attack: damaged and foreign entries, folders of other users, compilers that fail or read the
// environment, leftovers of killed processes.

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>

#include <articula/base/error.h>
#include <articula/formats/load.h>
#include <articula/generate/compile.h>
#include <articula/generate/device.h>
#include <articula/generate/record.h>
#include <articula/solve/forward_dynamics.h>

#include "generate/evaluate.h"
#include "support/temporary_folder.h"

namespace articula::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

std::string text_of(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

void write(const fs::path& file, const std::string& text) { std::ofstream(file, std::ios::binary) << text; }

void write_program(const fs::path& file, const std::string& text) {
  write(file, "#!/bin/sh\n" + text);
  chmod(file.c_str(), 0700);
}

/// Sets an environment variable during its lifetime.
class Setting {
 public:
  Setting(const char* name, const std::string& value) : name_(name) {
    const char* const before = std::getenv(name);
    if (before != nullptr) before_ = before;
    setenv(name, value.c_str(), 1);
  }
  ~Setting() { before_ ? setenv(name_, before_->c_str(), 1) : unsetenv(name_); }
  Setting(const Setting&) = delete;
  Setting& operator=(const Setting&) = delete;

 private:
  const char* name_;
  std::optional<std::string> before_;
};

class CodeCache : public testing::Test {
 protected:
  void SetUp() override {
    if (std::system("command -v cc >/dev/null 2>&1") != 0) GTEST_SKIP() << "there is no C compiler";
    // It compiles each text once and remembers what came out, so that many damaged entries are soon made again.
    const std::string memory = (folder / "memory").string();
    fs::create_directory(memory);
    write_program(folder / "cc",
                  "for word; do case $word in *.c) text=$word;; *.so) out=$word;; esac; done\n"
                  "sum=$(cksum < \"$text\" | tr -c '0-9\\n' _)\n"
                  "[ -f '" +
                      memory +
                      "'/$sum ] || cc \"$@\" -O0 || exit 1\n"
                      "[ -f '" +
                      memory + "'/$sum ] || cp \"$out\" '" + memory +
                      "'/$sum\n"
                      "cp '" +
                      memory + "'/$sum \"$out\"\n");
    options.compiler = (folder / "cc").string();
    options.cache = (folder / "cache").string();
  }

  fs::path only_entry() const {
    fs::path found;
    for (const auto& each : fs::directory_iterator(options.cache)) {
      EXPECT_TRUE(found.empty()) << "more than one";
      found = each.path();
    }
    return found;
  }

  /// The mass matrix that a function computes, and whether the cache had its code.
  struct Result {
    std::vector<double> M;
    bool was_cached = false;
    friend bool operator==(const Result&, const Result&) = default;
  };
  static std::vector<double> masses(const CompiledFunction& code) {
    const std::vector<double> q{0.3, -0.7};
    std::vector<double> M(4);
    const double* const in[] = {q.data()};
    double* const out[] = {M.data()};
    code(in, out);
    return M;
  }
  Result result() const {
    const CompiledFunction code(function, options);
    return {masses(code), code.was_cached()};
  }

  std::pair<std::string, std::string> error() const {
    try {
      result();
    } catch (const Error& error) {
      return {error.code(), error.message()};
    }
    return {};
  }

  const test::TemporaryFolder temporary;
  const fs::path folder = temporary.path();
  const Model two_link = load(ARTICULA_SOURCE_DIR "/models/two_link.yaml");
  const RecordedFunction function = record(Algorithm::mass_matrix, build_mechanism(two_link));
  CompileOptions options;
};

TEST_F(CodeCache, DamagedEntriesAreCompiledAgain) {
  const Result good = result();
  EXPECT_FALSE(good.was_cached);
  EXPECT_TRUE(result().was_cached);
  const fs::path entry = only_entry();
  const std::string whole = text_of(entry);
  std::vector<std::string> damaged{"", "x", whole.substr(0, whole.size() - 1), whole + "\n", whole + whole};
  for (std::size_t k = 0; k < 40; ++k) {
    std::string text = whole;
    const std::size_t at = whole.size() * k / 40;
    text[at] = static_cast<char>(text[at] ^ (1 << k % 8));
    damaged.push_back(text);
    if (k % 4 == 0) damaged.push_back(whole.substr(0, at));
  }
  for (std::size_t k = 0; k < damaged.size(); ++k) {
    write(entry, damaged[k]);
    EXPECT_EQ(result(), good) << "damage " << k;
    EXPECT_EQ(text_of(entry), whole) << "damage " << k;
  }
}

TEST_F(CodeCache, ForeignEntriesAreCompiledAgain) {
  const Result good = result();
  const fs::path entry = only_entry();
  const std::string whole = text_of(entry);
  const auto mended = [&](const char* what) {
    EXPECT_EQ(result(), good) << what;
    EXPECT_TRUE(result().was_cached) << what;
  };

  CompileOptions elsewhere = options;
  elsewhere.cache = (folder / "other").string();
  const CompiledFunction other(record(Algorithm::gravity, build_mechanism(two_link)), elsewhere);
  write(entry, text_of(fs::directory_iterator(elsewhere.cache)->path()));
  mended("whole, but of another source");

  write(folder / "copy", whole);
  fs::remove(entry);
  fs::create_symlink(folder / "copy", entry);
  mended("a link");

  chmod(entry.c_str(), 0666);
  mended("one that others may write to");

  fs::remove(entry);
  ASSERT_EQ(mkfifo(entry.c_str(), 0600), 0);
  mended("a pipe");

  fs::remove(entry);
  fs::create_directory(entry);
  EXPECT_EQ(result(), good) << "its place is taken by a folder: the code runs all the same";
}

TEST_F(CodeCache, LoadedFunctionsAreNotTakenForEachOther) {
  const CompiledFunction first(function, options);
  const std::vector<double> before = masses(first);
  for (int k = 0; k < 5; ++k) {
    Model model = two_link;
    model.environment.gravity = UniformGravity{{0, 0, -1.0 - k}};
    const RecordedFunction weights = record(Algorithm::gravity, build_mechanism(model));
    const CompiledFunction second(weights, options);
    const std::vector<double> q{0.3, -0.7}, expected = test::evaluate(weights, {q, {}, {}, {}});
    std::vector<double> tau(2);
    const double* const in[] = {q.data()};
    double* const out[] = {tau.data()};
    second(in, out);
    EXPECT_NEAR(tau[0], expected[0], 1e-12 * std::abs(expected[0]));
    EXPECT_EQ(masses(first), before);
  }
}

TEST_F(CodeCache, AFolderThatOthersCouldExchangeIsRefused) {
  const fs::path parent = folder / "parent";
  fs::create_directory(parent);
  options.cache = (parent / "sub" / "cache").string();
  chmod(parent.c_str(), 0777);
  const auto [code, message] = error();
  EXPECT_EQ(code, "cache-unsafe");
  EXPECT_EQ(message, "others may write to the folder \"" + fs::canonical(parent).string() +
                         "\" on its path, so that code in it cannot be trusted. It must belong to you, and nobody else "
                         "may write to it; folders on its path may also be root's. Change that, or choose another "
                         "folder with XDG_CACHE_HOME.");
  chmod(parent.c_str(), 01777);
  EXPECT_EQ(error().first, "") << "nobody can exchange what lies in a sticky folder";
  chmod(parent.c_str(), 0770);
  EXPECT_EQ(error().first, "cache-unsafe") << "a group is others too";

  fs::create_directory_symlink(parent / "sub", folder / "link");
  options.cache = (folder / "link" / "cache").string();
  EXPECT_EQ(error().first, "cache-unsafe") << "where a link leads counts";
  chmod(parent.c_str(), 0700);
  EXPECT_EQ(error().first, "");
  if (geteuid() == 0) {
    ASSERT_EQ(chown(parent.c_str(), 65534, 65534), 0);
    EXPECT_THAT(error().second, HasSubstr("on its path belongs to somebody else, so that"));
  }
}

TEST_F(CodeCache, ACompilerThatFailsMakesSolversFlat) {
  write_program(folder / "cc", "echo out of luck\nexit 7\n");
  const Setting cache("XDG_CACHE_HOME", folder.string()), path("PATH", folder.string());
  SolverOptions generated;
  generated.run_as = RunAs::generated;
  const ForwardDynamics motion(two_link, generated);
  EXPECT_EQ(motion.run_as(), RunAs::flat);
  ASSERT_EQ(motion.findings().size(), 1u);
  EXPECT_EQ(motion.findings()[0].severity, Severity::warning);
  EXPECT_EQ(motion.findings()[0].code, "compile-failed");
  EXPECT_EQ(motion.findings()[0].message,
            "ForwardDynamics: \"" + (folder / "cc").string() +
                "\" ended with status 7. It says: \"out of luck\\n\". Free space on the disk, or run as \"flat\". It "
                "runs as \"flat\" now.");
}

TEST_F(CodeCache, ACompilerThatGivesNothingHasFailed) {
  write_program(folder / "cc", "exit 0\n");
  EXPECT_EQ(error().second, "\"" + (folder / "cc").string() +
                                "\" ended with status 0 and gave no code. Free space on the disk, or run as \"flat\".");
  write_program(folder / "cc",
                "while [ $# -gt 1 ]; do shift; [ \"$1\" = -o ] && echo rubbish > \"$2\"; done; exit 0\n");
  EXPECT_EQ(error().first, "compile-failed");
  EXPECT_THAT(error().second, HasSubstr("the compiled code cannot be loaded: "));
}

TEST_F(CodeCache, CompilersSeeLittleOfTheEnvironmentAndNothingOfTheCurrentFolder) {
  const fs::path seen = folder / "seen";
  write_program(folder / "cc", "{ env; pwd; } > '" + seen.string() + "'\nexec /usr/bin/env cc \"$@\"\n");
  const Setting a("CPATH", ":/tmp"), b("LIBRARY_PATH", "."), c("COMPILER_PATH", "."), d("GCC_EXEC_PREFIX", "./"),
      e("NVCC_PREPEND_FLAGS", "-I."), f("SECRET", "1"),
      path("PATH", std::string(".::bin:") + std::getenv("PATH") + ":");
  const std::string here = fs::current_path().string();
  EXPECT_EQ(error().first, "");
  const std::string text = text_of(seen);
  for (const char* const name : {"CPATH", "LIBRARY_PATH", "COMPILER_PATH", "GCC_EXEC_PREFIX", "NVCC_PREPEND", "SECRET"})
    EXPECT_THAT(text, Not(HasSubstr("\n" + std::string(name) + "="))) << name;
  EXPECT_THAT(text, HasSubstr("LC_ALL=C\n"));
  EXPECT_THAT(text, HasSubstr("\nPATH=/"));
  EXPECT_THAT(text, Not(HasSubstr(":bin:")));
  EXPECT_THAT(text, HasSubstr(fs::canonical(options.cache).string() + "/articula-compile-"));
  EXPECT_THAT(text, Not(HasSubstr("\n" + here + "\n")));
}

TEST_F(CodeCache, AnAssemblerInTheCurrentFolderIsNotRun) {
  options.compiler = "cc";
  const fs::path trap = folder / "trap";
  fs::create_directory(trap);
  for (const char* const name : {"as", "ld", "cc1", "collect2"})
    write_program(trap / name, "echo caught > '" + (folder / "caught").string() + "'\nexit 1\n");
  const fs::path before = fs::current_path();
  fs::current_path(trap);
  const Setting path("PATH", std::string(".:") + std::getenv("PATH")), more("COMPILER_PATH", ".");
  const auto [code, message] = error();
  fs::current_path(before);
  EXPECT_EQ(code, "") << message;
  EXPECT_FALSE(fs::exists(folder / "caught"));
}

TEST_F(CodeCache, ADriverInTheCurrentFolderIsNotLoaded) {
  const Setting list("LD_LIBRARY_PATH", "/nowhere::.");
  DeviceOptions gpu;
  gpu.driver = "libno_such_driver.so.1";
  try {
    DeviceFunction<double> device(function, 1, gpu);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), "no-gpu");
    EXPECT_THAT(
        error.message(),
        HasSubstr("the NVIDIA driver's library \"libno_such_driver.so.1\" is in no folder where it is usually "
                  "installed, and LD_LIBRARY_PATH is not followed since it holds the current folder (a relative "
                  "or empty entry). Use"));
  }
}

TEST_F(CodeCache, LitterOfKilledCompilationsIsRemoved) {
  const fs::path cache = options.cache;
  fs::create_directory(cache);
  const auto age = [](const fs::path& path, std::chrono::hours by) {
    fs::last_write_time(path, fs::file_time_type::clock::now() - by);
  };
  const auto make_folder = [&](const char* name) {
    fs::create_directory(cache / name);
    write(cache / name / "code.c", "int x;");
    return cache / name;
  };
  const fs::path dead = make_folder("articula-compile-dead01"), alive = make_folder("articula-compile-alive1"),
                 young = make_folder("articula-compile-young1"), other = make_folder("my-articula-compile");
  const std::string digits = "0123456789abcdef0123456789abcdef";
  const fs::path old = cache / (digits + ".4242.0.so"), fresh = cache / (digits + ".4243.1.c"),
                 mine = cache / (digits + ".notes.1.c");
  for (const fs::path& file : {old, fresh, mine}) write(file, "x");
  for (const fs::path& path : {dead, alive, other, old, mine}) age(path, std::chrono::hours(48));
  const int lock = open(alive.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  ASSERT_EQ(flock(lock, LOCK_EX | LOCK_NB), 0);

  EXPECT_FALSE(result().was_cached);
  for (const fs::path& gone : {dead, old}) EXPECT_FALSE(fs::exists(gone)) << gone;
  for (const fs::path& kept : {alive, young, other, fresh, mine}) EXPECT_TRUE(fs::exists(kept)) << kept;
  close(lock);
}

TEST_F(CodeCache, ACompilationLeavesItsEntryAndNothingElse) {
  result();
  for (const auto& each : fs::directory_iterator(options.cache)) EXPECT_EQ(each.path().extension(), ".so") << each;
  EXPECT_EQ(fs::status(only_entry()).permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

}  // namespace
}  // namespace articula::test
