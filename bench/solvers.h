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

/// The solvers as users call them, update with what they read and compute, all checks included: timed by solvers_bench.cpp, counted by
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

/// Parts of the state beside q.
enum Reads { q_only, q_v, q_v_vdot, q_v_tau };

template <Reads reads>
State state_of(const Solvers& s) {
  State state{.q = s.q};
  if (reads != q_only) state.v = s.v;
  if (reads == q_v_vdot) state.vdot = s.vdot;
  if (reads == q_v_tau) state.tau = s.tau;
  return state;
}
template <auto solver, Reads reads>
void run_solver(Solvers& s) {
  (s.*solver).update(state_of<reads>(s));
  if constexpr (requires { (s.*solver).compute().data(); }) {
    s.result = (s.*solver).compute().data();
  } else {
    s.result = &(s.*solver).compute();
  }
}
inline void run_inverse_mass_matrix_solver(Solvers& s) {
  s.mass_matrix.update(state_of<q_only>(s));
  s.result = s.mass_matrix.compute_inverse().data();
}
inline void run_jacobian_rate_solver(Solvers& s) {
  s.jacobian.update(state_of<q_v>(s));
  s.result = s.jacobian.compute_rate().data();
}

/// A solver, by the name of the kernel (kernels.h) that does its work, if there is one.
struct SolverRun {
  const char* name;
  void (*run)(Solvers&);
};
inline constexpr SolverRun solver_runs[] = {
    {"forward_kinematics", run_solver<&Solvers::forward_kinematics, q_v_vdot>},
    {"inverse_dynamics", run_solver<&Solvers::inverse_dynamics, q_v_vdot>},
    {"forward_dynamics", run_solver<&Solvers::forward_dynamics, q_v_tau>},
    {"mass_matrix", run_solver<&Solvers::mass_matrix, q_only>},
    {"inverse_mass_matrix", run_inverse_mass_matrix_solver},
    {"inverse_dynamics_derivatives", run_solver<&Solvers::torque_derivatives, q_v_vdot>},
    {"forward_dynamics_and_derivatives", run_solver<&Solvers::acceleration_derivatives, q_v_tau>},
    {"joint_space_matrices", run_solver<&Solvers::equations_of_motion, q_v>},
    {"jacobian", run_solver<&Solvers::jacobian, q_only>},
    {"jacobian_rate", run_jacobian_rate_solver},
    {"center_of_mass", run_solver<&Solvers::center_of_mass, q_v_vdot>},
    {"regressor", run_solver<&Solvers::regressor, q_v_vdot>},
};

}  // namespace articula::bench
