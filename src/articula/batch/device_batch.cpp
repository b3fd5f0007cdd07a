#include <articula/batch/device_batch.h>

#include <articula/base/error.h>
#include <articula/base/text.h>
#include <articula/batch/internal/check_states.h>
#include <articula/generate/record.h>

namespace articula::batch {

/// What a kind of batch computes.
template <class S>
struct DeviceBatch<S>::Plan {
  std::string_view name;  ///< of the batch, for messages
  Algorithm algorithm;
  int telling_result = -1;  ///< what is not finite when anything is; −1 where finite states give finite results
  std::span<const PortRef> frames;
  RolloutOptions rollout;
};

/// What is behind every batch.
template <class S>
struct DeviceBatch<S>::Core {
  Core(const Model& model, int states, const DeviceBatchOptions& options, const Plan& what)
      : plan(what),
        built(build::build_mechanism(model, options.build)),
        recorded(recording(model, options)),
        function(recorded, states, options.device) {
    const auto fill = [](DeviceArray<S>& array, auto number) {
      for (int k = 0; k < array.width(); ++k) array.fill(k, static_cast<S>(number(static_cast<std::size_t>(k))));
    };
    const IndependentCoordinates& y = built.mechanism.independent;
    for (const FunctionArray& given : recorded.inputs) {
      if (given.size() == 0) continue;
      DeviceArray<S>& array = function.input(given.name);
      if (given.role == ArrayRole::configuration)
        fill(array, [&](std::size_t k) { return built.parameters.q_start[static_cast<std::size_t>(y.q[k])]; });
      if (given.role == ArrayRole::parameter)
        fill(array, [&](std::size_t k) { return parameter_value(built, given.entries[k]); });
      if (given.role != ArrayRole::force_and_step) continue;
      array.fill(y.nv(), static_cast<S>(plan.rollout.step));
      tau.push_back(array.first("tau", y.nv()));
    }
    recorded.graph = {};  // what is compiled is no longer needed
  }

  RecordedFunction recording(const Model& model, const DeviceBatchOptions& options) const {
    check_rollout(plan.name, plan.rollout);
    if (plan.rollout.method != RolloutMethod::semi_implicit) {
      throw Error("rollout-method", {},
                  concat(plan.name,
                         ": steps on a GPU are semi_implicit. Choose that, or use BatchedRollout, which also "
                         "takes steps of runge_kutta_4."));
    }
    computable({.algorithm = plan.algorithm,
                .run_as = RunAs::batched,
                .batch = true,
                .who = plan.name,
                .locked = locked_joint(built.mechanism, model.exterior.joints)},
               built.mechanism);
    if (traits(plan.algorithm).accelerates) require_regular_joints(built, built.parameters.q_start);
    RecordOptions record_options;
    record_options.many_states = true;
    record_options.symbolic = options.symbolic;
    record_options.frames.assign(plan.frames.begin(), plan.frames.end());
    RecordedFunction result = record(plan.algorithm, built, record_options);
    // All of a symmetric matrix but M is given, as on the CPU.
    if (plan.algorithm != Algorithm::mass_matrix) {
      for (FunctionArray& array : result.outputs) array.symmetric = false;
    }
    return result;
  }

  bool takes(std::string_view name) const { return function.has_input(name) || (name == "tau" && !tau.empty()); }
  DeviceArray<S>& input(std::string_view name) {
    return name == "tau" && !tau.empty() ? tau.front() : function.input(name);
  }

  void set(std::string_view name, std::span<const S> numbers, StatesAs as) {
    if (!takes(name)) return;
    if (numbers.empty()) return input(name).clear();
    input(name).load(numbers, as);
  }

  Plan plan;
  Built built;
  RecordedFunction recorded;
  DeviceFunction<S> function;
  std::vector<DeviceArray<S>> tau;  ///< of rollouts: all of tau_h but h
  bool computed = false;
};

template <class S>
DeviceBatch<S>::DeviceBatch(const Model& model, int states, const DeviceBatchOptions& options, const Plan& plan)
    : core_(std::make_unique<Core>(model, states, options, plan)) {}
template <class S>
DeviceBatch<S>::~DeviceBatch() = default;
template <class S>
DeviceBatch<S>::DeviceBatch(DeviceBatch&&) noexcept = default;
template <class S>
DeviceBatch<S>& DeviceBatch<S>::operator=(DeviceBatch&&) noexcept = default;

template <class S>
const Mechanism& DeviceBatch<S>::mechanism() const {
  return core_->built.mechanism;
}
template <class S>
std::span<const std::string> DeviceBatch<S>::parameter_names() const {
  return core_->recorded.inputs.back().entries;
}
template <class S>
int DeviceBatch<S>::states() const {
  return core_->function.states();
}
template <class S>
const Device& DeviceBatch<S>::device() const {
  return core_->function.device();
}
template <class S>
void DeviceBatch<S>::wait() const {
  core_->function.wait();
}
template <class S>
DeviceArray<S>& DeviceBatch<S>::input(std::string_view name) {
  return core_->input(name);
}
template <class S>
const DeviceArray<S>& DeviceBatch<S>::result(int k) const {
  return core_->function.outputs()[static_cast<std::size_t>(k)];
}

template <class S>
void DeviceBatch<S>::update(const BatchState<S>& state, StatesAs as) {
  const Core& core = *core_;
  check_states({core.plan.name, core.takes("v"), core.takes("vdot"), core.takes("tau")}, mechanism(), states(), state,
               as);
  core_->set("q", state.q, as);
  core_->set("v", state.v, as);
  core_->set("vdot", state.vdot, as);
  core_->set("tau", state.tau, as);
}

template <class S>
BatchReport DeviceBatch<S>::report() const {
  if (!core_->computed) return {};
  const int which = core_->plan.telling_result;
  const int state = which < 0 ? -1 : result(which).first_not_finite();
  return state < 0 ? BatchReport{BatchReport::Status::done, -1} : BatchReport{BatchReport::Status::not_finite, state};
}

template <class S>
void DeviceBatch<S>::run() {
  DeviceFunction<S>& function = core_->function;
  if (core_->plan.algorithm == Algorithm::step) {
    function.roll_out(core_->plan.rollout.steps);
    function.input("q").copy(function.output("q_next"));
    function.input("v").copy(function.output("v_next"));
  } else {
    function.compute();
  }
  core_->computed = true;
}

template <class S>
DeviceInverseDynamics<S>::DeviceInverseDynamics(const Model& model, int states, const DeviceBatchOptions& options)
    : DeviceBatch<S>(model, states, options,
                     {.name = "DeviceInverseDynamics", .algorithm = Algorithm::inverse_dynamics, .telling_result = 0}) {
}
template <class S>
const DeviceArray<S>& DeviceInverseDynamics<S>::compute() {
  this->run();
  return this->result(0);
}

template <class S>
DeviceForwardDynamics<S>::DeviceForwardDynamics(const Model& model, int states, const DeviceBatchOptions& options)
    : DeviceBatch<S>(model, states, options,
                     {.name = "DeviceForwardDynamics", .algorithm = Algorithm::forward_dynamics, .telling_result = 0}) {
}
template <class S>
const DeviceArray<S>& DeviceForwardDynamics<S>::compute() {
  this->run();
  return this->result(0);
}

template <class S>
DeviceMassMatrix<S>::DeviceMassMatrix(const Model& model, int states, const DeviceBatchOptions& options)
    : DeviceBatch<S>(model, states, options, {.name = "DeviceMassMatrix", .algorithm = Algorithm::mass_matrix}) {}
template <class S>
const DeviceArray<S>& DeviceMassMatrix<S>::compute() {
  this->run();
  return this->result(0);
}

template <class S>
DeviceInverseDynamicsDerivatives<S>::DeviceInverseDynamicsDerivatives(const Model& model, int states,
                                                                      const DeviceBatchOptions& options)
    : DeviceBatch<S>(model, states, options,
                     {.name = "DeviceInverseDynamicsDerivatives",
                      .algorithm = Algorithm::inverse_dynamics_derivatives,
                      .telling_result = 0}) {}
template <class S>
typename DeviceInverseDynamicsDerivatives<S>::Result DeviceInverseDynamicsDerivatives<S>::compute() {
  this->run();
  return {this->result(0), this->result(1)};
}

template <class S>
DeviceForwardDynamicsDerivatives<S>::DeviceForwardDynamicsDerivatives(const Model& model, int states,
                                                                      const DeviceBatchOptions& options)
    : DeviceBatch<S>(model, states, options,
                     {.name = "DeviceForwardDynamicsDerivatives",
                      .algorithm = Algorithm::forward_dynamics_derivatives,
                      .telling_result = 2}) {}
template <class S>
typename DeviceForwardDynamicsDerivatives<S>::Result DeviceForwardDynamicsDerivatives<S>::compute() {
  this->run();
  return {this->result(0), this->result(1), this->result(2)};
}

template <class S>
DeviceKinematics<S>::DeviceKinematics(const Model& model, int states, std::span<const PortRef> frames,
                                      const DeviceBatchOptions& options)
    : DeviceBatch<S>(model, states, options,
                     {.name = "DeviceKinematics", .algorithm = Algorithm::kinematics, .frames = frames}) {}
template <class S>
const DeviceArray<S>& DeviceKinematics<S>::compute() {
  this->run();
  return this->result(0);
}

template <class S>
DeviceRollout<S>::DeviceRollout(const Model& model, int states, const RolloutOptions& rollout,
                                const DeviceBatchOptions& options)
    : DeviceBatch<S>(model, states, options,
                     {.name = "DeviceRollout", .algorithm = Algorithm::step, .telling_result = 1, .rollout = rollout}) {
}
template <class S>
void DeviceRollout<S>::compute() {
  this->run();
}

template class DeviceBatch<double>;
template class DeviceBatch<float>;
template class DeviceInverseDynamics<double>;
template class DeviceInverseDynamics<float>;
template class DeviceForwardDynamics<double>;
template class DeviceForwardDynamics<float>;
template class DeviceMassMatrix<double>;
template class DeviceMassMatrix<float>;
template class DeviceInverseDynamicsDerivatives<double>;
template class DeviceInverseDynamicsDerivatives<float>;
template class DeviceForwardDynamicsDerivatives<double>;
template class DeviceForwardDynamicsDerivatives<float>;
template class DeviceKinematics<double>;
template class DeviceKinematics<float>;
template class DeviceRollout<double>;
template class DeviceRollout<float>;

}  // namespace articula::batch
