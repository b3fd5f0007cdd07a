#include <articula/base/index.h>
#include <articula/generate/internal/schedule.h>

#include <algorithm>

namespace articula::generate {

bool is_of_angle(const ExpressionGraph& graph, const Expression& e) {
  return (e.operation == Operation::sine || e.operation == Operation::cosine) &&
         graph[e.a].operation == Operation::input;
}

int padded_angles(const Schedule& schedule) { return (static_cast<int>(schedule.angles.size()) + 7) / 8 * 8; }

bool is_zero(const RecordedFunction& function, std::size_t array, std::size_t entry) {
  const Expression& e = function.graph[function.results[array][entry]];
  return e.operation == Operation::constant && e.value == 0;
}

bool Schedule::computes(Operation operation) const {
  return std::any_of(order.begin(), order.end(), [&](int k) { return graph()[k].operation == operation; });
}

Schedule make_schedule(const RecordedFunction& function) {
  const ExpressionGraph& graph = function.graph;
  Schedule schedule;
  schedule.function = &function;
  schedule.uses.assign(at(graph.size()), 0);
  for (const std::vector<int>& results : function.results) {
    for (const int place : results) ++schedule.uses[at(place)];
  }
  // Operands precede their users, so that the uses of each expression are known when the backward loop reaches it.
  for (int k = graph.size() - 1; k >= 0; --k) {
    const Expression& e = graph[k];
    const int count = operands(e.operation);
    if (schedule.uses[at(k)] == 0 || count == 0) continue;
    ++schedule.uses[at(e.a)];
    if (count > 1) ++schedule.uses[at(e.b)];
    if (is_of_angle(graph, e)) {
      schedule.angles.push_back(e.a);
    } else {
      schedule.order.push_back(k);
      schedule.operations += e.operation != Operation::negate;
    }
  }
  std::reverse(schedule.order.begin(), schedule.order.end());
  auto& angles = schedule.angles;
  std::sort(angles.begin(), angles.end());
  angles.erase(std::unique(angles.begin(), angles.end()), angles.end());
  return schedule;
}

}  // namespace articula::generate
