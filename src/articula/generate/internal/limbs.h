#pragma once

#include <articula/generate/internal/schedule.h>

namespace articula::generate {

/// Which limb computes what. A recording goes outward over all bodies and then inward over all, so that much of every
/// body is at hand at once; done limb by limb, it is what one limb and the trunk need.
///
/// An expression that depends on the inputs of one limb alone belongs to it, and so does one that only the results of
/// one limb need; all others belong to the trunk. Where a value passes from one owner to another, a phase ends: in
/// inverse dynamics the trunk's motion, the limbs, and the trunk's forces; in forward dynamics the limbs once more.
struct Limbs {
  int count = 0;           ///< without the trunk
  std::vector<int> owner;  ///< by place in the graph: a limb; −1: the trunk
  std::vector<int> phase;  ///< by place: as late as its users allow
  int phases = 1;
};

Limbs find_limbs(const Schedule& schedule);

/// The schedule in another order, limb by limb: phase by phase the trunk and then each limb; sums that gather what limbs
/// hand to the trunk as soon as their terms are there.
Schedule limb_by_limb(const Schedule& schedule, const Limbs& limbs);

/// How many computed values, and sines, are at hand at most.
int most_live(const Schedule& schedule);

/// The work of one state on several warps: one for the trunk and small limbs, the others for one limb each or a few.
/// Values that pass from warp to warp have slots in shared memory; all warps meet where a phase ends.
struct Split {
  int warps = 1, phases = 1, slots = 0;
  Schedule schedule;             ///< phase by phase and in it limb by limb
  std::vector<int> warp, phase;  ///< by place
  std::vector<int> slot;         ///< by place; −1: nobody else reads it
  int live = 0;                  ///< the most that a warp has at hand
};

Split split_by_limb(const Schedule& schedule, const Limbs& limbs);

}  // namespace articula::generate
