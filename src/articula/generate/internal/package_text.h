#pragma once

#include <articula/generate/generate.h>
#include <articula/generate/internal/c_text.h>

namespace articula {

/// The files of one call of `generate`, growing.
struct Package {
  const GenerateOptions& options;
  std::string model;   ///< its name, as the user wrote it
  std::string prefix;  ///< an identifier
  std::vector<GeneratedFile> files;
  std::vector<std::string> functions;  ///< their names in the code
  std::vector<std::string> in_loops;   ///< those that need a workspace
};

/// Source, header and test of a function, in the target's language.
void add_function(Package& package, const RecordedFunction& function, const TestVectors& vectors);

void add_c_function(Package& package, const RecordedFunction& function, const TestVectors& vectors,
                    const std::string& name);
void add_cpp_function(Package& package, const RecordedFunction& function, const TestVectors& vectors,
                      const std::string& name);
void add_cuda_function(Package& package, const RecordedFunction& function, const TestVectors& vectors,
                       const std::string& name);

/// README.md and CMakeLists.txt.
void add_readme_and_build(Package& package);

}  // namespace articula
