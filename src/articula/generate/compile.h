#pragma once

#include <memory>

#include <articula/generate/function.h>

namespace articula::generate {

struct CompileOptions {
  std::string compiler = "cc";  ///< a program of that name, or a path
  std::string cache;            ///< a folder; empty: $XDG_CACHE_HOME/articula, or ~/.cache/articula
  /// One state a call, or a pack of states: 8 in double precision, 16 in single, number k of lane l at [k * lanes + l],
  /// arrays aligned to 64 bytes. Packs leave out results that are always zero, and symmetric matrices below the diagonal.
  enum class Form { one_state, eight_doubles, sixteen_floats } form = Form::one_state;
};

/// A recorded function as machine code: compiled by the machine's C compiler, kept in a cache by its content, loaded.
///
///     CompiledFunction torques(record(Algorithm::inverse_dynamics, built));
///     const double* in[] = {q, v, vdot};
///     double* out[] = {tau};
///     torques(in, out);                      // allocates nothing
///
/// The cache belongs to the user alone (mode 0700); a folder that others own or may write to, or could exchange by one on
/// its path, is not used, and that is an Error. Programs that compile the same at the same time do not disturb each other:
/// entries appear whole. An entry is loaded only if a check sum says that it was compiled from this very source and is
/// unchanged; others are compiled again. What is loaded are the bytes that were checked. Where no cache can be made, a
/// folder for temporary files serves, and is removed again.
///
/// The compiler is started in a folder of its own, with few variables of the environment: see docs/generate.md.
///
/// Throws an Error: `compiler-missing`, `compile-failed`, `cache-unsafe`.
class ARTICULA_EXPORT CompiledFunction {
 public:
  explicit CompiledFunction(const RecordedFunction& function, const CompileOptions& options = {});

  /// Arrays in the order of the recorded function's, without inputs that have no entries.
  void operator()(const double* const* inputs, double* const* outputs) const noexcept { call_(inputs, outputs); }
  /// The same of floats. @pre it was compiled for packs of floats
  void operator()(const float* const* inputs, float* const* outputs) const noexcept { call_(inputs, outputs); }

  bool was_cached() const { return was_cached_; }

  /// Whether to make it would compile nothing. Throws as the constructor does.
  static bool is_cached(const RecordedFunction& function, const CompileOptions& options = {});

 private:
  using Call = void (*)(const void*, const void*);  ///< pointers to the lists of arrays

  std::shared_ptr<void> library_;
  Call call_ = nullptr;
  bool was_cached_ = false;
};

}  // namespace articula::generate
