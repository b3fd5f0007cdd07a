#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <articula/base/rooms.h>

namespace articula::generate {

/// A variable of the environment; null if it is not set or empty.
const char* environment(const char* name);

/// The absolute folders of a list such as PATH. Relative and empty ones mean the current folder, where anybody's files may
/// lie: they are left out.
std::vector<std::filesystem::path> absolute_folders(std::string_view list);

/// The full path of a program: `name` itself if it is a path, else from the absolute folders of PATH. Empty if there is
/// none.
std::filesystem::path find_program(const std::string& name);

/// What a compiler sees of the environment: PATH and LD_LIBRARY_PATH with their absolute folders, HOME, NVCC_CCBIN if it is
/// absolute, `TMPDIR=folder` and `LC_ALL=C`. Nothing else: variables such as CPATH, LIBRARY_PATH, COMPILER_PATH,
/// GCC_EXEC_PREFIX, NVCC_PREPEND_FLAGS and LD_PRELOAD change what is compiled, and an empty folder in them is the current
/// one.
std::vector<std::string> compiler_environment(const std::filesystem::path& folder);

/// Runs a compiler without a shell, in `folder`, its output in `log`. Its exit status; 128 if a signal ended it, −1 if it
/// cannot be started.
int run_compiler(const std::vector<std::string>& arguments, const std::filesystem::path& folder,
                 const std::filesystem::path& log);

}  // namespace articula::generate
