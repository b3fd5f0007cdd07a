#pragma once

#include <span>
#include <string>
#include <vector>

#include <articula/base/export.h>
#include <articula/mechanism/parameters.h>
#include <articula/solve/internal/exterior_map.h>

namespace articula {

/// How far a body may be from where a new joint holds it.
struct AllowedGap {
  double distance = 1e-6;  ///< m
  double angle = 1e-6;     ///< rad
};

/// A mechanism with its numbers, and the inertia of rotors that each degree of freedom feels; empty: none.
struct StructureSide {
  const Mechanism& mech;
  const Parameters<double>& par;
  std::span<const double> reflected = {};
};

/// A state in a new structure, in the mechanism's own order.
struct TransferredState {
  std::vector<double> q, v;
  bool caught = false;     ///< velocities had to jump
  double energy_lost = 0;  ///< of motion, J
  double gap_distance = 0, gap_angle = 0;
};

/// Takes a state to a new structure of the same bodies, such that what stays keeps its pose and its velocity.
///
/// Positions: a joint that both structures have, of one kind and between the same bodies, keeps its coordinates bit for
/// bit. The coordinates of any other are those that hold its bodies where they were in World; a body that cannot be held
/// there is refused with the gap. What is new begins where its model says.
///
/// Velocities: where the old ones fit, they stay, those of joints that stay bit for bit. Where bodies are caught, they
/// jump as in an inelastic impact. The impulses of the new joints do no work on motions that these allow, so that with
/// the old twists V⁻ of all bodies
///
///     M(q)·v⁺ = Σ_B J_Bᵀ·M_B·V_B⁻
///
/// with the reflected inertia of rotors, in the independent variables of `map`. Prescribed degrees of freedom keep
/// theirs. What is new moves with its carrier.  [Featherstone 2008, 11.7]
ARTICULA_EXPORT TransferredState transfer_state(const StructureSide& from, std::span<const double> q,
                                                std::span<const double> v, const StructureSide& to,
                                                const ExteriorMap& map, std::span<const DofRole> roles,
                                                const AllowedGap& allowed = {});

}  // namespace articula
