#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <articula/base/rooms.h>

namespace articula::generate {

/// Source text that becomes machine code in this process: what compiles it, and how. The code is kept in a cache under a
/// name made from the text, the compiler, its flags and the machine.
struct CompileJob {
  std::filesystem::path compiler;
  std::vector<std::string> flags, libraries;  ///< before and after the source's name
  std::string source, ending;                 ///< the text, and how its file's name ends: `.c`
  std::string machine;                        ///< what else decides which machine code comes out
  std::string cache;                          ///< as in CompileOptions
  std::string otherwise;                      ///< what to do when it fails: `run as "flat"`
  bool stays = false;                         ///< loaded code is never unloaded
};

struct LoadedCode {
  std::shared_ptr<void> library;
  bool was_cached = false;

  /// Of a function in it; throws `compile-failed` if there is none.
  void* entry(const char* name, const CompileJob& job) const;
};

/// Throws an Error: `compile-failed`, `cache-unsafe`.
LoadedCode compile_and_load(const CompileJob& job);

/// Whether that would compile nothing.
bool is_compiled(const CompileJob& job);

}  // namespace articula::generate
