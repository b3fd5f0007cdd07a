#pragma once

#include <memory>
#include <span>
#include <string_view>

#include <articula/generate/function.h>

namespace articula::generate {

struct DeviceOptions {
  std::string compiler = "nvcc";         ///< on the PATH, or in $CUDA_HOME/bin or /usr/local/cuda/bin; or a path
  std::string driver = "libcuda.so.1";   ///< the library that knows the devices
  std::string cache;                     ///< as in CompileOptions
  int device = 0;                        ///< which, counted from 0
  void* stream = nullptr;                ///< a cudaStream_t of yours, in which all work is done; null: the default one
  int most_operations = 200'000;         ///< longer code is refused
  std::size_t stage_bytes = 64'000'000;  ///< room on the device through which rows pass
};

/// A device that can compute.
struct Device {
  std::string name;
  int architecture = 0;    ///< 90: compute capability 9.0
  std::size_t memory = 0;  ///< in bytes
};

/// All there are; none without a driver.
ARTICULA_EXPORT std::vector<Device> find_devices(const std::string& driver = "libcuda.so.1");

/// How a host holds the numbers of many states.
enum class StatesAs : unsigned char {
  rows,     ///< state after state: number k of state i is [i * width + k], as everywhere in batch/
  columns,  ///< as on the device: number k of state i is [k * states + i]; copied as it is
};

/// Compiled code, the device it runs on and its stream.
class DeviceCode;

/// Some numbers of each of many states, on a device: number k of state i is data()[k * states + i], so that threads which
/// are neighbours read neighbours.
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

  /// On the device. Whoever reads and writes there does so in the stream of DeviceOptions, or waits.
  S* data() { return data_; }
  const S* data() const { return data_; }

  /// From, and to, the host; complete when they return. Throw `device-size`.
  void load(std::span<const S> numbers, StatesAs as = StatesAs::rows);
  void store(std::span<S> numbers, StatesAs as = StatesAs::rows) const;

  void fill(int k, S value);           ///< the same number k in every state
  void copy(const DeviceArray& from);  ///< @pre as large
  void clear();                        ///< zeros

  /// The first state with a number that is not finite; −1: none.
  int first_not_finite() const;

  /// The first numbers of each state as an array with a name of its own, in the same place. @pre it outlives that
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

/// A recorded function on a GPU, for many states: compiled by the machine's CUDA compiler, kept in the same cache as
/// CompiledFunction, loaded. Articula itself is built without CUDA.
///
///     DeviceFunction torques(record(Algorithm::inverse_dynamics, built), 1'000'000);
///     torques.input("q").load(q), torques.input("v").load(v), torques.input("vdot").load(vdot);
///     torques.compute();
///     torques.output("tau").store(tau);
///
/// Results that are always zero, and symmetric matrices below the diagonal, are zero and are not written.
///
/// Throws an Error: `no-gpu`, `no-cuda-compiler`, `compile-failed`, `cache-unsafe`, `generate-too-large`, `batch-states`,
/// `device-memory`; and, whenever the device fails, `device-failed`.
template <class S = double>
class ARTICULA_EXPORT DeviceFunction {
 public:
  DeviceFunction(const RecordedFunction& function, int states, const DeviceOptions& options = {});

  int states() const { return states_; }
  const Device& device() const;
  bool was_cached() const;

  /// By name; throw, naming the choices.
  DeviceArray<S>& input(std::string_view name);
  DeviceArray<S>& output(std::string_view name);
  std::vector<DeviceArray<S>>& inputs() { return inputs_; }
  std::vector<DeviceArray<S>>& outputs() { return outputs_; }
  const std::vector<DeviceArray<S>>& outputs() const { return outputs_; }
  bool has_input(std::string_view name) const;

  /// Starts the computation and returns; what is stored or launched later in the same stream sees its results.
  void compute();

  /// Starts some steps in one launch: the state stays in registers between them. The outputs hold what came out.
  /// Throws `device-no-steps` unless it is a recorded step.
  void roll_out(int steps);

  /// Until all that was started is done.
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
