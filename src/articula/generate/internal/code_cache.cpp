#include <articula/generate/internal/code_cache.h>

#include <sys/stat.h>
#include <unistd.h>

#include <fstream>

#include <articula/generate/internal/programs.h>
#include <articula/generate/internal/safe_folder.h>
#include <articula/text/sha256.h>

namespace fs = std::filesystem;

namespace articula::generate {
namespace {

fs::path usual_folder() {
  const char* const cache = environment("XDG_CACHE_HOME");
  const char* const home = environment("HOME");
  if (cache != nullptr && cache[0] == '/') return fs::path(cache) / "articula";
  if (home != nullptr && home[0] == '/') return fs::path(home) / ".cache" / "articula";
  return {};
}

/// Makes the folder and its missing parents, with access for this user only.
void make_folders(const fs::path& folder) {
  fs::path made;
  for (const fs::path& part : folder) {
    made /= part;
    ::mkdir(made.c_str(), 0700);
  }
}

}  // namespace

fs::path code_cache_folder(const std::string& chosen) {
  const fs::path folder = chosen.empty() ? usual_folder() : fs::absolute(chosen);
  if (folder.empty()) return {};
  make_folders(folder);
  const fs::path safe = safe_folder(folder);
  return !safe.empty() && ::access(safe.c_str(), W_OK | X_OK) == 0 ? safe : fs::path();
}

std::string content_name(std::string_view text) { return sha256_text(text).substr(0, 32); }

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

}  // namespace articula::generate
