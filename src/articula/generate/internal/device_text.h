#pragma once

#include <articula/generate/function.h>

namespace articula::generate {

/// CUDA source of a function with what a host needs to use it: memory, copies, launches. It exports one function,
/// `articula_device`, which gives a DeviceTable.
std::string device_source(const RecordedFunction& function, bool single);

/// What compiled code for a device offers. Each returns what CUDA says, 0 if all is well; what is on a device is `void*`.
/// The generated text declares the same.
struct DeviceTable {
  int (*open)(int device);
  int (*memory)(std::size_t* free, std::size_t* total);
  int (*take)(std::size_t bytes, void** data);  ///< zeros
  int (*give)(void* data);
  /// From and to the host, state after state or number after number; rows pass through `stage`, which holds some states.
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

/// What CUDA calls the lack of memory.
inline constexpr int device_out_of_memory = 2;

}  // namespace articula::generate
