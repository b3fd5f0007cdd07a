#include <articula/generate/internal/package_text.h>

#include <articula/base/text.h>
#include <articula/generate/internal/names.h>
#include <articula/version.h>

namespace articula {

void add_function(Package& package, const RecordedFunction& function, const TestVectors& vectors) {
  const std::string name = concat(package.prefix, "_", function.name);
  package.functions.push_back(name);
  if (function.in_loops) package.in_loops.push_back(name);
  switch (package.options.target) {
    case Target::c: return add_c_function(package, function, vectors, name);
    case Target::cpp: return add_cpp_function(package, function, vectors, name);
    case Target::cuda: return add_cuda_function(package, function, vectors, name);
  }
}

void add_c_function(Package& package, const RecordedFunction& function, const TestVectors& vectors,
                    const std::string& name) {
  package.files.push_back({name + ".h", c_header(function, name, package.model)});
  package.files.push_back({name + ".c", concat(banner(), "#include \"", name, ".h\"\n\n", c_source(function, name))});
  package.files.push_back({name + "_test.c", c_test(function, name, vectors)});
}

static std::string build_text(const Package& package) {
  const Target target = package.options.target;
  std::string text =
      concat("cmake_minimum_required(VERSION 3.18)\nproject(", package.prefix, " LANGUAGES ",
             target == Target::c     ? "C"
             : target == Target::cpp ? "CXX"
                                     : "CUDA",
             ")\nenable_testing()\nif(NOT CMAKE_BUILD_TYPE)\n  set(CMAKE_BUILD_TYPE Release)\nendif()\n");
  if (target == Target::c)
    text += "set(CMAKE_C_STANDARD 99)\nadd_compile_options(-ffp-contract=fast -fno-math-errno)\n";
  if (target == Target::cpp) {
    text += "set(CMAKE_CXX_STANDARD 17)\nadd_compile_options(-O3 -march=native -ffp-contract=fast -fno-math-errno)\n";
  }
  if (target == Target::cuda) {
    text +=
        "set(CMAKE_CUDA_STANDARD 17)\nif(NOT CMAKE_CUDA_ARCHITECTURES)\n  set(CMAKE_CUDA_ARCHITECTURES 90)\nendif()\n";
  }
  const std::string ending = target == Target::c ? ".c" : target == Target::cpp ? ".cpp" : ".cu";
  for (const std::string& name : package.functions) {
    const std::string library = target == Target::c ? concat(" ", name, ending) : "";
    text += concat("\nadd_executable(", name, "_test ", name, "_test", ending, library, ")\n");
    if (target == Target::c) text += concat("target_link_libraries(", name, "_test m)\n");
    text += concat("add_test(NAME ", name, " COMMAND ", name, "_test)\n");
  }
  return text;
}

/// What several threads may do.
static std::string threads_text(const Package& package) {
  if (package.in_loops.empty()) return "Functions keep no state: several threads may call them.\n";
  std::string names;
  for (const std::string& name : package.in_loops) names += concat(names.empty() ? "`" : ", `", name, "`");
  return concat(
      "Long functions are loops with a static workspace: one thread at a time may call\n", names,
      ".\nCompiled with `-DARTICULA_WORKSPACE=` (nothing behind the sign) they have it on the stack, and several "
      "may.\n");
}

static std::string readme_text(const Package& package) {
  const Target target = package.options.target;
  std::string text = concat("# Generated code for ", comment_text(package.model), "\n\nWritten by Articula ",
                            ARTICULA_VERSION, ". Generate anew rather than change it.\n\n");
  for (const std::string& name : package.functions) text += concat("- `", name, "`\n");
  text += "\nEach header says what its function reads and writes, number by number. ";
  switch (target) {
    case Target::c:
      text +=
          "C99; no allocation, no library but libm; fit for real-time loops.\nFast with `-O3 -march=native "
          "-ffp-contract=fast -fno-math-errno`; never use `-ffast-math`.\n";
      break;
    case Target::cpp:
      text +=
          "C++17 with the vector extensions of GCC and clang: one call computes a\npack of states, number k of lane l "
          "at "
          "`array[k][l]`. Compile with `-O3 -march=native -ffp-contract=fast`; never use\n`-ffast-math`.\n";
      break;
    case Target::cuda:
      text +=
          "CUDA; number k of state i is at `array[k * states + i]`. Each header says\nhow its kernel is launched. "
          "Compile "
          "with `nvcc -std=c++17 -O3 -arch=sm_90` or the architecture at hand.\n";
      break;
  }
  if (target != Target::cuda) text += "\n" + threads_text(package);
  return text +
         "\nTo test it against the vectors inside:\n\n    cmake -B build && cmake --build build && ctest --test-dir "
         "build\n";
}

void add_readme_and_build(Package& package) {
  package.files.push_back({"CMakeLists.txt", build_text(package)});
  package.files.push_back({"README.md", readme_text(package)});
}

}  // namespace articula
