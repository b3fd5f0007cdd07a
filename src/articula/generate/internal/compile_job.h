#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <articula/base/modules.h>

namespace articula::generate {

/// Source text to be compiled and loaded into this process. The code is cached under a hash of the text, the compiler,
/// its flags and the machine.
struct CompileJob {
  std::filesystem::path compiler;
  std::vector<std::string> flags, libraries;  ///< before and after the name of the source
  std::string source, ending;                 ///< the text, and the extension of its file: `.c`
  std::string machine;                        ///< other properties of the machine that the code depends on
  std::string cache;                          ///< as in CompileOptions
  std::string otherwise;                      ///< the alternative that error messages suggest: `run as "flat"`
  bool stays = false;                         ///< loaded code is never unloaded
};

struct LoadedCode {
  std::shared_ptr<void> library;
  bool was_cached = false;

  /// The address of a function in it; throws `compile-failed` if there is none.
  void* entry(const char* name, const CompileJob& job) const;
};

/// Throws an Error: `compile-failed`, `cache-unsafe`.
LoadedCode compile_and_load(const CompileJob& job);

/// Whether `compile_and_load` would compile nothing.
bool is_compiled(const CompileJob& job);

}  // namespace articula::generate
