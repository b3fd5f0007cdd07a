#include <articula/batch/internal/lanes.h>

namespace articula::batch {

LaneWorker<double>* make_lane_worker(With<InstructionSet::avx512>, const LaneJob& job, const Mechanism& mech,
                                     const Parameters<double>& shared, const LaneParameters<double>* of_states) {
  using T = Pack<double>;
  if constexpr (this_instruction_set != InstructionSet::avx512) return nullptr;
  if (of_states == nullptr) return make_lanes<T>(job, mech, SharedNumbers<T>{&shared});
  return make_lanes<T>(job, mech, OwnNumbers<T>{static_cast<const GroupParameters<T>*>(of_states)});
}

LaneParameters<double>* make_lane_parameters(With<InstructionSet::avx512>, int groups,
                                             const Parameters<double>& shared) {
  if constexpr (this_instruction_set != InstructionSet::avx512) return nullptr;
  return new GroupParameters<Pack<double>>(groups, shared);
}

}  // namespace articula::batch
