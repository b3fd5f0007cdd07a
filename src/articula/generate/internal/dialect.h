#pragma once

#include <functional>
#include <string>

#include <articula/generate/internal/schedule.h>

namespace articula::generate {

/// Source text of a function: declarations before it, and the statements of its body.
struct FunctionText {
  std::string before, body;
};

/// `a + b`, `-a`, `sin(a)`: an operation in C. Other dialects may use other functions.
std::string operation_text(Operation operation, const std::string& a, const std::string& b);
std::string operation_of_packs_text(Operation operation, const std::string& a, const std::string& b);

/// A number as an exact literal of C, C++ and CUDA: `2.0`, `1.5e-7`.
std::string literal(double value);

/// The syntax of statements in a language: how to read, compute and write numbers.
struct Dialect {
  explicit Dialect(const std::string& type = "double") : scalar(type), let(("const " + type) + " ") {}

  std::string scalar;           ///< the type of a value
  std::string let, end = ";";   ///< text before and after `t0 = a + b`
  std::string real = "double";  ///< the type of a constant in a table
  std::string indent = "  ";
  /// An operation, from the text of its operands.
  std::function<std::string(Operation, const std::string& a, const std::string& b)> operation = operation_text;
  std::string reciprocal;  ///< a function for 1/x; empty: divide

  /// A number of an array, from the name of the array: `q[3]`.
  std::function<std::string(const std::string& array, int k)> element = [](const std::string& array, int k) {
    return array + "[" + std::to_string(k) + "]";
  };
  std::function<std::string(double)> constant = literal;  ///< as an operand
  std::function<std::string(double)> whole = literal;     ///< as a result of type `scalar`
  LeavesOut leaves_out;

  /// The statement that writes a result; empty: `element = value;`.
  std::function<std::string(const std::string& array, int k, const std::string& value)> store;
  /// The statement that reads an input into the variable given by `variable`. Empty: inputs are read at each use, and
  /// sines and cosines of angles exist already. Otherwise both are emitted at their first use.
  std::function<std::string(const std::string& array, int k)> read;
  std::function<std::string(const std::string& array, int k)> variable;
  int reads_first = 0;  ///< the number of input arrays that a warp reads at its start
};

}  // namespace articula::generate
