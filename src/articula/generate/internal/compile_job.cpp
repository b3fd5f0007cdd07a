#include <articula/generate/internal/compile_job.h>

#include <dlfcn.h>

#include <optional>

#include <articula/base/error.h>
#include <articula/base/text.h>
#include <articula/generate/internal/code_cache.h>
#include <articula/generate/internal/compile_folder.h>
#include <articula/generate/internal/programs.h>
#include <articula/generate/internal/sealed_code.h>

namespace fs = std::filesystem;

namespace articula::generate {
namespace {

/// The cache entry of a job: its text, with a header that names compiler, flags and machine, and its file.
struct Entry {
  explicit Entry(const CompileJob& wanted) : job(wanted), folder(code_cache_folder(wanted.cache)) {
    std::error_code trouble;
    const fs::path real = fs::canonical(job.compiler, trouble);
    std::string key = concat(real.string(), " ", fs::file_size(real, trouble), " ",
                             fs::last_write_time(real, trouble).time_since_epoch().count(), "\n");
    for (const std::string& flag : job.flags) key += flag + " ";
    text = concat("/* ", content_name(key + "\n" + job.machine), " */\n", job.source);
    if (!folder.empty()) file = folder / (content_name(text) + ".so");
  }

  std::optional<std::string> cached() const { return file.empty() ? std::nullopt : unsealed(file, text); }

  const CompileJob& job;
  fs::path folder, file;  ///< empty without a cache
  std::string text;
};

/// Compiles and returns the bytes of the code, and stores them in the cache if there is one. Errors of storing are
/// ignored: the code is usable without the cache.
std::string compile(const Entry& entry) {
  const CompileJob& job = entry.job;
  const CompileFolder folder(entry.folder);
  const fs::path text = folder.path() / ("code" + job.ending), code = folder.path() / "code.so",
                 log = folder.path() / "log";
  const auto fail = [&](const std::string& what) {
    throw Error("compile-failed", {}, concat(what, ". Free space on the disk, or ", job.otherwise, "."));
  };
  if (folder.path().empty() || !write_own_file(text, entry.text)) {
    fail(concat("the source cannot be written into a folder for temporary files",
                folder.path().empty() ? "" : concat(", ", quoted(folder.path().string()))));
  }
  std::vector<std::string> arguments{job.compiler.string()};
  arguments.insert(arguments.end(), job.flags.begin(), job.flags.end());
  arguments.insert(arguments.end(), {text.string(), "-o", code.string()});
  arguments.insert(arguments.end(), job.libraries.begin(), job.libraries.end());
  const int status = run_compiler(arguments, folder.path(), log);
  std::error_code trouble;
  fs::permissions(code, fs::perms::owner_read | fs::perms::owner_write, trouble);
  const std::optional<std::string> bytes = status == 0 ? own_file(code) : std::nullopt;
  if (!bytes || bytes->empty()) {
    const std::string said = own_file(log).value_or("");
    fail(concat(quoted(job.compiler.string()), " ended with status ", status, status == 0 ? " and gave no code" : "",
                said.empty() ? "" : concat(". It says: ", quoted(said.substr(0, 400)))));
  }
  const fs::path whole = folder.path() / "sealed";
  if (!entry.file.empty() && write_own_file(whole, sealed(*bytes, entry.text))) move_own_file(whole, entry.file);
  return *bytes;
}

}  // namespace

bool is_compiled(const CompileJob& job) { return Entry(job).cached().has_value(); }

LoadedCode compile_and_load(const CompileJob& job) {
  const Entry entry(job);
  LoadedCode loaded;
  std::string why;
  if (const auto code = entry.cached()) loaded.library = load_code(*code, job.stays, why);
  loaded.was_cached = loaded.library != nullptr;
  // Code that does not load, for example because it needs another version of a system library, is compiled again.
  if (!loaded.was_cached) loaded.library = load_code(compile(entry), job.stays, why);
  if (loaded.library != nullptr) return loaded;
  throw Error("compile-failed", {},
              concat("the compiled code cannot be loaded: ", why, ". Look at the compiler ",
                     quoted(job.compiler.string()), ", or ", job.otherwise, "."));
}

void* LoadedCode::entry(const char* name, const CompileJob& job) const {
  void* const found = ::dlsym(library.get(), name);
  if (found != nullptr) return found;
  throw Error("compile-failed", {},
              concat("the compiled code lacks its entry. Remove the cache, or ", job.otherwise, "."));
}

}  // namespace articula::generate
