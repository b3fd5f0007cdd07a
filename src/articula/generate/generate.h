#pragma once

#include <array>
#include <string_view>

#include <articula/generate/record.h>
#include <articula/model/model.h>

namespace articula::generate {

/// All target languages. A new one is a file in languages/ and a line here, with its name in `Target` and in text, and
/// its title.
#define ARTICULA_LANGUAGES(X) \
  X(c, "C99")                 \
  X(cpp, "C++ on lanes")      \
  X(cuda, "CUDA")

/// C for controllers, one state per call; C++, a pack of states per call on SIMD lanes; CUDA for many states: one
/// thread for each, or several warps for 32 of them.
#define ARTICULA_ENUMERATE(name, title) name,
enum class Target : unsigned char { ARTICULA_LANGUAGES(ARTICULA_ENUMERATE) };
#undef ARTICULA_ENUMERATE

struct TargetTraits {
  Target target;
  std::string_view name, title;
};

#define ARTICULA_ROW(name, title) TargetTraits{Target::name, #name, title},
inline constexpr std::array all_targets{ARTICULA_LANGUAGES(ARTICULA_ROW)};
#undef ARTICULA_ROW

struct GenerateOptions {
  std::vector<Algorithm> algorithms;
  Target target = Target::c;
  RecordOptions record;
  std::string prefix;             ///< of all names; empty: derived from the name of the model
  bool single = false;            ///< float instead of double: for lanes and CUDA
  int most_operations = 200'000;  ///< of one function; longer code is an error
  int test_states = 6;
  BuildOptions build;
  std::string origin;  ///< lines for the comment at the top of every file: the model and the command
};

struct GeneratedFile {
  std::string name, text;
};

/// Functions as source text with a header, a test with its test vectors, a CMakeLists.txt and a README.md. The text
/// depends on the model and the options only.
///
/// Throws an Error if code cannot be generated.
ARTICULA_EXPORT std::vector<GeneratedFile> generate_code(const Model& model, const GenerateOptions& options);

/// The C source of one function with the name `name`.
ARTICULA_EXPORT std::string c_source(const RecordedFunction& function, const std::string& name);

}  // namespace articula::generate
