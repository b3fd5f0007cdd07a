#pragma once

#include <articula/generate/internal/schedule.h>

namespace articula::generate {

/// Assigns expressions to limbs. A recording goes outward over all bodies and then inward, so that many values of every
/// body are live at the same time. In limb-by-limb order, only values of one limb and the trunk are live.
///
/// An expression belongs to a limb if it depends only on inputs of this limb, or if only results of this limb depend on
/// it; all others belong to the trunk. A phase ends where a value passes to another owner. In inverse dynamics, phases
/// are the motion of the trunk, the limbs, and the forces of the trunk; forward dynamics adds the limbs once more.
struct Limbs {
  int count = 0;           ///< without the trunk
  std::vector<int> owner;  ///< by expression: a limb; −1: the trunk
  std::vector<int> phase;  ///< by expression: as late as its users allow
  int phases = 1;
};

Limbs find_limbs(const Schedule& schedule);

/// The schedule in limb-by-limb order: in each phase the trunk, then each limb. Sums of the trunk over results of limbs
/// are computed as soon as their operands are known.
Schedule limb_by_limb(const Schedule& schedule, const Limbs& limbs);

/// Maximum number of live values, including sines and cosines.
int most_live(const Schedule& schedule);

/// One state computed by several warps: one for the trunk and small limbs, the others for one or several limbs each.
/// Values that pass between warps have slots in shared memory; all warps synchronize at the end of a phase.
struct Split {
  int warps = 1, phases = 1, slots = 0;
  Schedule schedule;             ///< by phase, then by limb
  std::vector<int> warp, phase;  ///< by expression
  std::vector<int> slot;         ///< by expression; −1: not read by another warp
  int live = 0;                  ///< maximum number of live values in a warp
};

Split split_by_limb(const Schedule& schedule, const Limbs& limbs);

}  // namespace articula::generate
