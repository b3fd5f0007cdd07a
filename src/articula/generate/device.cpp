#include <articula/generate/device.h>

#include <algorithm>
#include <utility>

#include <articula/base/error.h>
#include <articula/base/index.h>
#include <articula/base/text.h>
#include <articula/generate/internal/device_code.h>

namespace articula::generate {
namespace {

template <class Arrays>
auto& find_array(Arrays& arrays, std::string_view name) {
  const auto found =
      std::find_if(arrays.begin(), arrays.end(), [&](const auto& array) { return array.name() == name; });
  if (found != arrays.end()) return *found;
  std::vector<std::string> names;
  for (const auto& array : arrays) names.push_back(array.name());
  throw Error("device-no-such-array", {},
              concat("there is no array ", quoted(name), ".", choices(name, "Arrays", names)));
}

int checked_states(int states) {
  if (states < 1) {
    throw Error("batch-states", {}, concat("a batch of ", states, " states. It needs at least one."));
  }
  return states;
}

}  // namespace

template <class S>
DeviceArray<S>::DeviceArray(std::shared_ptr<DeviceCode> code, std::string name, int states, int width)
    : code_(std::move(code)), name_(std::move(name)), states_(states), width_(width) {
  data_ = static_cast<S*>(code_->take(sizeof(S) * at(states) * at(width), concat(name_, " of ", states, " states")));
}
template <class S>
DeviceArray<S>::~DeviceArray() {
  if (data_ != nullptr && owns_) code_->give(data_);
}
template <class S>
DeviceArray<S>::DeviceArray(DeviceArray&& other) noexcept
    : code_(std::move(other.code_)),
      name_(std::move(other.name_)),
      states_(other.states_),
      width_(other.width_),
      data_(std::exchange(other.data_, nullptr)),
      owns_(other.owns_) {}

template <class S>
DeviceArray<S> DeviceArray<S>::first(std::string name, int width) const {
  DeviceArray part;
  part.code_ = code_;
  part.name_ = std::move(name);
  part.states_ = states_, part.width_ = width;
  part.data_ = data_;
  part.owns_ = false;
  return part;
}

template <class S>
void DeviceArray<S>::require_size(std::size_t size) const {
  if (size == at(states_) * at(width_)) return;
  throw Error("device-size", {},
              concat(name_, " on the host has ", size, " numbers, but ", states_, " states of ", width_, " need ",
                     at(states_) * at(width_), "."));
}

template <class S>
void DeviceArray<S>::load(std::span<const S> numbers, StatesAs as) {
  require_size(numbers.size());
  const DeviceTable& table = code_->on_device();
  const std::size_t bytes = sizeof(S) * at(width_);
  const bool rows = as == StatesAs::rows && width_ > 1;
  const DeviceCode::Stage stage = rows ? code_->stage(bytes, states_) : DeviceCode::Stage{};
  const int error = table.load(data_, numbers.data(), states_, width_, rows, stage.data,
                               static_cast<int>(std::min(stage.bytes / bytes, at(states_))), code_->stream());
  code_->require(error, concat("to read ", name_));
}

template <class S>
void DeviceArray<S>::store(std::span<S> numbers, StatesAs as) const {
  require_size(numbers.size());
  const DeviceTable& table = code_->on_device();
  const std::size_t bytes = sizeof(S) * at(width_);
  const bool rows = as == StatesAs::rows && width_ > 1;
  const DeviceCode::Stage stage = rows ? code_->stage(bytes, states_) : DeviceCode::Stage{};
  const int error = table.store(data_, numbers.data(), states_, width_, rows, stage.data,
                                static_cast<int>(std::min(stage.bytes / bytes, at(states_))), code_->stream());
  code_->require(error, concat("to give ", name_, ", or to compute it"));
}

template <class S>
void DeviceArray<S>::fill(int k, S value) {
  code_->require(
      code_->on_device().fill(data_ + at(k) * at(states_), states_, static_cast<double>(value), code_->stream()),
      concat("to fill ", name_));
}

template <class S>
void DeviceArray<S>::clear() {
  for (int k = 0; k < width_; ++k) fill(k, S(0));
}

template <class S>
void DeviceArray<S>::copy(const DeviceArray& from) {
  const std::size_t bytes = sizeof(S) * at(states_) * at(std::min(width_, from.width_));
  code_->require(code_->on_device().copy(data_, from.data_, bytes, code_->stream()), concat("to copy ", name_));
}

template <class S>
int DeviceArray<S>::first_not_finite() const {
  int state = -1;
  const int error = code_->on_device().first_not_finite(data_, states_, width_, &state, code_->stage(sizeof(S), 1).data,
                                                        code_->stream());
  code_->require(error, concat("to look at ", name_, ", or to compute it"));
  return state < states_ ? state : -1;
}

template <class S>
DeviceFunction<S>::DeviceFunction(const RecordedFunction& function, int states, const DeviceOptions& options)
    : states_(checked_states(states)) {
  code_ = std::make_shared<DeviceCode>(function, std::is_same_v<S, float>, options);
  for (const FunctionArray& array : function.inputs) {
    if (array.size() > 0) inputs_.emplace_back(code_, array.name, states, array.size());
  }
  for (const FunctionArray& array : function.outputs) outputs_.emplace_back(code_, array.name, states, array.size());
  for (const DeviceArray<S>& array : inputs_) in_.push_back(array.data());
  for (DeviceArray<S>& array : outputs_) out_.push_back(array.data());
}

template <class S>
const Device& DeviceFunction<S>::device() const {
  return code_->device();
}
template <class S>
bool DeviceFunction<S>::was_cached() const {
  return code_->was_cached();
}
template <class S>
DeviceArray<S>& DeviceFunction<S>::input(std::string_view name) {
  return find_array(inputs_, name);
}
template <class S>
DeviceArray<S>& DeviceFunction<S>::output(std::string_view name) {
  return find_array(outputs_, name);
}
template <class S>
bool DeviceFunction<S>::has_input(std::string_view name) const {
  return std::any_of(inputs_.begin(), inputs_.end(), [&](const DeviceArray<S>& array) { return array.name() == name; });
}

template <class S>
void DeviceFunction<S>::compute() {
  code_->require(code_->on_device().compute(states_, in_.data(), out_.data(), code_->stream()), "to compute");
}

template <class S>
void DeviceFunction<S>::roll_out(int steps) {
  if (code_->on_device().roll_out == nullptr) {
    throw Error("device-no-steps", {}, "this function takes no steps. Record Algorithm::step to roll out.");
  }
  code_->require(code_->on_device().roll_out(states_, steps, in_.data(), out_.data(), code_->stream()), "to roll out");
}

template <class S>
void DeviceFunction<S>::wait() const {
  code_->require(code_->on_device().wait(code_->stream()), "to compute");
}

template class DeviceArray<double>;
template class DeviceArray<float>;
template class DeviceFunction<double>;
template class DeviceFunction<float>;

}  // namespace articula::generate
