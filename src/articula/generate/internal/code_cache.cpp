#include <articula/generate/internal/code_cache.h>

#include <fcntl.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include <articula/base/error.h>
#include <articula/base/text.h>

extern char** environ;

namespace fs = std::filesystem;

namespace articula {
namespace {

[[noreturn]] void refuse(const fs::path& path, std::string_view what) {
  throw Error("cache-unsafe", {path.string(), 0},
              concat(what,
                     ", so that code in it cannot be trusted. It must belong to you, and nobody else may write to "
                     "it: remove it, or choose another folder with XDG_CACHE_HOME."));
}

const char* environment(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr && value[0] != '\0' ? value : nullptr;
}

}  // namespace

fs::path code_cache_folder(const std::string& chosen) {
  fs::path folder = chosen;
  if (folder.empty()) {
    const char* const cache = environment("XDG_CACHE_HOME");
    const char* const home = environment("HOME");
    if (cache != nullptr && cache[0] == '/') {
      folder = fs::path(cache) / "articula";
    } else if (home != nullptr) {
      folder = fs::path(home) / ".cache" / "articula";
    } else {
      return {};
    }
  }
  std::error_code trouble;
  if (folder.has_parent_path()) fs::create_directories(folder.parent_path(), trouble);
  if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) return {};
  struct stat info {};
  if (::lstat(folder.c_str(), &info) != 0) return {};
  if (!S_ISDIR(info.st_mode)) refuse(folder, "it is no folder");
  if (info.st_uid != ::geteuid()) refuse(folder, "it belongs to somebody else");
  if ((info.st_mode & (S_IWGRP | S_IWOTH)) != 0) refuse(folder, "others may write to it");
  if (::access(folder.c_str(), W_OK | X_OK) != 0) return {};
  return folder;
}

bool is_safe_file(const fs::path& file) {
  struct stat info {};
  if (::lstat(file.c_str(), &info) != 0) return false;
  if (!S_ISREG(info.st_mode)) refuse(file, "it is no regular file");
  if (info.st_uid != ::geteuid()) refuse(file, "it belongs to somebody else");
  if ((info.st_mode & (S_IWGRP | S_IWOTH)) != 0) refuse(file, "others may write to it");
  return true;
}

std::string content_name(const std::string& text) {
  std::uint64_t a = 0xcbf29ce484222325u, b = 0x9e3779b97f4a7c15u;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    a = (a ^ byte) * 0x100000001b3u;
    b = (b + byte) * 0xd6e8feb86659fd93u;
    b ^= b >> 32;
  }
  constexpr char digits[] = "0123456789abcdef";
  std::string name;
  for (const std::uint64_t part : {a, b}) {
    for (int shift = 60; shift >= 0; shift -= 4) name += digits[(part >> shift) & 15];
  }
  return name;
}

std::string file_text(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

int run_program(const std::vector<std::string>& arguments, const fs::path& log) {
  std::vector<char*> argv;
  std::vector<std::string> own = arguments;
  for (std::string& argument : own) argv.push_back(argument.data());
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 1, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&actions, 1, 2);
  pid_t child = 0;
  const int failed = posix_spawn(&child, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) return -1;
  int status = 0;
  while (::waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) return -1;
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

fs::path find_program(const std::string& name) {
  const auto runs = [](const fs::path& file) {
    std::error_code trouble;
    return fs::is_regular_file(file, trouble) && ::access(file.c_str(), X_OK) == 0;
  };
  if (name.find('/') != std::string::npos) return runs(name) ? fs::path(name) : fs::path();
  const char* const path = environment("PATH");
  std::istringstream folders(path != nullptr ? path : "/usr/bin:/bin");
  for (std::string folder; std::getline(folders, folder, ':');) {
    if (!folder.empty() && folder[0] == '/' && runs(fs::path(folder) / name)) return fs::path(folder) / name;
  }
  return {};
}

std::string processor_text() {
  std::ifstream info("/proc/cpuinfo");
  std::string text;
  for (std::string line; std::getline(info, line) && !line.empty();) {
    for (const char* key : {"vendor_id", "cpu family", "model\t", "stepping", "flags", "Features", "CPU part"}) {
      if (line.starts_with(key)) text += line + "\n";
    }
  }
  return text;
}

}  // namespace articula
