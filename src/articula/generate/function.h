#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include <articula/scalar/trace.h>

namespace articula::generate {

/// The quantity in an array.
enum class ArrayRole : unsigned char {
  configuration,  ///< independent coordinates
  velocity,       ///< one for each independent degree of freedom, like accelerations and forces
  acceleration,
  force,
  force_and_step,  ///< forces, then a time step
  series,          ///< coordinates and their time derivatives, order by order
  parameter,       ///< numbers of the model that remain arguments
  matrix,          ///< a row and a column for each independent degree of freedom
  frames,          ///< poses, motions and Jacobians of frames
};

/// Whether an array has a number for each coordinate or degree of freedom.
constexpr bool is_of_joints(ArrayRole role) { return role < ArrayRole::series; }

/// An input or output array of a generated function.
struct FunctionArray {
  ArrayRole role = ArrayRole::frames;
  std::string name;                  ///< the argument's name: `q`, `tau`
  std::string meaning;               ///< a description for messages and comments
  std::vector<std::string> entries;  ///< names of the numbers; empty for matrices, which `meaning` describes
  int count = 0;
  bool symmetric = false;  ///< is a symmetric matrix

  int size() const { return count; }
};

/// An algorithm for one mechanism as an expression graph: the input of code generation.
struct RecordedFunction {
  std::string name;                            ///< `inverse_dynamics`
  std::string meaning;                         ///< a description, one line
  std::vector<FunctionArray> inputs, outputs;  ///< an input without entries is not an argument
  ExpressionGraph graph;
  std::vector<std::vector<int>> results;  ///< for each output array, the indices of its numbers in the graph
  bool in_loops = false;                  ///< too long for straight-line code: written as loops over repeated parts

  /// For each number of each input and output array, the index of its limb; −1: the trunk, or no limb. A limb is an
  /// unbranched chain of bodies whose root is connected to World or to a body where the mechanism branches.
  std::vector<std::vector<int>> input_limbs, output_limbs;

  /// Whether it is a time step: its output is a state that can be its next input.
  bool is_step() const {
    return std::any_of(outputs.begin(), outputs.end(),
                       [](const FunctionArray& array) { return array.role == ArrayRole::configuration; });
  }
};

}  // namespace articula::generate
