#pragma once

#include <vector>

#include <articula/generate/function.h>

#include "support/names.h"

/// A recorded function computed expression by expression, without any compiler.
namespace articula::test {

inline std::vector<double> values_of(const ExpressionGraph& graph, const std::vector<std::vector<double>>& inputs) {
  std::vector<double> x;
  const auto at = [&](int k) { return x[static_cast<std::size_t>(k)]; };
  for (const Expression& e : graph.all()) {
    const OperationTraits& row = traits(e.operation);
    if (row.value != nullptr) {
      x.push_back(row.value(at(e.a), row.operands > 1 ? at(e.b) : 0.0));
    } else if (e.operation == Operation::input) {
      x.push_back(inputs[static_cast<std::size_t>(e.a)][static_cast<std::size_t>(e.b)]);
    } else {
      x.push_back(e.value);
    }
  }
  return x;
}

/// The output array `which`.
inline std::vector<double> evaluate(const RecordedFunction& function, const std::vector<std::vector<double>>& inputs,
                                    std::size_t which = 0) {
  const std::vector<double> values = values_of(function.graph, inputs);
  std::vector<double> result;
  for (const int place : function.results[which]) result.push_back(values[static_cast<std::size_t>(place)]);
  return result;
}

}  // namespace articula::test
