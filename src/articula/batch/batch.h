#pragma once

#include <memory>
#include <string>

#include <articula/batch/lane_array.h>
#include <articula/batch/rollout_options.h>
#include <articula/build/build.h>
#include <articula/model/model.h>
#include <articula/scalar/instruction_set.h>

namespace articula::batch {

struct BatchOptions {
  int threads = 0;  ///< 0: one for each core
  InstructionSet instructions = best_instruction_set();
  /// Each state has its own parameters (masses, placements, ...), which `refresh(state, model)` sets. Otherwise all
  /// share those of the model.
  bool own_parameters = false;
  BuildOptions build;
};

/// Many states, one row for each. Each batch reads what it needs; empty members are zero, except q.
template <class S>
struct BatchState {
  std::span<const S> q, v, vdot, tau;
};

/// The outcome of the last computation.
struct BatchReport {
  enum class Status : unsigned char {
    ready,  ///< nothing computed yet
    done,
    not_finite,  ///< the results of `state`, the first such one, are not numbers
  };
  Status status = Status::ready;
  int state = -1;

  bool ok() const { return status != Status::not_finite; }
};

/// A message: what happened, and what to do.
ARTICULA_EXPORT std::string to_text(const BatchReport& report);

/// Base class of all batches. A batch evaluates many states of one mechanism, with SIMD instructions and several
/// threads. Results agree with those of the flat solvers to 1e-12 (docs/batch.md). They do not depend, bit by bit, on
/// the number of threads and the other states.
///
///     update(state)            new states; if they are invalid, throws and changes nothing
///     compute()                noexcept, allocates nothing; the arrays it returns are valid until the next call
///     report()                 its outcome
///     refresh(model)           new parameters for all states
///     refresh(state, model)    for one state, with `own_parameters`
///
/// The bare mechanism: trees of joints with gravity, without springs, dampers, friction and drives. Variables are in the
/// mechanism's own order (`q_names`). A batch must not be used by two threads at the same time; different batches may.
template <class S>
class ARTICULA_EXPORT Batch {
 public:
  virtual ~Batch();
  Batch(Batch&&) noexcept;
  Batch& operator=(Batch&&) noexcept;

  const Mechanism& mechanism() const;
  std::span<const std::string> q_names() const { return mechanism().independent.q_names; }
  std::span<const std::string> v_names() const { return mechanism().independent.v_names; }
  int nq() const { return mechanism().independent.nq(); }
  int nv() const { return mechanism().independent.nv(); }
  int states() const;
  int lanes() const;
  int threads() const;
  const BatchReport& report() const;
  const Findings& findings() const;  ///< warnings: model features that are missing from the results

  void update(const BatchState<S>& state);

  /// The states in the layout of lanes, which can be written without conversion. `check` then checks them as `update`
  /// does.
  LaneArray<S>& q();
  LaneArray<S>& v();
  const LaneArray<S>& q() const;
  const LaneArray<S>& v() const;
  void check() const;

  void refresh(const Model& model);
  void refresh(int state, const Model& model);

 protected:
  struct Core;
  struct Plan;
  Batch(const Model& model, int states, const BatchOptions& options, const Plan& plan);

  LaneArray<S>& input();  ///< vdot or tau
  const LaneArray<S>& result(int k) const;
  void run() noexcept;

 private:
  std::unique_ptr<Core> core_;
};

/// The generalized forces that prescribed motions require.
///
///     BatchedInverseDynamics torques(robot, 10'000);
///     torques.update({.q = q, .v = v, .vdot = vdot});
///     torques.compute().store(tau);
template <class S = double>
class ARTICULA_EXPORT BatchedInverseDynamics final : public Batch<S> {
 public:
  BatchedInverseDynamics(const Model& model, int states, const BatchOptions& options = {});

  LaneArray<S>& vdot() { return this->input(); }
  const LaneArray<S>& compute() noexcept;  ///< tau, nv
};

/// The accelerations that generalized forces cause.
template <class S = double>
class ARTICULA_EXPORT BatchedForwardDynamics final : public Batch<S> {
 public:
  BatchedForwardDynamics(const Model& model, int states, const BatchOptions& options = {});

  LaneArray<S>& tau() { return this->input(); }
  const LaneArray<S>& compute() noexcept;  ///< vdot, nv
};

/// The mass matrices, nv × nv each, row-major, on and above the diagonal. Entries below the diagonal are zero, since
/// writing them would take longer than computing the matrix.
template <class S = double>
class ARTICULA_EXPORT BatchedMassMatrix final : public Batch<S> {
 public:
  BatchedMassMatrix(const Model& model, int states, const BatchOptions& options = {});

  const LaneArray<S>& compute() noexcept;
};

/// The inverses of the mass matrices, nv × nv each, row by row.
class ARTICULA_EXPORT BatchedInverseMassMatrix final : public Batch<double> {
 public:
  BatchedInverseMassMatrix(const Model& model, int states, const BatchOptions& options = {});

  const LaneArray<double>& compute() noexcept;
};

/// The derivatives of inverse dynamics along the tangent of q and along v, nv × nv each, row by row; and tau.
class ARTICULA_EXPORT BatchedInverseDynamicsDerivatives final : public Batch<double> {
 public:
  struct Result {
    const LaneArray<double>&tau, &dtau_dq, &dtau_dv;
  };
  BatchedInverseDynamicsDerivatives(const Model& model, int states, const BatchOptions& options = {});

  LaneArray<double>& vdot() { return this->input(); }
  Result compute() noexcept;
};

/// The derivatives of forward dynamics along the tangent of q, along v and along tau, nv × nv each, row by row.
class ARTICULA_EXPORT BatchedForwardDynamicsDerivatives final : public Batch<double> {
 public:
  struct Result {
    const LaneArray<double>&dvdot_dq, &dvdot_dv, &dvdot_dtau;
  };
  BatchedForwardDynamicsDerivatives(const Model& model, int states, const BatchOptions& options = {});

  LaneArray<double>& tau() { return this->input(); }
  Result compute() noexcept;
};

/// Poses and velocities of frames in World.
class ARTICULA_EXPORT BatchedKinematics final : public Batch<double> {
 public:
  struct Result {
    const LaneArray<double>& poses;       ///< of each frame: its rotation in World, row by row, then its origin: 12
    const LaneArray<double>& velocities;  ///< of each frame: angular, then linear of its origin, in World's axes: 6
  };
  BatchedKinematics(const Model& model, int states, std::span<const PortRef> frames, const BatchOptions& options = {});

  Result compute() noexcept;
};

/// Many simulations: each `compute` advances all states by some steps with constant tau. The states are in q() and v(),
/// before and after.
class ARTICULA_EXPORT BatchedRollout final : public Batch<double> {
 public:
  BatchedRollout(const Model& model, int states, const RolloutOptions& rollout, const BatchOptions& options = {});

  LaneArray<double>& tau() { return this->input(); }
  void compute() noexcept;
};

extern template class Batch<double>;
extern template class Batch<float>;
extern template class BatchedInverseDynamics<double>;
extern template class BatchedInverseDynamics<float>;
extern template class BatchedForwardDynamics<double>;
extern template class BatchedForwardDynamics<float>;
extern template class BatchedMassMatrix<double>;
extern template class BatchedMassMatrix<float>;

}  // namespace articula::batch
