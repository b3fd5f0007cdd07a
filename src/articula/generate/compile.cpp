#include <articula/generate/compile.h>

#include <dlfcn.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <fstream>
#include <vector>

#include <articula/base/error.h>
#include <articula/base/text.h>
#include <articula/generate/generate.h>
#include <articula/generate/internal/code_cache.h>
#include <articula/generate/internal/lanes_text.h>

namespace fs = std::filesystem;

namespace articula {
namespace {

/// Straight lines gain nothing from packing neighbours: measured, it costs more shuffling than it saves.
std::vector<std::string> flags() {
  return {"-std=c99",
          "-O3",
          "-march=native",
          "-ffp-contract=fast",
          "-fno-math-errno",
          "-fno-tree-slp-vectorize",
          "-fPIC",
          "-shared",
          "-DARTICULA_WORKSPACE=static __thread",
          "-w",
          "-x",
          "c"};
}

/// One entry with the same form for all functions.
std::string source_of(const RecordedFunction& function, CompileOptions::Form form) {
  const bool packs = form != CompileOptions::Form::one_state, single = form == CompileOptions::Form::sixteen_floats;
  const std::string scalar = packs ? "pack" : "double";
  std::string call;
  int in = 0, out = 0;
  for (const FunctionArray& array : function.inputs) {
    if (array.size() > 0) call += concat(call.empty() ? "" : ", ", "in[", in++, "]");
  }
  for (std::size_t k = 0; k < function.outputs.size(); ++k) {
    call += concat(call.empty() ? "" : ", ", "out[", out++, "]");
  }
  return concat(packs ? lanes_source(function, "compute", single) : c_source(function, "compute"),
                "\nvoid articula_call(const void *inputs, const void *outputs)\n{\n  const ", scalar,
                " *const *in = (const ", scalar, " *const *)inputs;\n  ", scalar, " *const *out = (", scalar,
                " *const *)outputs;\n  compute(", call, ");\n}\n");
}

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

/// Compiles into `folder`; files get their final names when they are whole.
void compile(const fs::path& compiler, const std::string& source, const fs::path& folder, const std::string& name) {
  const fs::path passing = folder / passing_name(name);
  const fs::path text = passing.string() + ".c", code = passing.string() + ".so", log = passing.string() + ".log";
  std::ofstream(text, std::ios::binary) << source;
  std::vector<std::string> arguments{compiler.string()};
  for (const std::string& flag : flags()) arguments.push_back(flag);
  for (const std::string& more : {text.string(), std::string("-o"), code.string(), std::string("-lm")})
    arguments.push_back(more);
  const int status = run_program(arguments, log);
  const std::string said = file_text(log);
  std::error_code trouble;
  fs::remove(log, trouble);
  if (status != 0) {
    fs::remove(text, trouble);
    fs::remove(code, trouble);
    throw Error("compile-failed", {},
                concat(quoted(compiler.string()), " ended with status ", status,
                       ". It says: ", quoted(said.substr(0, 400)), ". Free space on the disk, or run as \"flat\"."));
  }
  fs::permissions(code, fs::perms::owner_all, trouble);
  fs::permissions(text, fs::perms::owner_read | fs::perms::owner_write, trouble);
  fs::rename(code, folder / (name + ".so"), trouble);
  fs::rename(text, folder / (name + ".c"), trouble);  // last: its presence says that all is there
}

std::shared_ptr<void> load(const fs::path& code) {
  void* const library = ::dlopen(code.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    const char* const why = ::dlerror();
    throw Error("compile-failed", {code.string(), 0},
                concat("it cannot be loaded: ", why != nullptr ? why : "unknown", ". Remove it, or run as \"flat\"."));
  }
  return {library, [](void* open) { ::dlclose(open); }};
}

/// What is compiled, by what, and where it is kept.
struct Job {
  fs::path compiler, cache;  ///< no cache: empty
  std::string source, name;

  fs::path code() const { return cache / (name + ".so"); }
  bool is_cached() const {
    const fs::path text = cache / (name + ".c");
    return !cache.empty() && is_safe_file(code()) && is_safe_file(text) && file_text(text) == source;
  }
};

Job make_job(const RecordedFunction& function, const CompileOptions& options) {
  Job job;
  job.compiler = find_program(options.compiler);
  if (job.compiler.empty()) {
    throw Error("compiler-missing", {},
                concat("there is no C compiler ", quoted(options.compiler),
                       " on this machine. Install one (Debian: apt install gcc), or run as \"flat\"."));
  }
  std::error_code trouble;
  const fs::path real = fs::canonical(job.compiler, trouble);
  std::string key = concat(real.string(), " ", fs::file_size(real, trouble), " ",
                           fs::last_write_time(real, trouble).time_since_epoch().count(), "\n");
  for (const std::string& flag : flags()) key += flag + " ";
  const std::string what = content_name(key + "\n" + processor_text());
  job.source = concat("/* ", what, " */\n", source_of(function, options.form));
  job.name = content_name(job.source);
  job.cache = code_cache_folder(options.cache);
  return job;
}

}  // namespace

bool CompiledFunction::is_cached(const RecordedFunction& function, const CompileOptions& options) {
  return make_job(function, options).is_cached();
}

CompiledFunction::CompiledFunction(const RecordedFunction& function, const CompileOptions& options) {
  const Job job = make_job(function, options);
  if (job.cache.empty()) {
    const TemporaryFolder folder;
    compile(job.compiler, job.source, folder.path(), job.name);
    library_ = load(folder.path() / (job.name + ".so"));
  } else {
    was_cached_ = job.is_cached();
    if (!was_cached_) compile(job.compiler, job.source, job.cache, job.name);
    library_ = load(job.code());
  }
  call_ = reinterpret_cast<Call>(::dlsym(library_.get(), "articula_call"));
  if (call_ == nullptr) {
    throw Error("compile-failed", {}, "the compiled code lacks its entry. Remove the cache, or run as \"flat\".");
  }
}

}  // namespace articula
