#pragma once

#include <cstddef>

#include <articula/base/export.h>
#include <articula/scalar/instruction_set.h>

namespace articula::dynamics::lanes {

template <class T>
struct DerivativeColumns;
template <class T>
struct MassMatrixArrays;
template <class T>
struct SixRows;

/// The loops over columns of doubles in which derivatives spend most of their time, compiled for several instruction
/// sets. Lanes are independent and no operations are fused, so that all instruction sets give the same bits.
struct ColumnKernels {
  void (*outward)(const DerivativeColumns<double>& columns);
  void (*inward)(const DerivativeColumns<double>& columns, double* dtau_dq, double* dtau_dv, std::ptrdiff_t stride);
  void (*mass_matrix)(const DerivativeColumns<double>& columns, double* M);
  void (*factor)(const MassMatrixArrays<double>& M, const SixRows<double>& S, const SixRows<double>& F);
  void (*invert)(const MassMatrixArrays<double>& M, double* Y, double* to_Y);
  void (*solve)(const MassMatrixArrays<double>& M, double* X0, double* X1, double* Y, double* to0, double* to1,
                double* to_Y);
};

/// The kernels for an instruction set. @pre it is available
ARTICULA_EXPORT const ColumnKernels& column_kernels(InstructionSet set = best_instruction_set());

}  // namespace articula::dynamics::lanes
