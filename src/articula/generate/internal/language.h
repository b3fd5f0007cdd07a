#pragma once

#include <articula/generate/generate.h>
#include <articula/generate/internal/test_vectors.h>

namespace articula::generate {

/// The files of one call of `generate_code`, in construction.
struct Package {
  const GenerateOptions& options;
  std::string model;   ///< the user's name for it
  std::string prefix;  ///< an identifier
  std::vector<GeneratedFile> files;
  std::vector<std::string> functions;  ///< the names of functions in the code
  std::vector<std::string> in_loops;   ///< functions that need a workspace
};

/// A target language: a file in languages/ and a line in ARTICULA_LANGUAGES.
struct Language {
  bool many_states = false;  ///< a call computes many states, not one
  /// Adds the source of a function, with the name `name` in the code, and its test `name_test`.
  void (*add_function)(Package& package, const RecordedFunction& function, const TestVectors& vectors,
                       const std::string& name) = nullptr;
  /// Adds the files that build and run all tests.
  void (*add_build)(Package& package) = nullptr;
  std::string_view notes;      ///< requirements of the code, for README.md
  bool has_workspace = false;  ///< long functions are loops with a static workspace
  std::string_view test_command = "cmake -B build && cmake --build build && ctest --test-dir build";
};

const Language& language_of(Target target);

#define ARTICULA_DECLARE(name, title) extern const Language name##_language;
ARTICULA_LANGUAGES(ARTICULA_DECLARE)
#undef ARTICULA_DECLARE

/// Adds README.md and the files that build and run the tests.
void add_readme_and_build(Package& package);

/// A CMake project for the tests of a language that CMake supports.
struct CMakeProject {
  std::string_view language, settings, ending;
  bool has_sources = false;       ///< a test is built from `NAME.ending` and `NAME_test.ending`
  std::string_view library = {};  ///< linked to tests
};
void add_cmake(Package& package, const CMakeProject& project);

}  // namespace articula::generate
