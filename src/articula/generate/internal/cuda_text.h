#pragma once

#include <articula/generate/function.h>

namespace articula {

/// How kernels of a function are launched.
struct CudaLaunch {
  int threads = 128;          ///< of a block
  int threads_per_state = 1;  ///< neighbours, that share a state's work
};

CudaLaunch cuda_launch(const RecordedFunction& function, bool single);

/// The kernel `name`, of a step also `name_rollout`, in the namespace `name_device`; what they call; what they read and
/// write. Templates over the scalar.
std::string cuda_header(const RecordedFunction& function, const std::string& name, const std::string& model);

}  // namespace articula
