#include <articula/dynamics/lanes/column_kernels_of.h>

namespace articula::dynamics::lanes {

const ColumnKernels& column_kernels_of(KernelsFor<InstructionSet::avx512>) { return kernels_compiled_here; }

}  // namespace articula::dynamics::lanes
