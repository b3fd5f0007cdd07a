#pragma once

#include <memory>
#include <span>
#include <string_view>

#include <articula/generate/function.h>

namespace articula::generate {

struct DeviceOptions {
  std::string compiler = "nvcc";         ///< a name on the PATH or in $CUDA_HOME/bin or /usr/local/cuda/bin, or a path
  std::string driver = "libcuda.so.1";   ///< the library of CUDA's driver
  std::string cache;                     ///< as in CompileOptions
  int device = 0;                        ///< its index, from 0
  void* stream = nullptr;                ///< the cudaStream_t for all work; null: the default one
  int most_operations = 200'000;         ///< longer code is an error
  std::size_t stage_bytes = 64'000'000;  ///< size of the device buffer for converting rows
};

/// A GPU.
struct Device {
  std::string name;
  int architecture = 0;    ///< 90: compute capability 9.0
  std::size_t memory = 0;  ///< in bytes
};

/// All GPUs; none without a driver.
ARTICULA_EXPORT std::vector<Device> find_devices(const std::string& driver = "libcuda.so.1");

/// The layout of arrays of states on the host.
enum class StatesAs : unsigned char {
  rows,     ///< one row per state: number k of state i is [i * width + k], as everywhere in batch/
  columns,  ///< as on the device: number k of state i is [k * states + i]; copied unchanged
};

/// Compiled code, the device it runs on and its stream.
class DeviceCode;

/// An array of numbers of many states on a device. Number k of state i is data()[k * states + i], so that neighbouring
/// threads read neighbouring numbers.
template <class S>
class ARTICULA_EXPORT DeviceArray {
 public:
  DeviceArray(std::shared_ptr<DeviceCode> code, std::string name, int states, int width);
  ~DeviceArray();
  DeviceArray(DeviceArray&& other) noexcept;
  DeviceArray& operator=(DeviceArray&&) = delete;

  const std::string& name() const { return name_; }
  int states() const { return states_; }
  int width() const { return width_; }  ///< numbers of each state

  /// On the device. Reads and writes must be in the stream of DeviceOptions, or wait.
  S* data() { return data_; }
  const S* data() const { return data_; }

  /// Copy from and to the host; return when the copy is complete. Throw `device-size`.
  void load(std::span<const S> numbers, StatesAs as = StatesAs::rows);
  void store(std::span<S> numbers, StatesAs as = StatesAs::rows) const;

  void fill(int k, S value);           ///< sets number k of every state
  void copy(const DeviceArray& from);  ///< @pre the same size
  void clear();                        ///< zeros

  /// The first state with a number that is not finite; −1: none.
  int first_not_finite() const;

  /// A view of the first numbers of each state, with another name. @pre it does not outlive this array
  DeviceArray first(std::string name, int width) const;

 private:
  DeviceArray() = default;
  void require_size(std::size_t size) const;

  std::shared_ptr<DeviceCode> code_;
  std::string name_;
  int states_ = 0, width_ = 0;
  S* data_ = nullptr;
  bool owns_ = true;
};

/// A recorded function on a GPU, for many states: compiled by the CUDA compiler of the machine, cached like a
/// CompiledFunction and loaded. Articula itself is built without CUDA.
///
///     DeviceFunction torques(record(Algorithm::inverse_dynamics, built), 1'000'000);
///     torques.input("q").load(q), torques.input("v").load(v), torques.input("vdot").load(vdot);
///     torques.compute();
///     torques.output("tau").store(tau);
///
/// Results that are always zero, and symmetric matrices below the diagonal, are zero and are not written.
///
/// Throws an Error: `no-gpu`, `no-cuda-compiler`, `compile-failed`, `cache-unsafe`, `generate-too-large`,
/// `batch-states`, `device-memory`; if the device fails, `device-failed`.
template <class S = double>
class ARTICULA_EXPORT DeviceFunction {
 public:
  DeviceFunction(const RecordedFunction& function, int states, const DeviceOptions& options = {});

  int states() const { return states_; }
  const Device& device() const;
  bool was_cached() const;

  /// By name; an unknown name throws and lists the choices.
  DeviceArray<S>& input(std::string_view name);
  DeviceArray<S>& output(std::string_view name);
  std::vector<DeviceArray<S>>& inputs() { return inputs_; }
  std::vector<DeviceArray<S>>& outputs() { return outputs_; }
  const std::vector<DeviceArray<S>>& outputs() const { return outputs_; }
  bool has_input(std::string_view name) const;

  /// Starts the computation and returns. Later operations in the same stream see its results.
  void compute();

  /// Starts several steps in one launch: the state stays in registers between them, and the outputs hold the last one.
  /// Throws `device-no-steps` unless the function is a recorded step.
  void roll_out(int steps);

  /// Waits until all work in the stream is done.
  void wait() const;

 private:
  std::shared_ptr<DeviceCode> code_;
  int states_;
  std::vector<DeviceArray<S>> inputs_, outputs_;
  std::vector<const void*> in_;
  std::vector<void*> out_;
};

extern template class DeviceArray<double>;
extern template class DeviceArray<float>;
extern template class DeviceFunction<double>;
extern template class DeviceFunction<float>;

}  // namespace articula::generate
