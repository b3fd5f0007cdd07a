/// Batches of states on one core, per state: every algorithm, robot and instruction set that this machine has. Compare
/// with the same names in dynamics_bench, which computes one state after the other.

#include <string>

#include <benchmark/benchmark.h>

#include <articula/batch/batch.h>
#include <articula/dynamics/kinematics.h>

#include "kernels.h"
#include "robots.h"

namespace articula::bench {
namespace {

/// Enough to be many, few enough for the second cache.
constexpr int states = 256;

/// The same states for all, row by row.
template <class S>
struct Rows {
  explicit Rows(const Mechanism& mech) {
    Numbers numbers;
    for (int i = 0; i < states; ++i) {
      for (const double x : some_configuration(mech, numbers)) q.push_back(static_cast<S>(x));
      for (const double x : numbers(mech.nv, 2)) v.push_back(static_cast<S>(x));
      for (const double x : numbers(mech.nv, 3)) x_.push_back(static_cast<S>(x));
    }
  }
  std::vector<S> q, v, x_;
};

template <class B, class S>
void measure(benchmark::State& state, B batch, const BatchState<S>& at) {
  batch.update(at);
  for (auto _ : state) {
    batch.compute();
    benchmark::ClobberMemory();
  }
  state.counters["per_state"] =
      benchmark::Counter(states, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

template <class S>
void measure_dynamics(const std::string& name, const Robot& robot, const BatchOptions& options) {
  const auto add = [&](const std::string& what, auto run) {
    benchmark::RegisterBenchmark((what + "/" + robot.name + name).c_str(), [&robot, options, run](benchmark::State& s) {
      const Model model = robot.model();
      run(s, model, options, Rows<S>(build_mechanism(model).mechanism));
    });
  };
  add("inverse_dynamics", [](auto& s, const Model& m, const BatchOptions& o, const Rows<S>& r) {
    measure(s, BatchedInverseDynamics<S>(m, states, o), BatchState<S>{.q = r.q, .v = r.v, .vdot = r.x_});
  });
  add("forward_dynamics", [](auto& s, const Model& m, const BatchOptions& o, const Rows<S>& r) {
    measure(s, BatchedForwardDynamics<S>(m, states, o), BatchState<S>{.q = r.q, .v = r.v, .tau = r.x_});
  });
  add("mass_matrix", [](auto& s, const Model& m, const BatchOptions& o, const Rows<S>& r) {
    measure(s, BatchedMassMatrix<S>(m, states, o), BatchState<S>{.q = r.q});
  });
  if constexpr (std::is_same_v<S, double>) {
    add("inverse_mass_matrix", [](auto& s, const Model& m, const BatchOptions& o, const Rows<S>& r) {
      measure(s, BatchedInverseMassMatrix(m, states, o), BatchState<S>{.q = r.q});
    });
    add("inverse_dynamics_derivatives", [](auto& s, const Model& m, const BatchOptions& o, const Rows<S>& r) {
      measure(s, BatchedInverseDynamicsDerivatives(m, states, o), BatchState<S>{.q = r.q, .v = r.v, .vdot = r.x_});
    });
    add("forward_dynamics_derivatives", [](auto& s, const Model& m, const BatchOptions& o, const Rows<S>& r) {
      measure(s, BatchedForwardDynamicsDerivatives(m, states, o), BatchState<S>{.q = r.q, .v = r.v, .tau = r.x_});
    });
    add("rollout_step", [](auto& s, const Model& m, const BatchOptions& o, const Rows<S>& r) {
      measure(s, BatchedRollout(m, states, {.step = 1e-6}, o), BatchState<S>{.q = r.q, .v = r.v, .tau = r.x_});
    });
  }
}

const bool registered = [] {
  for (const Robot& robot : robots) {
    for (const InstructionSet set : {InstructionSet::baseline, InstructionSet::avx2, InstructionSet::avx512}) {
      if (!is_available(set)) continue;
      const std::string name = "/" + std::string(to_text(set));
      measure_dynamics<double>(name + "/double", robot, {.threads = 1, .instructions = set});
      measure_dynamics<float>(name + "/float", robot, {.threads = 1, .instructions = set});
    }
    measure_dynamics<double>("/all_cores/double", robot, {});
    measure_dynamics<double>("/own_parameters/double", robot, {.threads = 1, .own_parameters = true});
  }
  return true;
}();

}  // namespace
}  // namespace articula::bench
