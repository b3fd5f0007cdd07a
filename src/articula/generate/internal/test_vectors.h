#pragma once

#include <articula/generate/record.h>
#include <articula/model/model.h>

namespace articula::generate {

/// States and what a generated function must give there, computed by network/, which shares no algorithm with what was
/// recorded.
struct TestVectors {
  std::vector<std::vector<std::vector<double>>> inputs;    ///< by state, by input array
  std::vector<std::vector<std::vector<double>>> expected;  ///< by state, by output array
  /// Normwise, relative, of each output array. Looser where differences had to be taken, and where the condition of the
  /// mass matrix magnifies rounding.
  double tolerance = 1e-10;
  double single_tolerance = 2e-4;  ///< of floats
  std::string origin;              ///< how they were computed, for people

  /// Of accelerations, by state: M row by row and b, so that M·vdot + b = tau can be checked, whatever the condition of M.
  /// Empty for more than 500 degrees of freedom.
  std::vector<std::vector<double>> mass_matrix, bias;
};

TestVectors make_test_vectors(Algorithm algorithm, const Model& model, const Built& built, const RecordOptions& options,
                              const RecordedFunction& function, int states);

}  // namespace articula::generate
