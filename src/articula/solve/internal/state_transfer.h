#pragma once

#include <span>
#include <string>
#include <vector>

#include <articula/base/export.h>
#include <articula/mechanism/parameters.h>
#include <articula/solve/internal/exterior_map.h>

namespace articula::solve {

/// Tolerances: how far a body may be from the position that a new joint requires.
struct AllowedGap {
  double distance = 1e-6;  ///< m
  double angle = 1e-6;     ///< rad
};

/// A mechanism with its parameters.
struct StructureSide {
  const Mechanism& mech;
  const Parameters<double>& par;
};

/// A state in a new structure, in the mechanism's own order.
struct TransferredState {
  std::vector<double> q, v;
  bool caught = false;     ///< velocities had to jump
  double energy_lost = 0;  ///< kinetic energy, J
  double gap_distance = 0, gap_angle = 0;
};

/// Transfers a state to a new structure of the same bodies, such that remaining bodies keep their pose and velocity.
///
/// Positions: a joint that both structures have, of one kind and between the same bodies, keeps its coordinates bit for
/// bit. The coordinates of all others are computed such that the bodies keep their poses in World; if that is
/// impossible, an Error states the gap. New joints begin at their start.
///
/// Velocities: if the new structure allows the old ones, they are kept, those of remaining joints bit for bit.
/// Otherwise they jump as in an inelastic impact. The impulses of the new joints do no work on motions that these
/// joints allow, so that with the old twists V⁻ of all bodies
///
///     M(q)·v⁺ = Σ_B J_Bᵀ·M_B·V_B⁻ + the momenta of rotors
///
/// in the independent variables of `map`. Prescribed degrees of freedom keep
/// their velocities. A new body moves with its parent.  [Featherstone 2008, 11.7]
ARTICULA_EXPORT TransferredState transfer_state(const StructureSide& from, std::span<const double> q,
                                                std::span<const double> v, const StructureSide& to,
                                                const ExteriorMap& map, std::span<const DofRole> roles,
                                                const AllowedGap& allowed = {});

}  // namespace articula::solve
