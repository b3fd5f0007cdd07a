#pragma once

#include <array>
#include <string_view>

#include <articula/base/modules.h>

namespace articula::closure {

/// The algorithms. A new one is a line here and a row of the table in closure/computed.cpp, in the same order:
///
/// | algorithm | result |
/// |---|---|
/// | inverse_dynamics             | tau(q, v, vdot) |
/// | forward_dynamics             | vdot(q, v, tau) |
/// | mass_matrix                  | M(q) |
/// | inverse_mass_matrix          | M(q)⁻¹ |
/// | kinematics                   | X_WF(q) of frames; of batches also their velocities |
/// | frame_motions                | X_WF, and velocity and acceleration in World's axes, of frames at (q, v, vdot) |
/// | jacobian                     | J(q) of a frame |
/// | inverse_dynamics_derivatives | ∂tau/∂q, ∂tau/∂v at (q, v, vdot) |
/// | forward_dynamics_derivatives | ∂vdot/∂q, ∂vdot/∂v, ∂vdot/∂tau at (q, v, tau) |
/// | step                         | (q, v) after a time step h under tau |
/// | elastic_inverse_dynamics     | torques of motors behind springs, from q and its time derivatives |
/// | gravity                      | gravity torque g(q): the joint torques that balance gravity |
/// | equations_of_motion          | D, C, G, Q at (q, v) |
/// | center_of_mass               | with total inertia, momentum and energies |
/// | regressor                    | Y(q, v, vdot), tau = Y·(inertial parameters) |
#define ARTICULA_ALGORITHMS(X)    \
  X(inverse_dynamics)             \
  X(forward_dynamics)             \
  X(mass_matrix)                  \
  X(inverse_mass_matrix)          \
  X(kinematics)                   \
  X(frame_motions)                \
  X(jacobian)                     \
  X(inverse_dynamics_derivatives) \
  X(forward_dynamics_derivatives) \
  X(step)                         \
  X(elastic_inverse_dynamics)     \
  X(gravity)                      \
  X(equations_of_motion)          \
  X(center_of_mass)               \
  X(regressor)

#define ARTICULA_ENUMERATE(name) name,
enum class Algorithm : unsigned char { ARTICULA_ALGORITHMS(ARTICULA_ENUMERATE) };
#undef ARTICULA_ENUMERATE

#define ARTICULA_NAME(name) #name,
inline constexpr std::array algorithm_texts = std::to_array<std::string_view>({ARTICULA_ALGORITHMS(ARTICULA_NAME)});
#undef ARTICULA_NAME

/// How a computation runs; the results are the same.
enum class RunAs : unsigned char {
  flat,       ///< recursions over flat arrays
  network,    ///< entity by entity, including user-defined entities
  generated,  ///< recorded, compiled by the machine's `cc`, cached and loaded; flat if there is no compiler or it fails
  batched,    ///< many states together
};

}  // namespace articula::closure
