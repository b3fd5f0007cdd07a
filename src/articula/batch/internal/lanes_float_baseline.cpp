#include <articula/batch/internal/lanes.h>

namespace articula::batch {

LaneWorker<float>* make_lane_worker(With<InstructionSet::baseline>, const LaneJob& job, const Mechanism& mech,
                                    const Parameters<float>& shared, const LaneParameters<float>* of_states) {
  using T = Pack<float>;
  if constexpr (this_instruction_set != InstructionSet::baseline) return nullptr;
  if (of_states == nullptr) return make_lanes<T>(job, mech, SharedNumbers<T>{&shared});
  return make_lanes<T>(job, mech, OwnNumbers<T>{static_cast<const GroupParameters<T>*>(of_states)});
}

LaneParameters<float>* make_lane_parameters(With<InstructionSet::baseline>, int groups,
                                            const Parameters<float>& shared) {
  if constexpr (this_instruction_set != InstructionSet::baseline) return nullptr;
  return new GroupParameters<Pack<float>>(groups, shared);
}

}  // namespace articula::batch
