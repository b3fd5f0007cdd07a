#pragma once

#include <functional>

#include <articula/generate/function.h>

namespace articula::generate {

/// What of a recorded function is computed, and in which order.
///
/// The order is that of the recording, without what nobody needs: algorithms go from body to body, and so all numbers
/// of a body are computed together and while those of its neighbour are at hand. To go depth first from each result
/// instead (Sethi & Ullman 1970) follows one component at a time through the whole mechanism; on a humanoid that took
/// twice as long.
struct Schedule {
  const RecordedFunction* function = nullptr;  ///< outlives the schedule
  std::vector<int> order;   ///< places in the graph, operands first; no inputs, no constants, no sines of `angles`
  std::vector<int> uses;    ///< by place: how many expressions and results read it
  std::vector<int> angles;  ///< arguments of sines and cosines that are inputs: all are known at the start
  int operations = 0;       ///< additions, multiplications, divisions, roots

  const ExpressionGraph& graph() const { return function->graph; }
  /// Whether one of them is this.
  bool computes(Operation operation) const;
};

Schedule make_schedule(const RecordedFunction& function);
Schedule make_schedule(const RecordedFunction&& function) = delete;

/// As many angles as sines are computed of at once: whole packs.
int padded_angles(const Schedule& schedule);

/// Whether an expression is the sine or cosine of an input.
bool is_of_angle(const ExpressionGraph& graph, const Expression& expression);

/// Whether a result is always zero.
bool is_zero(const RecordedFunction& function, std::size_t array, std::size_t entry);

/// Whether a result is not to be written: its array, its place there, and whether it is always zero.
using LeavesOut = std::function<bool(const FunctionArray& array, int k, bool zero)>;

}  // namespace articula::generate
