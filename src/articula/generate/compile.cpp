#include <articula/generate/compile.h>

#include <vector>

#include <articula/base/error.h>
#include <articula/base/text.h>
#include <articula/generate/internal/c_text.h>
#include <articula/generate/internal/code_cache.h>
#include <articula/generate/internal/compile_job.h>
#include <articula/generate/internal/lanes_text.h>
#include <articula/generate/internal/programs.h>

namespace articula::generate {
namespace {

/// No vectorization of straight-line code: packing neighbouring operations costs more shuffles than it saves
/// (measured).
std::vector<std::string> flags() {
  return {"-std=c99",
          "-O3",
          "-march=native",
          "-ffp-contract=fast",
          "-fno-math-errno",
          "-fno-tree-slp-vectorize",
          "-fPIC",
          "-shared",
          "-w",
          "-x",
          "c"};
}

/// Renames the function to one fixed entry, with the same signature for all functions.
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
  return concat(packs ? lanes_source(function, "compute", single) : c_source(function, "compute", Workspace::of_caller),
                "\nvoid articula_call(const void *inputs, const void *outputs)\n{\n  const ", scalar,
                " *const *in = (const ", scalar, " *const *)inputs;\n  ", scalar, " *const *out = (", scalar,
                " *const *)outputs;\n  compute(", call, ");\n}\n");
}

CompileJob make_job(const RecordedFunction& function, const CompileOptions& options) {
  CompileJob job;
  job.compiler = find_program(options.compiler);
  if (job.compiler.empty()) {
    throw Error("compiler-missing", {},
                concat("there is no C compiler ", quoted(options.compiler),
                       " on this machine. Install one (Debian: apt install gcc), or run as \"flat\"."));
  }
  job.flags = flags();
  job.libraries = {"-lm"};
  job.source = source_of(function, options.form);
  job.ending = ".c";
  job.machine = processor_text();
  job.cache = options.cache;
  job.otherwise = "run as \"flat\"";
  return job;
}

}  // namespace

bool CompiledFunction::is_cached(const RecordedFunction& function, const CompileOptions& options) {
  return is_compiled(make_job(function, options));
}

CompiledFunction::CompiledFunction(const RecordedFunction& function, const CompileOptions& options) {
  const CompileJob job = make_job(function, options);
  const LoadedCode loaded = compile_and_load(job);
  call_ = reinterpret_cast<Call>(loaded.entry("articula_call", job));
  library_ = loaded.library;
  was_cached_ = loaded.was_cached;
}

}  // namespace articula::generate
