#include <articula/generate/internal/compile_job.h>

#include <dlfcn.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <fstream>

#include <articula/base/error.h>
#include <articula/base/text.h>
#include <articula/generate/internal/code_cache.h>

namespace fs = std::filesystem;

namespace articula {
namespace {

/// A folder that is gone when this is.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::error_code trouble;
    std::string name = (fs::temp_directory_path(trouble) / "articula-XXXXXX").string();
    if (::mkdtemp(name.data()) != nullptr) path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code trouble;
    if (!path_.empty()) fs::remove_all(path_, trouble);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

/// A name that no other program or thread uses at this moment.
std::string passing_name(const std::string& name) {
  static std::atomic<int> count{0};
  return concat(name, ".", ::getpid(), ".", count++);
}

/// A job with the text that is compiled, which says at its head by what, and the name of both in the cache.
struct Entry {
  explicit Entry(const CompileJob& wanted) : job(wanted), folder(code_cache_folder(wanted.cache)) {
    std::error_code trouble;
    const fs::path real = fs::canonical(job.compiler, trouble);
    std::string key = concat(real.string(), " ", fs::file_size(real, trouble), " ",
                             fs::last_write_time(real, trouble).time_since_epoch().count(), "\n");
    for (const std::string& flag : job.flags) key += flag + " ";
    text = concat("/* ", content_name(key + "\n" + job.machine), " */\n", job.source);
    name = content_name(text);
  }

  fs::path code(const fs::path& where) const { return where / (name + ".so"); }
  bool is_cached() const {
    const fs::path file = folder / (name + job.ending);
    return !folder.empty() && is_safe_file(code(folder)) && is_safe_file(file) && file_text(file) == text;
  }

  const CompileJob& job;
  fs::path folder;  ///< no cache: empty
  std::string text, name;
};

/// Compiles into `folder`; files get their final names when they are whole.
void compile(const Entry& entry, const fs::path& folder) {
  const CompileJob& job = entry.job;
  const fs::path passing = folder / passing_name(entry.name);
  const fs::path text = passing.string() + job.ending, code = passing.string() + ".so", log = passing.string() + ".log";
  std::ofstream(text, std::ios::binary) << entry.text;
  std::vector<std::string> arguments{job.compiler.string()};
  arguments.insert(arguments.end(), job.flags.begin(), job.flags.end());
  arguments.insert(arguments.end(), {text.string(), "-o", code.string()});
  arguments.insert(arguments.end(), job.libraries.begin(), job.libraries.end());
  const int status = run_program(arguments, log);
  const std::string said = file_text(log);
  std::error_code trouble;
  fs::remove(log, trouble);
  if (status != 0) {
    fs::remove(text, trouble);
    fs::remove(code, trouble);
    throw Error("compile-failed", {},
                concat(quoted(job.compiler.string()), " ended with status ", status, ". It says: ",
                       quoted(said.substr(0, 400)), ". Free space on the disk, or ", job.otherwise, "."));
  }
  fs::permissions(code, fs::perms::owner_all, trouble);
  fs::permissions(text, fs::perms::owner_read | fs::perms::owner_write, trouble);
  fs::rename(code, entry.code(folder), trouble);
  fs::rename(text, folder / (entry.name + job.ending), trouble);  // last: its presence says that all is there
}

std::shared_ptr<void> load(const fs::path& code, const CompileJob& job) {
  void* const library = ::dlopen(code.c_str(), RTLD_NOW | RTLD_LOCAL | (job.stays ? RTLD_NODELETE : 0));
  if (library == nullptr) {
    const char* const why = ::dlerror();
    throw Error(
        "compile-failed", {code.string(), 0},
        concat("it cannot be loaded: ", why != nullptr ? why : "unknown", ". Remove it, or ", job.otherwise, "."));
  }
  return {library, [](void* open) { ::dlclose(open); }};
}

}  // namespace

bool is_compiled(const CompileJob& job) { return Entry(job).is_cached(); }

LoadedCode compile_and_load(const CompileJob& job) {
  const Entry entry(job);
  LoadedCode loaded;
  if (entry.folder.empty()) {
    const TemporaryFolder folder;
    compile(entry, folder.path());
    loaded.library = load(entry.code(folder.path()), job);
  } else {
    loaded.was_cached = entry.is_cached();
    if (!loaded.was_cached) compile(entry, entry.folder);
    loaded.library = load(entry.code(entry.folder), job);
  }
  return loaded;
}

void* LoadedCode::entry(const char* name, const CompileJob& job) const {
  void* const found = ::dlsym(library.get(), name);
  if (found != nullptr) return found;
  throw Error("compile-failed", {},
              concat("the compiled code lacks its entry. Remove the cache, or ", job.otherwise, "."));
}

}  // namespace articula
