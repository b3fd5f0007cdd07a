#pragma once

#include <array>
#include <cmath>
#include <string_view>

#include <articula/base/modules.h>

/// Every operation that a recording knows: a new one is a row here. A function also has a line in trace.h, by which
/// algorithms call it.
///
///     X(name, operands, law, value, name in C: a sign or a function, that function for packs)
#define ARTICULA_OPERATIONS(X)                           \
  X(add, 2, commutes, a + b, "+", "")                    \
  X(subtract, 2, none, a - b, "-", "")                   \
  X(multiply, 2, commutes, (a * b), "*", "")             \
  X(divide, 2, none, a / b, "/", "")                     \
  X(negate, 1, none, -a, "-", "")                        \
  X(square_root, 1, none, std::sqrt(a), "sqrt", "roots") \
  X(sine, 1, odd, std::sin(a), "sin", "sines")           \
  X(cosine, 1, even, std::cos(a), "cos", "cosines")

namespace articula::scalar {

/// What an expression does with its operands a and b.
enum class Operation : unsigned char {
  constant,  ///< the number `value`
  input,     ///< the b-th number of input array a
#define ARTICULA_ENUMERATE(name, operands, law, value, in_c, of_packs) name,
  ARTICULA_OPERATIONS(ARTICULA_ENUMERATE)
#undef ARTICULA_ENUMERATE
};

/// What is known of f whatever its operands.
enum class Law : unsigned char {
  none,
  commutes,  ///< f(a, b) = f(b, a)
  odd,       ///< f(−a) = −f(a)
  even,      ///< f(−a) = f(a)
};

/// A row of the table.
struct OperationTraits {
  Operation operation = Operation::constant;
  int operands = 0;
  Law law = Law::none;
  double (*value)(double a, double b) = nullptr;  ///< none: it is read, not computed
  std::string_view in_c = {};                     ///< `+`, or the name of a function
  std::string_view of_packs = {};                 ///< functions only

  constexpr bool is_function() const { return !of_packs.empty(); }
};

inline constexpr std::array all_operations{OperationTraits{Operation::constant}, OperationTraits{Operation::input},
#define ARTICULA_ROW(name, operands, law, value, in_c, of_packs)                                        \
  OperationTraits{Operation::name,                                                                      \
                  operands,                                                                             \
                  Law::law,                                                                             \
                  []([[maybe_unused]] double a, [[maybe_unused]] double b) -> double { return value; }, \
                  in_c,                                                                                 \
                  of_packs},
                                           ARTICULA_OPERATIONS(ARTICULA_ROW)
#undef ARTICULA_ROW
};

constexpr const OperationTraits& traits(Operation operation) {
  return all_operations[static_cast<std::size_t>(operation)];
}

/// How many operands an operation has.
constexpr int operands(Operation operation) { return traits(operation).operands; }

}  // namespace articula::scalar
