#pragma once

#include <cmath>
#include <vector>

#include <articula/generate/function.h>

/// A recorded function computed expression by expression, without any compiler.
namespace articula::test {

inline std::vector<double> values_of(const ExpressionGraph& graph, const std::vector<std::vector<double>>& inputs) {
  std::vector<double> x;
  const auto at = [&](int k) { return x[static_cast<std::size_t>(k)]; };
  for (const Expression& e : graph.all()) {
    switch (e.operation) {
      case Operation::constant: x.push_back(e.value); break;
      case Operation::input: x.push_back(inputs[static_cast<std::size_t>(e.a)][static_cast<std::size_t>(e.b)]); break;
      case Operation::add: x.push_back(at(e.a) + at(e.b)); break;
      case Operation::subtract: x.push_back(at(e.a) - at(e.b)); break;
      case Operation::multiply: x.push_back(at(e.a) * at(e.b)); break;
      case Operation::divide: x.push_back(at(e.a) / at(e.b)); break;
      case Operation::negate: x.push_back(-at(e.a)); break;
      case Operation::square_root: x.push_back(std::sqrt(at(e.a))); break;
      case Operation::sine: x.push_back(std::sin(at(e.a))); break;
      case Operation::cosine: x.push_back(std::cos(at(e.a))); break;
    }
  }
  return x;
}

/// Output array `which`.
inline std::vector<double> evaluate(const RecordedFunction& function, const std::vector<std::vector<double>>& inputs,
                                    std::size_t which = 0) {
  const std::vector<double> values = values_of(function.graph, inputs);
  std::vector<double> result;
  for (const int place : function.results[which]) result.push_back(values[static_cast<std::size_t>(place)]);
  return result;
}

}  // namespace articula::test
