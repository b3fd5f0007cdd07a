#pragma once

#include <articula/generate/record.h>
#include <articula/model/model.h>

namespace articula::generate {

/// Test states and expected results of a generated function, computed by network/, which shares no algorithm with the
/// recording.
struct TestVectors {
  std::vector<std::vector<std::vector<double>>> inputs;    ///< by state, by input array
  std::vector<std::vector<std::vector<double>>> expected;  ///< by state, by output array
  /// Normwise relative tolerance of each output array. Larger for results of finite differences, and if the condition
  /// of the mass matrix amplifies rounding.
  double tolerance = 1e-10;
  double single_tolerance = 2e-4;  ///< for floats
  std::string origin;              ///< how they were computed, for comments

  /// For accelerations, by state: M row-major and b, to check M·vdot + b = tau independently of the condition of M.
  /// Empty for more than 500 degrees of freedom.
  std::vector<std::vector<double>> mass_matrix, bias;
};

/// Of inverse dynamics of elastic drives, which the network does not compute: by numbers, in loops.
TestVectors make_elastic_vectors(const Built& built, const RecordOptions& options, const RecordedFunction& function,
                                 int states);

TestVectors make_test_vectors(Algorithm algorithm, const Model& model, const Built& built, const RecordOptions& options,
                              const RecordedFunction& function, int states);

}  // namespace articula::generate
