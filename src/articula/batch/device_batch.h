#pragma once

#include <articula/batch/batch.h>
#include <articula/generate/device.h>

namespace articula::batch {

struct DeviceBatchOptions {
  DeviceOptions device;
  /// Numbers that each state has of its own, as in RecordOptions: `hand.mass`, `gravity`. They are what `parameters()` holds.
  std::vector<std::string> symbolic;
  BuildOptions build;
};

/// Base class of all batches on a GPU. They have the interface of those on the CPU (batch.h); their code is generated
/// for the mechanism, compiled by the machine's `nvcc` and cached (generate/device.h), one thread for each state.
///
///     update(state)   new states from the host; if they are invalid, throws and changes nothing
///     compute()       starts the computation; storing results waits for it
///     report()        looks at the results of the last computation
///
/// Arrays live on the device: number k of state i is data()[k * states + i]. Programs that compute there write into
/// `q().data()` and read from the results, and nothing passes through the host. Numbers of the model are part of the code,
/// but for those that are `symbolic`. Initially, all states are at the start of the mechanism, at rest.
///
/// The results of doubles are those of the flat solvers to 1e-12 (docs/batch.md). It must not be used by two threads at
/// the same time.
///
/// Throws an Error: what DeviceFunction, `record` and `build` throw.
template <class S>
class ARTICULA_EXPORT DeviceBatch {
 public:
  virtual ~DeviceBatch();
  DeviceBatch(DeviceBatch&&) noexcept;
  DeviceBatch& operator=(DeviceBatch&&) noexcept;

  const Mechanism& mechanism() const;
  std::span<const std::string> q_names() const { return mechanism().independent.q_names; }
  std::span<const std::string> v_names() const { return mechanism().independent.v_names; }
  std::span<const std::string> parameter_names() const;
  int nq() const { return mechanism().independent.nq(); }
  int nv() const { return mechanism().independent.nv(); }
  int states() const;
  const Device& device() const;
  BatchReport report() const;

  /// Empty members are zero, except q.
  void update(const BatchState<S>& state, StatesAs as = StatesAs::rows);

  DeviceArray<S>& q() { return input("q"); }
  DeviceArray<S>& v() { return input("v"); }           ///< throws where velocities have no part
  DeviceArray<S>& parameters() { return input("p"); }  ///< at first those of the model; throws if none is symbolic

  /// Waits until everything that was started is done.
  void wait() const;

 protected:
  struct Core;
  struct Plan;
  DeviceBatch(const Model& model, int states, const DeviceBatchOptions& options, const Plan& plan);

  DeviceArray<S>& input(std::string_view name);
  const DeviceArray<S>& result(int k) const;
  void run();

 private:
  std::unique_ptr<Core> core_;
};

/// The generalized forces that prescribed motions require.
///
///     DeviceInverseDynamics torques(robot, 1'000'000);
///     torques.update({.q = q, .v = v, .vdot = vdot});
///     torques.compute().store(tau);
template <class S = double>
class ARTICULA_EXPORT DeviceInverseDynamics final : public DeviceBatch<S> {
 public:
  DeviceInverseDynamics(const Model& model, int states, const DeviceBatchOptions& options = {});

  DeviceArray<S>& vdot() { return this->input("vdot"); }
  const DeviceArray<S>& compute();  ///< tau, nv
};

/// The accelerations that generalized forces cause.
template <class S = double>
class ARTICULA_EXPORT DeviceForwardDynamics final : public DeviceBatch<S> {
 public:
  DeviceForwardDynamics(const Model& model, int states, const DeviceBatchOptions& options = {});

  DeviceArray<S>& tau() { return this->input("tau"); }
  const DeviceArray<S>& compute();  ///< vdot, nv
};

/// The mass matrices, nv × nv each, row by row, on and above the diagonal; zero below.
template <class S = double>
class ARTICULA_EXPORT DeviceMassMatrix final : public DeviceBatch<S> {
 public:
  DeviceMassMatrix(const Model& model, int states, const DeviceBatchOptions& options = {});

  const DeviceArray<S>& compute();
};

/// The derivatives of inverse dynamics along the tangent of q and along v, nv × nv each, row by row.
template <class S = double>
class ARTICULA_EXPORT DeviceInverseDynamicsDerivatives final : public DeviceBatch<S> {
 public:
  struct Result {
    const DeviceArray<S>&dtau_dq, &dtau_dv;
  };
  DeviceInverseDynamicsDerivatives(const Model& model, int states, const DeviceBatchOptions& options = {});

  DeviceArray<S>& vdot() { return this->input("vdot"); }
  Result compute();
};

/// The derivatives of forward dynamics along the tangent of q, along v and along tau, nv × nv each, row by row.
template <class S = double>
class ARTICULA_EXPORT DeviceForwardDynamicsDerivatives final : public DeviceBatch<S> {
 public:
  struct Result {
    const DeviceArray<S>&dvdot_dq, &dvdot_dv, &dvdot_dtau;
  };
  DeviceForwardDynamicsDerivatives(const Model& model, int states, const DeviceBatchOptions& options = {});

  DeviceArray<S>& tau() { return this->input("tau"); }
  Result compute();
};

/// Where frames are in World: of each its rotation, row by row, then its origin: 12 numbers.
template <class S = double>
class ARTICULA_EXPORT DeviceKinematics final : public DeviceBatch<S> {
 public:
  DeviceKinematics(const Model& model, int states, std::span<const PortRef> frames,
                   const DeviceBatchOptions& options = {});

  const DeviceArray<S>& compute();
};

/// Many simulations: each `compute` advances all states by some steps in one launch, with constant tau and the state in
/// registers. The states are in q() and v(), before and after.
///
/// Steps are semi-implicit. Unlike on the CPU, a quaternion goes along its rate and is brought back to unit length, which
/// differs from the turn about a fixed axis by O(h³) a step.
template <class S = double>
class ARTICULA_EXPORT DeviceRollout final : public DeviceBatch<S> {
 public:
  DeviceRollout(const Model& model, int states, const RolloutOptions& rollout, const DeviceBatchOptions& options = {});

  DeviceArray<S>& tau() { return this->input("tau"); }
  void compute();
};

extern template class DeviceBatch<double>;
extern template class DeviceBatch<float>;
extern template class DeviceInverseDynamics<double>;
extern template class DeviceInverseDynamics<float>;
extern template class DeviceForwardDynamics<double>;
extern template class DeviceForwardDynamics<float>;
extern template class DeviceMassMatrix<double>;
extern template class DeviceMassMatrix<float>;
extern template class DeviceInverseDynamicsDerivatives<double>;
extern template class DeviceInverseDynamicsDerivatives<float>;
extern template class DeviceForwardDynamicsDerivatives<double>;
extern template class DeviceForwardDynamicsDerivatives<float>;
extern template class DeviceKinematics<double>;
extern template class DeviceKinematics<float>;
extern template class DeviceRollout<double>;
extern template class DeviceRollout<float>;

}  // namespace articula::batch
