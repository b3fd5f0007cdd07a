#pragma once

#include <articula/generate/record.h>
#include <articula/model/model.h>

namespace articula {

/// States and what a generated function must give there, computed by network/, which shares no algorithm with what was
/// recorded.
struct TestVectors {
  std::vector<std::vector<std::vector<double>>> inputs;    ///< by state, by input array
  std::vector<std::vector<std::vector<double>>> expected;  ///< by state, by output array
  double tolerance = 1e-10;  ///< normwise, relative, of each output array; looser where differences had to be taken
  std::string origin;        ///< how they were computed, for people
};

TestVectors make_test_vectors(Algorithm algorithm, const Model& model, const Built& built, const RecordOptions& options,
                              const RecordedFunction& function, int states);

}  // namespace articula
