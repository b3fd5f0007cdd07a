#pragma once

#include <cmath>
#include <cstdint>

#include <articula/build/build.h>
#include <articula/closure/hybrid_dynamics.h>
#include <articula/dynamics/center_of_mass.h>
#include <articula/dynamics/energy.h>
#include <articula/dynamics/forward_dynamics_derivatives.h>
#include <articula/dynamics/frames.h>
#include <articula/dynamics/inverse_dynamics.h>
#include <articula/dynamics/inverse_mass_matrix.h>
#include <articula/dynamics/jacobian.h>
#include <articula/dynamics/joint_space_matrices.h>
#include <articula/dynamics/regressor.h>
#include <articula/dynamics/representations.h>
#include <articula/mechanism/state.h>

#include "names.h"

/// Every algorithm of dynamics/, ready to be called on a mechanism: timed by dynamics_bench.cpp, counted by
/// instructions.cpp.
namespace articula::bench {

/// Numbers between −1 and 1, the same on every machine.
class Numbers {
 public:
  double operator()() {
    state_ = state_ * 1664525u + 1013904223u;
    return static_cast<double>(state_ >> 8) / 8388608.0 - 1.0;
  }
  std::vector<double> operator()(int count, double scale) {
    std::vector<double> x(static_cast<std::size_t>(count));
    for (double& value : x) value = scale * (*this)();
    return x;
  }

 private:
  std::uint32_t state_ = 7;
};

/// A configuration away from the neutral one, each joint moved along its tangent.
inline std::vector<double> some_configuration(const Mechanism& mech, Numbers& numbers) {
  std::vector<double> q = neutral_configuration(mech);
  const std::vector<double> neutral = q, step = numbers(mech.nv, 1.5);
  for (const Body& body : mech.bodies) {
    visit_joint(body.joint, [&]<class J>(J) {
      J::advanced(neutral.data() + body.q.first, step.data() + body.v.first, q.data() + body.q.first);
    });
  }
  return q;
}

/// A mechanism at one state, with the scratch and the outputs of all algorithms, so that none of them allocates.
struct Workbench {
  explicit Workbench(const Model& model, Numbers numbers = {})
      : built(build_mechanism(model)),
        q(some_configuration(mech, numbers)),
        v(numbers(mech.nv, 2)),
        vdot(numbers(mech.nv, 3)),
        tau(numbers(mech.nv, 10)) {}
  Workbench(const Workbench&) = delete;
  Workbench& operator=(const Workbench&) = delete;

  Built built;
  const Mechanism& mech = built.mechanism;
  const Parameters<double>& par = built.parameters;
  std::vector<double> q, v, vdot, tau;

  Velocities<double> kin{mech};
  WorldPoses<double> poses{mech};
  Accelerations<double> acc{mech};
  NewtonEuler<double> newton_euler{mech};
  ArticulatedBody<double> articulated_body{mech};
  HybridDynamics<double> hybrid{mech};
  CompositeBody<double> composite_body{mech};
  InverseMassMatrix<double> inverse_mass{mech};
  InverseDynamicsDerivatives<double> id_derivatives{mech};
  ForwardDynamicsDerivatives fd_derivatives{mech};
  CompositeMotion<double> composite_motion{mech};
  JointSpaceMatrices<double> joint_space{mech};
  Represented<double> represented{mech};

  std::vector<double> out_v = std::vector<double>(nv()), out_tau = std::vector<double>(nv());
  std::vector<double> M1 = matrix(nv()), M2 = matrix(nv()), M3 = matrix(nv());  ///< nv × nv
  std::vector<double> J = matrix(6);
  std::vector<double> Y = matrix(inertial_parameters * par.X_BC.size());
  std::vector<DofRole> every_third_told = told();
  int tip = last_frame();
  double number = 0;
  Vec3<double> point;

 private:
  std::size_t nv() const { return static_cast<std::size_t>(mech.nv); }
  std::vector<double> matrix(std::size_t columns) const { return std::vector<double>(columns * nv()); }
  std::vector<DofRole> told() const {
    std::vector<DofRole> roles(nv(), DofRole::free);
    for (std::size_t k = 2; k < roles.size(); k += 3) roles[k] = DofRole::prescribed;
    return roles;
  }
  /// A frame of the last body: that of a hand or foot.
  int last_frame() const {
    int frame = 0;
    for (std::size_t k = 0; k < mech.frames.size(); ++k) {
      if (mech.frames[k].body > mech.frames[static_cast<std::size_t>(frame)].body) frame = static_cast<int>(k);
    }
    return frame;
  }
};

inline void run_positions(Workbench& w) { positions<double, double>(w.mech, w.par, w.q, w.kin); }
inline void run_velocities(Workbench& w) {
  run_positions(w);
  velocities<double, double>(w.mech, w.par, w.q, w.v, w.kin);
}
inline void run_inverse_dynamics(Workbench& w) {
  run_positions(w);
  inverse_dynamics<double, double>(w.mech, w.par, w.kin, w.q, w.v, w.vdot, {}, w.newton_euler, w.out_tau);
}
inline void run_forward_dynamics(Workbench& w) {
  run_velocities(w);
  forward_dynamics<double, double>(w.mech, w.par, w.kin, w.tau, {}, w.articulated_body, w.out_v);
}
inline void run_hybrid_dynamics(Workbench& w) {
  run_velocities(w);
  hybrid_dynamics<double, double>(w.mech, w.par, w.kin, w.every_third_told, {}, w.hybrid, w.tau, w.vdot);
}
inline void run_mass_matrix_upper(Workbench& w) {
  run_positions(w);
  mass_matrix_upper<double, double>(w.mech, w.par, w.kin, w.composite_body, w.M1);
}
inline void run_mass_matrix(Workbench& w) {
  run_positions(w);
  mass_matrix<double, double>(w.mech, w.par, w.kin, w.composite_body, w.M1);
}
inline void run_inverse_mass_matrix(Workbench& w) {
  run_positions(w);
  inverse_mass_matrix<double, double>(w.mech, w.par, w.kin, w.inverse_mass, w.M2);
}
inline void run_inverse_dynamics_derivatives(Workbench& w) {
  run_positions(w);
  inverse_dynamics_derivatives<double, double>(w.mech, w.par, w.kin, w.q, w.v, w.vdot, {}, w.id_derivatives, w.out_tau,
                                               w.M1, w.M2);
}
inline void run_forward_dynamics_derivatives(Workbench& w) {
  run_positions(w);
  forward_dynamics_derivatives(w.mech, w.par, w.kin, w.q, w.v, w.vdot, {}, w.fd_derivatives, w.M1, w.M2, w.M3);
}
inline void run_forward_dynamics_and_derivatives(Workbench& w) {
  run_forward_dynamics(w);
  forward_dynamics_derivatives(w.mech, w.par, w.kin, w.q, w.v, w.out_v, {}, w.fd_derivatives, w.M1, w.M2, w.M3);
}
inline void run_joint_space_matrices(Workbench& w) {
  run_velocities(w);
  joint_space_matrices<double, double>(w.mech, w.par, w.kin, w.q, w.v, {}, w.composite_motion, w.joint_space);
}
inline void run_world_poses(Workbench& w) {
  run_positions(w);
  world_poses<double, double>(w.mech, w.par, w.kin, w.poses);
}
inline void run_jacobian(Workbench& w) {
  run_world_poses(w);
  jacobian<double, double>(w.mech, w.par, w.kin, w.poses, w.tip, JacobianFrame::local_world_aligned, w.J);
}
inline void run_jacobian_rate(Workbench& w) {
  run_velocities(w);
  world_poses<double, double>(w.mech, w.par, w.kin, w.poses);
  jacobian_rate<double, double>(w.mech, w.par, w.kin, w.poses, w.q, w.v, w.tip, JacobianFrame::local_world_aligned,
                                w.J);
}
inline void run_energy(Workbench& w) {
  run_velocities(w);
  world_poses<double, double>(w.mech, w.par, w.kin, w.poses);
  w.number = kinetic_energy<double, double>(w.mech, w.par, w.kin, w.v) + potential_energy(w.mech, w.par, w.poses);
}
inline void run_center_of_mass(Workbench& w) {
  run_world_poses(w);
  w.point = center_of_mass(w.mech, w.par, w.poses);
}
inline void run_regressor(Workbench& w) {
  run_inverse_dynamics(w);
  world_poses<double, double>(w.mech, w.par, w.kin, w.poses);
  regressor<double, double>(w.mech, w.par, w.kin, w.poses, w.newton_euler, w.Y,
                            inertial_parameters * w.par.X_BC.size());
}
template <Representation in>
void run_inverse_dynamics_in(Workbench& w) {
  run_positions(w);
  inverse_dynamics_in<double, double>(in, w.mech, w.par, w.kin, w.q, w.v, w.vdot, {}, w.represented, w.newton_euler,
                                      w.out_tau);
}
template <Representation in>
void run_forward_dynamics_in(Workbench& w) {
  run_positions(w);
  forward_dynamics_in<double, double>(in, w.mech, w.par, w.kin, w.q, w.v, w.tau, {}, w.represented, w.articulated_body,
                                      w.out_v);
}

/// An algorithm by name, from q to its result: sines and cosines included.
struct Kernel {
  const char* name;
  void (*run)(Workbench&);
};
inline constexpr Kernel kernels[] = {
    {"positions", run_positions},
    {"velocities", run_velocities},
    {"inverse_dynamics", run_inverse_dynamics},
    {"forward_dynamics", run_forward_dynamics},
    {"hybrid_dynamics", run_hybrid_dynamics},
    {"mass_matrix_upper", run_mass_matrix_upper},
    {"mass_matrix", run_mass_matrix},
    {"inverse_mass_matrix", run_inverse_mass_matrix},
    {"inverse_dynamics_derivatives", run_inverse_dynamics_derivatives},
    {"forward_dynamics_derivatives", run_forward_dynamics_derivatives},
    {"forward_dynamics_and_derivatives", run_forward_dynamics_and_derivatives},
    {"joint_space_matrices", run_joint_space_matrices},
    {"world_poses", run_world_poses},
    {"jacobian", run_jacobian},
    {"jacobian_rate", run_jacobian_rate},
    {"energy", run_energy},
    {"center_of_mass", run_center_of_mass},
    {"regressor", run_regressor},
    {"inverse_dynamics_inertial", run_inverse_dynamics_in<Representation::inertial>},
    {"inverse_dynamics_absolute", run_inverse_dynamics_in<Representation::absolute>},
    {"forward_dynamics_inertial", run_forward_dynamics_in<Representation::inertial>},
    {"forward_dynamics_absolute", run_forward_dynamics_in<Representation::absolute>},
};

}  // namespace articula::bench
