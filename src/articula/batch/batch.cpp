#include <articula/batch/batch.h>

#include <articula/base/text.h>
#include <articula/batch/internal/core.h>

namespace articula::batch {

std::string to_text(const BatchReport& report) {
  switch (report.status) {
    case BatchReport::Status::ready: return "ready";
    case BatchReport::Status::done: return "done";
    case BatchReport::Status::not_finite: break;
  }
  return concat("the results of state ", report.state,
                " are not finite: a joint moves nothing that has inertia there, or the numbers grew beyond all bounds. "
                "Look at that state; a rollout may need shorter steps.");
}

template <class S>
BatchedInverseDynamics<S>::BatchedInverseDynamics(const Model& model, int states, const BatchOptions& options)
    : Batch<S>(model, states, options,
               {.name = "BatchedInverseDynamics", .algorithm = Algorithm::inverse_dynamics, .takes_vdot = true}) {}
template <class S>
const LaneArray<S>& BatchedInverseDynamics<S>::compute() noexcept {
  this->run();
  return this->result(0);
}

template <class S>
BatchedForwardDynamics<S>::BatchedForwardDynamics(const Model& model, int states, const BatchOptions& options)
    : Batch<S>(model, states, options,
               {.name = "BatchedForwardDynamics", .algorithm = Algorithm::forward_dynamics, .takes_tau = true}) {}
template <class S>
const LaneArray<S>& BatchedForwardDynamics<S>::compute() noexcept {
  this->run();
  return this->result(0);
}

template <class S>
BatchedMassMatrix<S>::BatchedMassMatrix(const Model& model, int states, const BatchOptions& options)
    : Batch<S>(model, states, options, {.name = "BatchedMassMatrix", .algorithm = Algorithm::mass_matrix}) {}
template <class S>
const LaneArray<S>& BatchedMassMatrix<S>::compute() noexcept {
  this->run();
  return this->result(0);
}

BatchedInverseMassMatrix::BatchedInverseMassMatrix(const Model& model, int states, const BatchOptions& options)
    : Batch(model, states, options, {.name = "BatchedInverseMassMatrix", .algorithm = Algorithm::inverse_mass_matrix}) {
}
const LaneArray<double>& BatchedInverseMassMatrix::compute() noexcept {
  run();
  return result(0);
}

BatchedInverseDynamicsDerivatives::BatchedInverseDynamicsDerivatives(const Model& model, int states,
                                                                     const BatchOptions& options)
    : Batch(model, states, options,
            {.name = "BatchedInverseDynamicsDerivatives",
             .algorithm = Algorithm::inverse_dynamics_derivatives,
             .takes_vdot = true}) {}
BatchedInverseDynamicsDerivatives::Result BatchedInverseDynamicsDerivatives::compute() noexcept {
  run();
  return {result(0), result(1), result(2)};
}

BatchedForwardDynamicsDerivatives::BatchedForwardDynamicsDerivatives(const Model& model, int states,
                                                                     const BatchOptions& options)
    : Batch(model, states, options,
            {.name = "BatchedForwardDynamicsDerivatives",
             .algorithm = Algorithm::forward_dynamics_derivatives,
             .takes_tau = true}) {}
BatchedForwardDynamicsDerivatives::Result BatchedForwardDynamicsDerivatives::compute() noexcept {
  run();
  return {result(0), result(1), result(2)};
}

BatchedKinematics::BatchedKinematics(const Model& model, int states, std::span<const PortRef> frames,
                                     const BatchOptions& options)
    : Batch(model, states, options,
            {.name = "BatchedKinematics", .algorithm = Algorithm::kinematics, .frames = frames}) {}
BatchedKinematics::Result BatchedKinematics::compute() noexcept {
  run();
  return {result(0), result(1)};
}

BatchedRollout::BatchedRollout(const Model& model, int states, const RolloutOptions& rollout,
                               const BatchOptions& options)
    : Batch(model, states, options,
            {.name = "BatchedRollout", .algorithm = Algorithm::step, .takes_tau = true, .rollout = rollout}) {}
void BatchedRollout::compute() noexcept { run(); }

template class BatchedInverseDynamics<double>;
template class BatchedInverseDynamics<float>;
template class BatchedForwardDynamics<double>;
template class BatchedForwardDynamics<float>;
template class BatchedMassMatrix<double>;
template class BatchedMassMatrix<float>;

}  // namespace articula::batch
