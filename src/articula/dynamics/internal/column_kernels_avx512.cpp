#include <articula/dynamics/internal/column_kernels_of.h>

namespace articula {

const ColumnKernels& column_kernels_of(KernelsFor<InstructionSet::avx512>) { return kernels_compiled_here; }

}  // namespace articula
