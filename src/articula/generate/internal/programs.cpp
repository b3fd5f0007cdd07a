#include <articula/generate/internal/programs.h>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>

#include <articula/base/text.h>

namespace fs = std::filesystem;

namespace articula::generate {
namespace {

bool runs(const fs::path& file) {
  std::error_code trouble;
  return fs::is_regular_file(file, trouble) && ::access(file.c_str(), X_OK) == 0;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> all;
  for (std::string& text : texts) all.push_back(text.data());
  all.push_back(nullptr);
  return all;
}

/// Adds `PATH=/usr/bin:/bin`, or nothing if no folder is absolute.
void add_folders(const char* name, const char* list, std::vector<std::string>& all) {
  std::string joined;
  for (const fs::path& folder : absolute_folders(list)) joined += concat(joined.empty() ? "" : ":", folder.string());
  if (!joined.empty()) all.push_back(concat(name, "=", joined));
}

const char* search_path() {
  const char* const path = environment("PATH");
  return path != nullptr ? path : "/usr/bin:/bin";
}

}  // namespace

const char* environment(const char* name) {
  const char* const value = std::getenv(name);
  return value != nullptr && value[0] != '\0' ? value : nullptr;
}

std::vector<fs::path> absolute_folders(std::string_view list) {
  std::vector<fs::path> folders;
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(':'), list.size());
    if (list.starts_with('/')) folders.emplace_back(list.substr(0, end));
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return folders;
}

fs::path find_program(const std::string& name) {
  if (name.find('/') != std::string::npos) return runs(name) ? fs::absolute(name) : fs::path();
  for (const fs::path& folder : absolute_folders(search_path())) {
    if (runs(folder / name)) return folder / name;
  }
  return {};
}

std::vector<std::string> compiler_environment(const fs::path& folder) {
  std::vector<std::string> all{"LC_ALL=C", concat("TMPDIR=", folder.string())};
  add_folders("PATH", search_path(), all);
  if (const char* const list = environment("LD_LIBRARY_PATH")) add_folders("LD_LIBRARY_PATH", list, all);
  for (const char* const name : {"HOME", "NVCC_CCBIN"}) {
    const char* const value = environment(name);
    if (value != nullptr && value[0] == '/') all.push_back(concat(name, "=", value));
  }
  return all;
}

int run_compiler(const std::vector<std::string>& arguments, const fs::path& folder, const fs::path& log) {
  std::vector<std::string> words = arguments, variables = compiler_environment(folder);
  const std::vector<char*> argv = pointers(words), envp = pointers(variables);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 1, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&actions, 1, 2);
  posix_spawn_file_actions_addchdir_np(&actions, folder.c_str());
  pid_t child = 0;
  const int failed = posix_spawn(&child, argv[0], &actions, nullptr, argv.data(), envp.data());
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) return -1;
  int status = 0;
  while (::waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) return -1;
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

}  // namespace articula::generate
