#pragma once

#include <span>
#include <type_traits>

#include <articula/batch/rollout_options.h>
#include <articula/closure/algorithm.h>
#include <articula/mechanism/parameters.h>
#include <articula/scalar/instruction_set.h>

/// Between a batch, which is compiled for every processor, and the algorithms on packs, which are compiled once for each
/// instruction set: plain numbers only, so that nothing of one side is ever compiled with the flags of the other.
namespace articula::batch {

/// What is to be computed with each group of states.
struct LaneJob {
  Algorithm algorithm = Algorithm::inverse_dynamics;
  std::span<const int> frames;  ///< of kinematics
  RolloutOptions rollout;
};

/// As many states as there are lanes: number k of all of them lies side by side from place k·lanes on.
template <class S>
struct LaneGroup {
  int index = 0;
  S *q = nullptr, *v = nullptr;  ///< a rollout writes them too
  const S* x = nullptr;          ///< vdot or tau, as the algorithm needs
  S* result[3] = {};
};

/// Computes one group after another. Each thread has its own.
template <class S>
class LaneWorker {
 public:
  virtual ~LaneWorker();
  virtual void run(const LaneGroup<S>& group) noexcept = 0;
};

/// Parameters that differ from state to state.
template <class S>
class LaneParameters {
 public:
  virtual ~LaneParameters();
  virtual void set(int group, int lane, const Parameters<double>& par) noexcept = 0;
};

template <InstructionSet set>
using With = std::integral_constant<InstructionSet, set>;

// One definition for each instruction set, in a file of its own. Null where the program has no code for it.
#define ARTICULA_DECLARE_LANES(set, S)                                                                  \
  LaneWorker<S>* make_lane_worker(With<InstructionSet::set>, const LaneJob& job, const Mechanism& mech, \
                                  const Parameters<S>& shared, const LaneParameters<S>* of_states);     \
  LaneParameters<S>* make_lane_parameters(With<InstructionSet::set>, int groups, const Parameters<S>& shared);
ARTICULA_DECLARE_LANES(baseline, double)
ARTICULA_DECLARE_LANES(avx2, double)
ARTICULA_DECLARE_LANES(avx512, double)
ARTICULA_DECLARE_LANES(baseline, float)
ARTICULA_DECLARE_LANES(avx2, float)
ARTICULA_DECLARE_LANES(avx512, float)
#undef ARTICULA_DECLARE_LANES

}  // namespace articula::batch
