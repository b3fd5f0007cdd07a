#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include <articula/scalar/trace.h>

namespace articula::generate {

/// What the numbers of an array are.
enum class ArrayRole : unsigned char {
  configuration,  ///< of independent coordinates
  velocity,       ///< one for each independent degree of freedom, as are accelerations and forces
  acceleration,
  force,
  force_and_step,  ///< forces, then a time step
  parameter,       ///< numbers of the model that stay arguments
  matrix,          ///< a row and a column for each independent degree of freedom
  frames,          ///< poses, motions and Jacobians of frames
};

/// Whether an array has a number for each coordinate or degree of freedom.
constexpr bool is_of_joints(ArrayRole role) { return role < ArrayRole::parameter; }

/// An array that a generated function reads or writes, and what each of its numbers is.
struct FunctionArray {
  ArrayRole role = ArrayRole::frames;
  std::string name;                  ///< as an argument: `q`, `tau`
  std::string meaning;               ///< for people
  std::vector<std::string> entries;  ///< by name; none of matrices, whose meaning tells
  int count = 0;
  bool symmetric = false;  ///< a matrix that is

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

  /// Whether it is a step: it gives a state that can be its next input.
  bool is_step() const {
    return std::any_of(outputs.begin(), outputs.end(),
                       [](const FunctionArray& array) { return array.role == ArrayRole::configuration; });
  }
};

}  // namespace articula::generate
