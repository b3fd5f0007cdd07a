#pragma once

#include <string>
#include <vector>

#include <articula/scalar/trace.h>

namespace articula {

/// An array that a generated function reads or writes, and what each of its numbers is.
struct FunctionArray {
  std::string name;                  ///< as an argument: `q`, `tau`
  std::string meaning;               ///< for people
  std::vector<std::string> entries;  ///< by name; none of matrices, whose meaning tells
  int count = 0;
  bool symmetric = false;  ///< a square matrix that is

  int size() const { return count; }
};

/// An algorithm on one mechanism as a graph of expressions: what generated code computes.
struct RecordedFunction {
  std::string name;                            ///< `inverse_dynamics`
  std::string meaning;                         ///< for people, one line
  std::vector<FunctionArray> inputs, outputs;  ///< an input without entries is no argument
  ExpressionGraph graph;
  std::vector<std::vector<int>> results;  ///< of each output array, where its numbers stand in the graph
  bool in_loops = false;                  ///< too long for straight lines: written as loops over what repeats

  /// Of each input and output array, by number: the limb it belongs to; −1: the trunk, or all. A limb is a chain of
  /// bodies without branches that hangs on a body where the mechanism branches, or on World.
  std::vector<std::vector<int>> input_limbs, output_limbs;
};

}  // namespace articula
