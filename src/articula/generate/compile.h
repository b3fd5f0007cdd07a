#pragma once

#include <memory>

#include <articula/generate/function.h>

namespace articula::generate {

struct CompileOptions {
  std::string compiler = "cc";  ///< the name of a program, or a path
  std::string cache;            ///< a folder; empty: $XDG_CACHE_HOME/articula, or ~/.cache/articula
  /// One state per call, or a pack of states: 8 in double precision, 16 in single. Number k of lane l is at [k * lanes
  /// + l]; arrays are aligned to 64 bytes. Packs omit results that are always zero, and symmetric matrices below the
  /// diagonal.
  enum class Form { one_state, eight_doubles, sixteen_floats } form = Form::one_state;
};

/// A recorded function as machine code: compiled by the C compiler of the machine, cached by its content and loaded.
///
///     CompiledFunction torques(record(Algorithm::inverse_dynamics, built));
///     const double* in[] = {q, v, vdot};
///     double* out[] = {tau};
///     torques(in, out);                      // allocates nothing
///
/// The cache belongs to the user (mode 0700). A folder that others own, can write to or can replace on its path is not
/// used; that is an Error. Concurrent compilations do not disturb each other, since entries are renamed into place when
/// they are complete. An entry is loaded only if its checksum shows that it was compiled from this source and is
/// unchanged; otherwise it is compiled again. The bytes that were checked are the bytes that are loaded. If no cache
/// can be made, a temporary folder is used and removed afterwards.
///
/// The compiler runs in a folder of its own, with few environment variables: see docs/generate.md.
///
/// Throws an Error: `compiler-missing`, `compile-failed`, `cache-unsafe`.
class ARTICULA_EXPORT CompiledFunction {
 public:
  explicit CompiledFunction(const RecordedFunction& function, const CompileOptions& options = {});

  /// Arrays in the order of the recorded function, without inputs that have no entries.
  void operator()(const double* const* inputs, double* const* outputs) const noexcept { call_(inputs, outputs); }
  /// The same for floats. @pre it was compiled for packs of floats
  void operator()(const float* const* inputs, float* const* outputs) const noexcept { call_(inputs, outputs); }

  bool was_cached() const { return was_cached_; }

  /// Whether construction would compile nothing. Throws as the constructor does.
  static bool is_cached(const RecordedFunction& function, const CompileOptions& options = {});

 private:
  using Call = void (*)(const void*, const void*);  ///< pointers to the lists of arrays

  std::shared_ptr<void> library_;
  Call call_ = nullptr;
  bool was_cached_ = false;
};

}  // namespace articula::generate
