#pragma once

#include <functional>

#include <articula/generate/function.h>

namespace articula::generate {

/// The expressions of a recorded function to compute, and their order.
///
/// The order is that of the recording, without unused expressions. Algorithms proceed body by body, so that all numbers
/// of a body are computed together, while those of its neighbour are live. Depth-first order from each result (Sethi &
/// Ullman 1970) follows one component at a time through the whole mechanism; on a humanoid that took twice as long.
struct Schedule {
  const RecordedFunction* function = nullptr;  ///< must outlive the schedule
  std::vector<int> order;   ///< indices in the graph, operands first; without inputs, constants and sines of `angles`
  std::vector<int> uses;    ///< by expression: the number of expressions and results that read it
  std::vector<int> angles;  ///< arguments of sines and cosines that are inputs, and so known at the start
  int operations = 0;       ///< additions, multiplications, divisions, roots

  const ExpressionGraph& graph() const { return function->graph; }
  /// Whether the order contains this operation.
  bool computes(Operation operation) const;
};

Schedule make_schedule(const RecordedFunction& function);
Schedule make_schedule(const RecordedFunction&& function) = delete;

/// The number of angles, padded to whole packs, for which sines are computed.
int padded_angles(const Schedule& schedule);

/// Whether an expression is the sine or cosine of an input.
bool is_of_angle(const ExpressionGraph& graph, const Expression& expression);

/// Whether a result is always zero.
bool is_zero(const RecordedFunction& function, std::size_t array, std::size_t entry);

/// Whether a result is omitted, by its array, its index there, and whether it is always zero.
using LeavesOut = std::function<bool(const FunctionArray& array, int k, bool zero)>;

}  // namespace articula::generate
