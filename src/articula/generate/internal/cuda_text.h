#pragma once

#include <articula/generate/internal/test_vectors.h>

namespace articula::generate {

/// How the kernel of a function is launched: the same for all states, another for each precision.
struct CudaLaunch {
  int threads = 64;           ///< of a block
  int threads_per_state = 1;  ///< those of a block belong to 32 states, each warp to a part of the mechanism
  int least_blocks = 1;       ///< at a time on a multiprocessor: what the compiler makes registers enough for
};

/// One thread a state where the values at hand fit its registers, or nearly; several warps by limb where they do not.
CudaLaunch cuda_launch(const RecordedFunction& function, bool single);

/// The kernel `name`, of a step also `name_rollout`, in the namespace `name_device`; what they call; what they read and
/// write; how they are launched. Templates over the scalar.
std::string cuda_header(const RecordedFunction& function, const std::string& name, const std::string& model);

/// A program that tests a kernel with the vectors inside and measures it.
std::string cuda_test(const RecordedFunction& function, const std::string& name, const TestVectors& vectors);

/// Functions of one header: loads, stores, sines and cosines, reciprocals.
std::string cuda_prelude_text();

}  // namespace articula::generate
