// Stands in for CUDA: a device that is the processor at hand. Threads run one after the other; memory is checked: what
// is on the device must have been allocated there, and all of it that is copied.
#pragma once

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <map>

#define __global__
#define __device__
#define __host__
#define __forceinline__ inline
#define __launch_bounds__(...)
#define ARTICULA_LAUNCH(kernel, blocks, threads, stream, ...) \
  stand_in::launch(blocks, threads, [&] { kernel(__VA_ARGS__); })

using std::cos;
using std::isfinite;
using std::sin;
using std::sqrt;

struct Place {
  unsigned x = 0;
};
inline Place blockIdx, threadIdx, blockDim, gridDim;

enum cudaError_t { cudaSuccess = 0, cudaErrorInvalidValue = 1, cudaErrorMemoryAllocation = 2 };
enum cudaMemcpyKind { cudaMemcpyHostToDevice = 1, cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice };
using cudaStream_t = struct Stream*;

namespace stand_in {

constexpr std::size_t total = 100'000'000;
inline std::size_t used = 0;
inline std::map<char*, std::size_t> taken;
inline cudaError_t last = cudaSuccess;

/// Whether all of it is in one allocation.
inline bool on_device(const void* data, std::size_t bytes) {
  char* const first = static_cast<char*>(const_cast<void*>(data));
  auto after = taken.upper_bound(first);
  if (after == taken.begin()) return false;
  --after;
  return first + bytes <= after->first + after->second;
}

template <class Kernel>
void launch(unsigned blocks, unsigned threads, const Kernel& kernel) {
  if (blocks == 0 || threads == 0 || threads > 1024 || std::getenv("ARTICULA_STAND_IN_FAILS") != nullptr) {
    last = cudaErrorInvalidValue;
    return;
  }
  blockDim.x = threads, gridDim.x = blocks;
  for (blockIdx.x = 0; blockIdx.x < blocks; ++blockIdx.x) {
    for (threadIdx.x = 0; threadIdx.x < threads; ++threadIdx.x) kernel();
  }
}

}  // namespace stand_in

inline cudaError_t cudaSetDevice(int) { return cudaSuccess; }
inline cudaError_t cudaMemGetInfo(std::size_t* left, std::size_t* total) {
  *total = stand_in::total, *left = stand_in::total - stand_in::used;
  return cudaSuccess;
}
inline cudaError_t cudaMalloc(void** data, std::size_t bytes) {
  if (bytes > stand_in::total - stand_in::used) return cudaErrorMemoryAllocation;
  *data = std::malloc(bytes);
  std::memset(*data, 0x7f, bytes);
  stand_in::used += bytes;
  stand_in::taken[static_cast<char*>(*data)] = bytes;
  return cudaSuccess;
}
inline cudaError_t cudaFree(void* data) {
  const auto found = stand_in::taken.find(static_cast<char*>(data));
  if (found == stand_in::taken.end()) return cudaErrorInvalidValue;
  stand_in::used -= found->second;
  stand_in::taken.erase(found);
  std::free(data);
  return cudaSuccess;
}
inline cudaError_t cudaMemset(void* data, int value, std::size_t bytes) {
  if (!stand_in::on_device(data, bytes)) return cudaErrorInvalidValue;
  std::memset(data, value, bytes);
  return cudaSuccess;
}
inline cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, cudaStream_t) {
  const bool from_device = kind != cudaMemcpyHostToDevice, to_device = kind != cudaMemcpyDeviceToHost;
  if (stand_in::on_device(from, bytes) != from_device || stand_in::on_device(to, bytes) != to_device) {
    return cudaErrorInvalidValue;
  }
  std::memcpy(to, from, bytes);
  return cudaSuccess;
}
inline cudaError_t cudaStreamSynchronize(cudaStream_t) { return cudaSuccess; }
inline cudaError_t cudaGetLastError() {
  const cudaError_t error = stand_in::last;
  stand_in::last = cudaSuccess;
  return error;
}
inline const char* cudaGetErrorString(cudaError_t) { return "invalid argument"; }
inline int atomicMin(int* at, int value) {
  const int before = *at;
  if (value < before) *at = value;
  return before;
}
