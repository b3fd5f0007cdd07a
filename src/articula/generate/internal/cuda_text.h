#pragma once

#include <articula/generate/internal/test_vectors.h>

namespace articula::generate {

/// Launch configuration of a function's kernel: independent of the number of states, different for each precision.
struct CudaLaunch {
  int threads = 64;           ///< per block
  int threads_per_state = 1;  ///< if > 1, a block has 32 states, and each of its warps a part of the mechanism
  int least_blocks = 1;       ///< per multiprocessor at the same time; limits the registers of a thread
};

/// One thread per state if its live values fit into registers, or nearly; otherwise several warps, split by limbs.
CudaLaunch cuda_launch(const RecordedFunction& function, bool single);

/// The kernel `name`, for a step also `name_rollout`, in the namespace `name_device`, with the functions that they
/// call, their layouts and their launch configuration. Templates over the scalar.
std::string cuda_header(const RecordedFunction& function, const std::string& name, const std::string& model);

/// A program that tests a kernel with embedded test vectors and measures its time.
std::string cuda_test(const RecordedFunction& function, const std::string& name, const TestVectors& vectors);

/// Helper functions of the header: loads, stores, sines and cosines, reciprocals.
std::string cuda_prelude_text();

}  // namespace articula::generate
