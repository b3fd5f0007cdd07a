#pragma once

#include <articula/generate/record.h>
#include <articula/model/model.h>

namespace articula {

/// What code is written.
enum class Target {
  c,     ///< C99, one state a call: for controllers
  cpp,   ///< C++, a pack of states a call on SIMD lanes
  cuda,  ///< many states: one thread each, or several warps for 32 of them
};

struct GenerateOptions {
  std::vector<Algorithm> algorithms;
  Target target = Target::c;
  RecordOptions record;
  std::string prefix;             ///< of all names; empty: made from the model's name
  bool single = false;            ///< float instead of double: lanes and CUDA
  int most_operations = 200'000;  ///< of one function: longer code is refused
  int test_states = 6;
  BuildOptions build;
  std::string origin;  ///< lines for the comment at the top of every file: which model, by which command
};

struct GeneratedFile {
  std::string name, text;
};

/// Functions as source text with a header, a test that carries its own vectors, a CMakeLists.txt and a README.md. The
/// text depends on the model and the options alone.
///
/// Throws an Error for what cannot be generated.
ARTICULA_EXPORT std::vector<GeneratedFile> generate(const Model& model, const GenerateOptions& options);

/// The C source of one function called `name`.
ARTICULA_EXPORT std::string c_source(const RecordedFunction& function, const std::string& name);

}  // namespace articula
