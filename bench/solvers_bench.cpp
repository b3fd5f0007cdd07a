/// The solvers as users call them: update and compute, all checks included.

#include <benchmark/benchmark.h>

#include <articula/solve/center_of_mass.h>
#include <articula/solve/derivatives.h>
#include <articula/solve/equations_of_motion.h>
#include <articula/solve/forward_dynamics.h>
#include <articula/solve/forward_kinematics.h>
#include <articula/solve/inverse_dynamics.h>
#include <articula/solve/jacobian.h>
#include <articula/solve/mass_matrix.h>
#include <articula/solve/regressor.h>

#include "kernels.h"
#include "robots.h"

namespace {

using namespace articula;
using namespace articula::bench;

template <class S, class Compute>
void measure(benchmark::State& state, S solver, Compute&& compute) {
  Numbers numbers;
  const std::vector<double> q = some_configuration(solver.mechanism(), numbers), v = numbers(solver.nv(), 2),
                            vdot = numbers(solver.nv(), 3), tau = numbers(solver.nv(), 10);
  for (auto _ : state) {
    solver.update({.q = q, .v = v, .vdot = vdot, .tau = tau});
    benchmark::DoNotOptimize(compute(solver));
    benchmark::ClobberMemory();
  }
}

/// A frame of the last body that the model names.
PortRef last_body(const Model& model) { return {model.names(Family::body).back(), ""}; }

struct Case {
  const char* name;
  void (*run)(benchmark::State&, const Model&);
};
constexpr auto results = [](auto& solver) { return &solver.compute(); };
constexpr auto view = [](auto& solver) { return solver.compute().data(); };

constexpr Case cases[] = {
    {"ForwardKinematics", [](auto& state, const Model& m) { measure(state, ForwardKinematics(m), view); }},
    {"InverseDynamics", [](auto& state, const Model& m) { measure(state, InverseDynamics(m), view); }},
    {"ForwardDynamics", [](auto& state, const Model& m) { measure(state, ForwardDynamics(m), view); }},
    {"MassMatrix", [](auto& state, const Model& m) { measure(state, MassMatrix(m), view); }},
    {"MassMatrix.inverse",
     [](auto& state, const Model& m) {
       measure(state, MassMatrix(m), [](MassMatrix& solver) { return solver.compute_inverse().data(); });
     }},
    {"EquationsOfMotion", [](auto& state, const Model& m) { measure(state, EquationsOfMotion(m), results); }},
    {"Jacobian",
     [](auto& state, const Model& m) {
       measure(state, Jacobian(m, last_body(m), JacobianFrame::local_world_aligned), view);
     }},
    {"Jacobian.rate",
     [](auto& state, const Model& m) {
       measure(state, Jacobian(m, last_body(m), JacobianFrame::local_world_aligned),
               [](Jacobian& solver) { return solver.compute_rate().data(); });
     }},
    {"CenterOfMass", [](auto& state, const Model& m) { measure(state, CenterOfMass(m), results); }},
    {"Regressor", [](auto& state, const Model& m) { measure(state, Regressor(m), view); }},
    {"Derivatives.inverse_dynamics",
     [](auto& state, const Model& m) { measure(state, Derivatives(m, Derivatives::Of::inverse_dynamics), results); }},
    {"Derivatives.forward_dynamics",
     [](auto& state, const Model& m) { measure(state, Derivatives(m, Derivatives::Of::forward_dynamics), results); }},
};

const bool registered = [] {
  for (const Case& c : cases) {
    for (const Robot& robot : robots) {
      benchmark::RegisterBenchmark((std::string(c.name) + "/" + robot.name).c_str(),
                                   [&](benchmark::State& state) { c.run(state, robot.model()); });
    }
  }
  return true;
}();

}  // namespace
