#include <articula/scalar/instruction_set.h>

namespace articula::scalar {

std::string_view to_text(InstructionSet set) {
  switch (set) {
    case InstructionSet::baseline: break;
    case InstructionSet::avx2: return "avx2";
    case InstructionSet::avx512: return "avx512";
  }
  return "baseline";
}

bool is_available(InstructionSet set) {
#if defined(__x86_64__)
  switch (set) {
    case InstructionSet::baseline: return true;
    case InstructionSet::avx2: return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    case InstructionSet::avx512:
      return is_available(InstructionSet::avx2) && __builtin_cpu_supports("avx512f") &&
             __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
             __builtin_cpu_supports("avx512bw");
  }
#endif
  return set == InstructionSet::baseline;
}

InstructionSet best_instruction_set() {
  for (const InstructionSet set : {InstructionSet::avx512, InstructionSet::avx2}) {
    if (is_available(set)) return set;
  }
  return InstructionSet::baseline;
}

}  // namespace articula::scalar
