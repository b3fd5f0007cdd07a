#include <articula/generate/internal/device_text.h>

#include <articula/base/text.h>
#include <articula/generate/internal/cuda_text.h>

namespace articula::generate {
namespace {

/// Code that all functions share.
constexpr const char* tools = R"(
#include <cuda_runtime.h>
#include <stddef.h>

/* All launches pass here. */
#ifndef ARTICULA_LAUNCH
#define ARTICULA_LAUNCH(kernel, blocks, threads, stream, ...) kernel<<<blocks, threads, 0, stream>>>(__VA_ARGS__)
#endif

static __global__ void from_rows(int states, int width, int first, size_t numbers, const R *rows, R *columns)
{
  const size_t e = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (e < numbers) columns[(e % width) * states + first + e / width] = rows[e];
}

static __global__ void to_rows(int states, int width, int first, size_t numbers, const R *columns, R *rows)
{
  const size_t e = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (e < numbers) rows[e] = columns[(e % width) * states + first + e / width];
}

static __global__ void set_all(size_t numbers, R value, R *column)
{
  const size_t e = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (e < numbers) column[e] = value;
}

static __global__ void find_not_finite(int states, size_t numbers, const R *columns, int *first)
{
  const size_t e = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (e < numbers && !isfinite(columns[e])) atomicMin(first, int(e % states));
}

enum { THREADS = 256 };
static unsigned blocks_of(size_t threads, int in_a_block) { return unsigned((threads + in_a_block - 1) / in_a_block); }

#define TRY(call) do { const cudaError_t error = call; if (error != cudaSuccess) return error; } while (0)

static int open_device(int device) { return cudaSetDevice(device); }
static int memory(size_t *left, size_t *total) { return cudaMemGetInfo(left, total); }
static int take(size_t bytes, void **data)
{
  TRY(cudaMalloc(data, bytes));
  return cudaMemset(*data, 0, bytes);
}
static int give(void *data) { return cudaFree(data); }

static int load(void *columns, const void *numbers, int states, int width, int rows, void *stage, int at_once,
                void *stream_)
{
  const cudaStream_t stream = cudaStream_t(stream_);
  if (!rows) {
    TRY(cudaMemcpyAsync(columns, numbers, sizeof(R) * states * width, cudaMemcpyHostToDevice, stream));
  } else {
    for (int first = 0; first < states; first += at_once) {
      const size_t count = size_t(states - first < at_once ? states - first : at_once) * width;
      TRY(cudaMemcpyAsync(stage, (const R *)numbers + size_t(first) * width, sizeof(R) * count,
                          cudaMemcpyHostToDevice, stream));
      ARTICULA_LAUNCH(from_rows, blocks_of(count, THREADS), THREADS, stream, states, width, first, count,
                      (const R *)stage, (R *)columns);
      TRY(cudaGetLastError());
    }
  }
  return cudaStreamSynchronize(stream);
}

static int store(const void *columns, void *numbers, int states, int width, int rows, void *stage, int at_once,
                 void *stream_)
{
  const cudaStream_t stream = cudaStream_t(stream_);
  if (!rows) {
    TRY(cudaMemcpyAsync(numbers, columns, sizeof(R) * states * width, cudaMemcpyDeviceToHost, stream));
  } else {
    for (int first = 0; first < states; first += at_once) {
      const size_t count = size_t(states - first < at_once ? states - first : at_once) * width;
      ARTICULA_LAUNCH(to_rows, blocks_of(count, THREADS), THREADS, stream, states, width, first, count,
                      (const R *)columns, (R *)stage);
      TRY(cudaGetLastError());
      TRY(cudaMemcpyAsync((R *)numbers + size_t(first) * width, stage, sizeof(R) * count, cudaMemcpyDeviceToHost,
                          stream));
    }
  }
  return cudaStreamSynchronize(stream);
}

static int fill(void *column, int states, double value, void *stream)
{
  ARTICULA_LAUNCH(set_all, blocks_of(states, THREADS), THREADS, cudaStream_t(stream), size_t(states), R(value),
                  (R *)column);
  return cudaGetLastError();
}

static int copy(void *to, const void *from, size_t bytes, void *stream)
{
  return cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, cudaStream_t(stream));
}

static int first_not_finite(const void *columns, int states, int width, int *state, void *stage, void *stream_)
{
  const cudaStream_t stream = cudaStream_t(stream_);
  const size_t numbers = size_t(states) * width;
  *state = states;
  TRY(cudaMemcpyAsync(stage, state, sizeof(int), cudaMemcpyHostToDevice, stream));
  ARTICULA_LAUNCH(find_not_finite, blocks_of(numbers, THREADS), THREADS, stream, states, numbers, (const R *)columns,
                  (int *)stage);
  TRY(cudaGetLastError());
  TRY(cudaMemcpyAsync(state, stage, sizeof(int), cudaMemcpyDeviceToHost, stream));
  return cudaStreamSynchronize(stream);
}

static int wait(void *stream) { return cudaStreamSynchronize(cudaStream_t(stream)); }
static const char *error_text(int error) { return cudaGetErrorString(cudaError_t(error)); }
)";

constexpr const char* table = R"(
struct Table {
  int (*open)(int);
  int (*memory)(size_t *, size_t *);
  int (*take)(size_t, void **);
  int (*give)(void *);
  int (*load)(void *, const void *, int, int, int, void *, int, void *);
  int (*store)(const void *, void *, int, int, int, void *, int, void *);
  int (*fill)(void *, int, double, void *);
  int (*copy)(void *, const void *, size_t, void *);
  int (*compute)(int, const void *const *, void *const *, void *);
  int (*roll_out)(int, int, const void *const *, void *const *, void *);
  int (*first_not_finite)(const void *, int, int, int *, void *, void *);
  int (*wait)(void *);
  const char *(*error_text)(int);
};

extern "C" __attribute__((visibility("default"))) const Table *articula_device(void)
{
  static const Table table = {open_device, memory, take, give, load, store, fill, copy,
                              compute, roll_out, first_not_finite, wait, error_text};
  return &table;
}
)";

/// `, (const R *)inputs[0], (R *)outputs[0]`; inputs without entries are omitted.
std::string pointers_text(const RecordedFunction& function) {
  std::string text;
  int in = 0, out = 0;
  for (const FunctionArray& array : function.inputs) {
    if (array.size() > 0) text += concat(", (const R *)inputs[", in++, "]");
  }
  for (std::size_t k = 0; k < function.outputs.size(); ++k) text += concat(", (R *)outputs[", out++, "]");
  return text;
}

std::string launch_text(const RecordedFunction& function, const std::string& kernel, const std::string& first) {
  return concat("  using namespace function_device;\n  ARTICULA_LAUNCH(", kernel,
                "<R>, blocks<R>(states), threads<R>(), cudaStream_t(stream), ", first, pointers_text(function),
                ");\n  return cudaGetLastError();\n");
}

}  // namespace

std::string device_source(const RecordedFunction& function, bool single) {
  const bool step = function.is_step();
  return concat(
      cuda_header(function, "function", "the model"), "\ntypedef ", single ? "float" : "double", " R;\n", tools,
      "\nstatic int compute(int states, const void *const *inputs, void *const *outputs, void *stream)\n{\n",
      launch_text(function, "function", "states"), "}\n",
      step ? concat("\nstatic int roll_out(int states, int steps, const void *const *inputs, void *const *outputs, "
                    "void *stream)\n{\n",
                    launch_text(function, "function_rollout", "states, steps"), "}\n")
           : "\nstatic int (*const roll_out)(int, int, const void *const *, void *const *, void *) = nullptr;\n",
      table);
}

}  // namespace articula::generate
