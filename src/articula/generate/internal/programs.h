#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <articula/base/modules.h>

namespace articula::generate {

/// An environment variable; null if it is unset or empty.
const char* environment(const char* name);

/// The absolute folders of a list such as PATH. Relative and empty ones, which mean the current folder, are omitted,
/// since other users may have written files there.
std::vector<std::filesystem::path> absolute_folders(std::string_view list);

/// The full path of a program: `name` itself if it is a path, otherwise from the absolute folders of PATH. Empty if it
/// is not found.
std::filesystem::path find_program(const std::string& name);

/// The environment of a compiler: PATH and LD_LIBRARY_PATH with their absolute folders, HOME and NVCC_CCBIN if they are
/// absolute, `TMPDIR=folder` and `LC_ALL=C`. Others are omitted: variables such as CPATH, LIBRARY_PATH, COMPILER_PATH,
/// GCC_EXEC_PREFIX, NVCC_PREPEND_FLAGS and LD_PRELOAD change what is compiled, and an empty folder in them is the
/// current one.
std::vector<std::string> compiler_environment(const std::filesystem::path& folder);

/// Runs a compiler in `folder`, without a shell, with its output in `log`. Returns its exit status; 128 if a signal
/// ended it, −1 if it cannot be started.
int run_compiler(const std::vector<std::string>& arguments, const std::filesystem::path& folder,
                 const std::filesystem::path& log);

}  // namespace articula::generate
