#include <articula/dynamics/lanes/column_kernels.h>

#include <articula/dynamics/lanes/column_kernels_of.h>

namespace articula::dynamics::lanes {

const ColumnKernels& column_kernels(InstructionSet set) {
  switch (set) {
    case InstructionSet::avx512: return column_kernels_of(KernelsFor<InstructionSet::avx512>{});
    case InstructionSet::avx2: return column_kernels_of(KernelsFor<InstructionSet::avx2>{});
    case InstructionSet::baseline: break;
  }
  return column_kernels_of(KernelsFor<InstructionSet::baseline>{});
}

}  // namespace articula::dynamics::lanes
