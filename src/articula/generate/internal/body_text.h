#pragma once

#include <functional>

#include <articula/generate/internal/limbs.h>

namespace articula {

/// What functions are called in a language.
struct FunctionNames {
  std::string square_root = "sqrt", sine = "sin", cosine = "cos";
};

/// `a + b`, `sin(a)`: an operation on what stands for its operands.
std::string formula_text(Operation operation, const std::string& a, const std::string& b, const FunctionNames& names);

/// How the statements of a function look in a language: where numbers come from and where they go.
struct Dialect {
  std::string scalar = "double";  ///< the type of a value
  /// Of a number of an array, by the array's name: `q[3]`.
  std::function<std::string(const std::string& array, int k)> element;
  std::function<std::string(double)> constant;  ///< as an operand
  std::function<std::string(double)> whole;     ///< as a result, of type `scalar`
  /// Whether a result is not to be written: its array and place among the outputs, and whether it is always zero.
  std::function<bool(const FunctionArray& array, int k, bool zero)> leaves_out;
  FunctionNames names;
  std::string reciprocal;  ///< a function for 1/x; empty: divide
  std::string indent = "  ";

  /// The statement that writes a result; none: `element = value;`.
  std::function<std::string(const std::string& array, int k, const std::string& value)> store;
  /// The statement that reads an input into a variable that `variable` names; none: inputs are read where they are used,
  /// and sines and cosines of angles are there. Else both come where they are first used.
  std::function<std::string(const std::string& array, int k)> read;
  std::function<std::string(const std::string& array, int k)> variable;
  int reads_first = 0;  ///< of so many input arrays a warp reads all that it needs at its start
};

/// Statements that compute all results, from inputs and from `s0`, `c0`, `s1`, …, the sines and cosines of
/// `schedule.angles`. One operation a line, but for products that only one sum reads.
std::string body_text(const RecordedFunction& function, const Schedule& schedule, const Dialect& dialect);

/// The statements of one warp of several that share a state: `x[slot][0]` is what passes between them, `meet()` ends a
/// phase. @pre the dialect reads inputs into variables
std::string warp_text(const RecordedFunction& function, const Schedule& schedule, const Split& split, int warp,
                      const Dialect& dialect);

/// How many results of an output array are always zero.
int zeros_of(const RecordedFunction& function, std::size_t output);

/// A number as C, C++ and CUDA read it, exactly: `2.0`, `1.5e-7`.
std::string literal(double value);

}  // namespace articula
