#include <articula/scalar/trace.h>

#include <bit>
#include <cmath>
#include <utility>

#include <articula/base/error.h>
#include <articula/base/text.h>

namespace articula::scalar {
namespace {

thread_local ExpressionGraph* current = nullptr;

ExpressionGraph& graph() {
  if (current == nullptr) {
    throw Error("trace-not-recording", {},
                "a trace was computed with, but nothing is being recorded. Make a Recording first, and keep it.");
  }
  return *current;
}

Trace add(Operation operation, int a, int b = -1) { return Trace::at(graph().add({operation, a, b, 0})); }

bool is(const Trace& a, double value) { return a.is_constant() && a.value() == value; }

/// The operand, if `a` is a negation; otherwise none.
int negated(const Trace& a) {
  if (a.is_constant()) return -1;
  const Expression& expression = graph()[a.place()];
  return expression.operation == Operation::negate ? expression.a : -1;
}

/// c·b: factors of factors are multiplied beforehand.
Trace scaled(double c, const Trace& b) {
  if (c == 1) return b;
  if (c == -1) return -b;
  const Expression& expression = graph()[b.place()];
  if (expression.operation == Operation::multiply) {
    const Expression& factor = graph()[expression.a];
    if (factor.operation == Operation::constant) return Trace(c * factor.value) * Trace::at(expression.b);
  }
  const int constant = Trace(c).place();
  return add(Operation::multiply, constant, b.place());  // constants stand first
}

[[noreturn]] void refuse_branch() {
  throw Error("trace-branch", {},
              "a branch depends on a value that is known only when the recorded algorithm runs. What is recorded may "
              "branch on constants only: keep the parameter that it depends on a constant, or run as \"flat\".");
}

}  // namespace

std::size_t ExpressionGraph::Hash::operator()(const Expression& expression) const {
  std::uint64_t hash = std::bit_cast<std::uint64_t>(expression.value);
  for (const int part : {static_cast<int>(expression.operation), expression.a, expression.b}) {
    hash = (hash ^ static_cast<std::uint32_t>(part)) * 0x9e3779b97f4a7c15u;
    hash ^= hash >> 29;
  }
  return static_cast<std::size_t>(hash);
}

int ExpressionGraph::add(const Expression& expression) {
  const auto [place, is_new] = places_.try_emplace(expression, size());
  if (is_new) {
    if (size() >= most) {
      throw Error(
          "trace-too-large", {},
          concat(
              "the recorded algorithm has more than ", most,
              " operations. That is too much to write down one by one: run as \"flat\", whose loops do not grow with "
              "the mechanism."));
    }
    expressions_.push_back(expression);
  }
  return place->second;
}

int ExpressionGraph::find(const Expression& expression) const {
  const auto found = places_.find(expression);
  return found == places_.end() ? -1 : found->second;
}

int Trace::place() const {
  if (place_ >= 0) return place_;
  return graph().add({Operation::constant, -1, -1, value_ == 0 ? 0.0 : value_});  // −0 is 0
}

Trace Trace::at(int place) {
  Trace result;
  const Expression& expression = graph()[place];
  if (expression.operation == Operation::constant) {
    result.value_ = expression.value;
  } else {
    result.place_ = place;
  }
  return result;
}

Trace Trace::of(Operation operation, const Trace& a, const Trace& b) {
  const OperationTraits& row = traits(operation);
  const bool takes_two = row.operands == 2;
  if (a.is_constant() && (!takes_two || b.is_constant())) return row.value(a.value(), b.value());
  if (row.law == Law::odd || row.law == Law::even) {
    if (const int operand = negated(a); operand >= 0) {
      const Trace result = of(operation, at(operand));
      return row.law == Law::odd ? -result : result;
    }
  }
  int first = a.place(), second = takes_two ? b.place() : -1;
  if (row.law == Law::commutes && second < first) std::swap(first, second);
  return add(operation, first, second);
}

Trace operator+(const Trace& a, const Trace& b) {
  if (a.is_constant() && b.is_constant()) return a.value() + b.value();
  if (is(a, 0)) return b;
  if (is(b, 0)) return a;
  if (const int less = negated(b); less >= 0) return a - Trace::at(less);
  if (const int less = negated(a); less >= 0) return b - Trace::at(less);
  return Trace::of(Operation::add, a, b);
}

Trace operator-(const Trace& a, const Trace& b) {
  if (a.is_constant() && b.is_constant()) return a.value() - b.value();
  if (is(b, 0)) return a;
  if (is(a, 0)) return -b;
  if (const int more = negated(b); more >= 0) return a + Trace::at(more);
  if (const int less = negated(a); less >= 0) return -(Trace::at(less) + b);
  const int first = a.place(), second = b.place();
  if (first == second) return 0.0;
  const int mirrored = graph().find({Operation::subtract, second, first, 0});
  if (mirrored >= 0) return -Trace::at(mirrored);
  return add(Operation::subtract, first, second);
}

Trace operator-(const Trace& a) {
  if (a.is_constant()) return -a.value();
  if (const int operand = negated(a); operand >= 0) return Trace::at(operand);
  return add(Operation::negate, a.place());
}

Trace operator*(const Trace& a, const Trace& b) {
  if (a.is_constant() && b.is_constant()) return a.value() * b.value();
  if (is(a, 0) || is(b, 0)) return 0.0;
  if (b.is_constant()) return b * a;
  if (const int operand = negated(b); operand >= 0) return -(a * Trace::at(operand));
  if (const int operand = negated(a); operand >= 0) return -(Trace::at(operand) * b);
  if (a.is_constant()) return a.value() < 0 && graph().signs_move ? -scaled(-a.value(), b) : scaled(a.value(), b);
  return Trace::of(Operation::multiply, a, b);
}

Trace operator/(const Trace& a, const Trace& b) {
  if (a.is_constant() && b.is_constant()) return a.value() / b.value();
  if (is(a, 0)) return 0.0;
  if (b.is_constant()) return a * Trace(1 / b.value());
  if (const int operand = negated(b); operand >= 0) return -(a / Trace::at(operand));
  if (const int operand = negated(a); operand >= 0) return -(Trace::at(operand) / b);
  return Trace::of(Operation::divide, a, b);
}

bool operator==(const Trace& a, const Trace& b) {
  if (a.is_constant() && b.is_constant()) return a.value() == b.value();
  if (a.place_ == b.place_) return true;
  refuse_branch();
}

std::partial_ordering operator<=>(const Trace& a, const Trace& b) {
  if (a.is_constant() && b.is_constant()) return a.value() <=> b.value();
  if (a.place_ == b.place_) return std::partial_ordering::equivalent;
  refuse_branch();
}

Recording::Recording(ExpressionGraph& graph) : before_(std::exchange(current, &graph)) {}
Recording::~Recording() { current = before_; }

Trace Recording::input(int array, int k) const { return Trace::at(graph().add({Operation::input, array, k, 0})); }

}  // namespace articula::scalar
