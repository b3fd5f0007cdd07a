#pragma once

#include <articula/generate/function.h>

namespace articula::generate {

/// CUDA source of a function and the host functions that it needs: memory, copies, launches. It exports one function,
/// `articula_device`, which returns a DeviceTable.
std::string device_source(const RecordedFunction& function, bool single);

/// The functions of compiled device code. Each returns CUDA's error code, 0 for success; device addresses are `void*`.
/// The generated text declares the same struct.
struct DeviceTable {
  int (*open)(int device);
  int (*memory)(std::size_t* free, std::size_t* total);
  int (*take)(std::size_t bytes, void** data);  ///< zeroed
  int (*give)(void* data);
  /// From and to the host, as rows or columns. Rows are converted in the buffer `stage`, `at_once` states at a time.
  int (*load)(void* columns, const void* numbers, int states, int width, int rows, void* stage, int at_once,
              void* stream);
  int (*store)(const void* columns, void* numbers, int states, int width, int rows, void* stage, int at_once,
               void* stream);
  int (*fill)(void* column, int states, double value, void* stream);
  int (*copy)(void* to, const void* from, std::size_t bytes, void* stream);
  int (*compute)(int states, const void* const* inputs, void* const* outputs, void* stream);
  int (*roll_out)(int states, int steps, const void* const* inputs, void* const* outputs, void* stream);  ///< or null
  /// The first state with a number that is not finite; `states` if there is none.
  int (*first_not_finite)(const void* columns, int states, int width, int* state, void* stage, void* stream);
  int (*wait)(void* stream);
  const char* (*error_text)(int error);
};

/// CUDA's error code for lack of memory.
inline constexpr int device_out_of_memory = 2;

}  // namespace articula::generate
