#pragma once

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

/// The solvers as users call them, update and compute, all checks included: timed by solvers_bench.cpp, counted by
/// instructions.cpp.
namespace articula::bench {

/// The solvers of one model, at one state.
struct Solvers {
  explicit Solvers(const Model& m, Numbers numbers = {})
      : model(m),
        q(some_configuration(inverse_dynamics.mechanism(), numbers)),
        v(numbers(inverse_dynamics.nv(), 2)),
        vdot(numbers(inverse_dynamics.nv(), 3)),
        tau(numbers(inverse_dynamics.nv(), 10)) {}

  Model model;
  PortRef last_body{model.names(Family::body).back(), ""};

  ForwardKinematics forward_kinematics{model};
  InverseDynamics inverse_dynamics{model};
  ForwardDynamics forward_dynamics{model};
  MassMatrix mass_matrix{model};
  EquationsOfMotion equations_of_motion{model};
  Jacobian jacobian{model, last_body, JacobianFrame::local_world_aligned};
  CenterOfMass center_of_mass{model};
  Regressor regressor{model};
  Derivatives torque_derivatives{model, Derivatives::Of::inverse_dynamics};
  Derivatives acceleration_derivatives{model, Derivatives::Of::forward_dynamics};

  std::vector<double> q, v, vdot, tau;
  const void* result = nullptr;
};

template <auto solver>
void update(Solvers& s) {
  (s.*solver).update({.q = s.q, .v = s.v, .vdot = s.vdot, .tau = s.tau});
}
template <auto solver>
void run_solver(Solvers& s) {
  update<solver>(s);
  if constexpr (requires { (s.*solver).compute().data(); }) {
    s.result = (s.*solver).compute().data();
  } else {
    s.result = &(s.*solver).compute();
  }
}
inline void run_inverse_mass_matrix_solver(Solvers& s) {
  update<&Solvers::mass_matrix>(s);
  s.result = s.mass_matrix.compute_inverse().data();
}
inline void run_jacobian_rate_solver(Solvers& s) {
  update<&Solvers::jacobian>(s);
  s.result = s.jacobian.compute_rate().data();
}

/// A solver, by the name of the kernel (kernels.h) that does its work, if there is one.
struct SolverRun {
  const char* name;
  void (*run)(Solvers&);
};
inline constexpr SolverRun solver_runs[] = {
    {"forward_kinematics", run_solver<&Solvers::forward_kinematics>},
    {"inverse_dynamics", run_solver<&Solvers::inverse_dynamics>},
    {"forward_dynamics", run_solver<&Solvers::forward_dynamics>},
    {"mass_matrix", run_solver<&Solvers::mass_matrix>},
    {"inverse_mass_matrix", run_inverse_mass_matrix_solver},
    {"inverse_dynamics_derivatives", run_solver<&Solvers::torque_derivatives>},
    {"forward_dynamics_and_derivatives", run_solver<&Solvers::acceleration_derivatives>},
    {"joint_space_matrices", run_solver<&Solvers::equations_of_motion>},
    {"jacobian", run_solver<&Solvers::jacobian>},
    {"jacobian_rate", run_jacobian_rate_solver},
    {"center_of_mass", run_solver<&Solvers::center_of_mass>},
    {"regressor", run_solver<&Solvers::regressor>},
};

}  // namespace articula::bench
