#pragma once

#include <articula/dynamics/lanes/column_kernels.h>
#include <articula/dynamics/lanes/derivative_columns.h>
#include <articula/dynamics/lanes/solve_with_factors.h>
#include <articula/scalar/pack.h>

namespace articula::dynamics::lanes {

/// A tag that selects an overload by instruction set.
template <InstructionSet set>
struct KernelsFor {};

const ColumnKernels& column_kernels_of(KernelsFor<InstructionSet::baseline>);
const ColumnKernels& column_kernels_of(KernelsFor<InstructionSet::avx2>);
const ColumnKernels& column_kernels_of(KernelsFor<InstructionSet::avx512>);

inline namespace ARTICULA_ISA {

/// The widest packs of the instruction set for which this file is compiled.
using Lanes = Pack<double>;
inline constexpr ColumnKernels kernels_compiled_here{
    outward_lanes<Lanes, double>,      inward_lanes<Lanes, double>,   mass_matrix_lanes<Lanes, double>,
    factor_mass_matrix<Lanes, double>, invert_entries<Lanes, double>, solve_with_factors<Lanes, double>};

}  // namespace ARTICULA_ISA
}  // namespace articula::dynamics::lanes
