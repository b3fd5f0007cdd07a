#pragma once

#include <functional>
#include <string>

#include <articula/generate/internal/schedule.h>

namespace articula::generate {

/// Source text of a function: what stands before it, and the statements inside it.
struct FunctionText {
  std::string before, body;
};

/// `a + b`, `-a`, `sin(a)`: an operation in C. Functions of packs have names of their own.
std::string operation_text(Operation operation, const std::string& a, const std::string& b);
std::string operation_of_packs_text(Operation operation, const std::string& a, const std::string& b);

/// A number as C, C++ and CUDA read it, exactly: `2.0`, `1.5e-7`.
std::string literal(double value);

/// How the statements of a function look in a language: where numbers come from and where they go.
struct Dialect {
  explicit Dialect(const std::string& type = "double") : scalar(type), let(("const " + type) + " ") {}

  std::string scalar;           ///< the type of a value
  std::string let, end = ";";   ///< what stands around `t0 = a + b`
  std::string real = "double";  ///< the type of a constant in a table
  std::string indent = "  ";
  /// An operation on what stands for its operands.
  std::function<std::string(Operation, const std::string& a, const std::string& b)> operation = operation_text;
  std::string reciprocal;  ///< a function for 1/x; empty: divide

  /// Of a number of an array, by the array's name: `q[3]`.
  std::function<std::string(const std::string& array, int k)> element = [](const std::string& array, int k) {
    return array + "[" + std::to_string(k) + "]";
  };
  std::function<std::string(double)> constant = literal;  ///< as an operand
  std::function<std::string(double)> whole = literal;     ///< as a result, of type `scalar`
  LeavesOut leaves_out;

  /// The statement that writes a result; none: `element = value;`.
  std::function<std::string(const std::string& array, int k, const std::string& value)> store;
  /// The statement that reads an input into a variable that `variable` names; none: inputs are read where they are used,
  /// and sines and cosines of angles are there. Else both come where they are first used.
  std::function<std::string(const std::string& array, int k)> read;
  std::function<std::string(const std::string& array, int k)> variable;
  int reads_first = 0;  ///< of so many input arrays a warp reads all that it needs at its start
};

}  // namespace articula::generate
