#pragma once

#include <articula/generate/generate.h>
#include <articula/generate/internal/test_vectors.h>

namespace articula::generate {

/// The files of one call of `generate`, growing.
struct Package {
  const GenerateOptions& options;
  std::string model;   ///< its name, as the user wrote it
  std::string prefix;  ///< an identifier
  std::vector<GeneratedFile> files;
  std::vector<std::string> functions;  ///< their names in the code
  std::vector<std::string> in_loops;   ///< those that need a workspace
};

/// A language that functions are written in: a file in languages/ and a line in ARTICULA_LANGUAGES.
struct Language {
  bool many_states = false;  ///< a call computes many states rather than one
  /// Adds the source of a function that is called `name` in the code, and its test `name_test`.
  void (*add_function)(Package& package, const RecordedFunction& function, const TestVectors& vectors,
                       const std::string& name) = nullptr;
  /// Adds what builds and runs all tests.
  void (*add_build)(Package& package) = nullptr;
  std::string_view notes;      ///< what the code needs, for README.md
  bool has_workspace = false;  ///< long functions are loops with a static workspace
  std::string_view test_command = "cmake -B build && cmake --build build && ctest --test-dir build";
};

const Language& language_of(Target target);

#define ARTICULA_DECLARE(name, title) extern const Language name##_language;
ARTICULA_LANGUAGES(ARTICULA_DECLARE)
#undef ARTICULA_DECLARE

/// README.md, and what builds and runs the tests.
void add_readme_and_build(Package& package);

/// How CMake builds the tests of a language that it knows.
struct CMakeProject {
  std::string_view language, settings, ending;
  bool has_sources = false;       ///< a test is built from `NAME.ending` beside `NAME_test.ending`
  std::string_view library = {};  ///< that tests are linked with
};
void add_cmake(Package& package, const CMakeProject& project);

}  // namespace articula::generate
