#pragma once

#include <compare>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include <articula/base/export.h>
#include <articula/scalar/operation.h>

namespace articula::scalar {

struct Expression {
  Operation operation = Operation::constant;
  int a = -1, b = -1;  ///< places of the operands in the graph
  double value = 0;    ///< of a constant

  friend bool operator==(const Expression&, const Expression&) = default;
};

/// Expressions, each once, operands before those that use them. What an algorithm computes, written down.
///
/// Nothing is added that exists already, in this or the mirrored order of a commutative operation, and nothing that is
/// known beforehand: 0, ±1, sums and products of constants. Signs move outward to where an addition takes them up.
class ARTICULA_EXPORT ExpressionGraph {
 public:
  const std::vector<Expression>& all() const { return expressions_; }
  const Expression& operator[](int place) const { return expressions_[static_cast<std::size_t>(place)]; }
  int size() const { return static_cast<int>(expressions_.size()); }

  /// The place of an expression, new or not.
  int add(const Expression& expression);
  /// The place of one that exists; −1 if there is none.
  int find(const Expression& expression) const;

  /// Beyond so many expressions, recording throws the Error `trace-too-large`.
  int most = 4'000'000;
  /// Whether signs of factors move outward. If not, what is recorded depends on which numbers are 0 or 1 and on no other,
  /// so that bodies alike leave statements alike.
  bool signs_move = true;

 private:
  struct Hash {
    std::size_t operator()(const Expression& expression) const;
  };
  std::vector<Expression> expressions_;
  std::unordered_map<Expression, int, Hash> places_;
};

/// A scalar that does not compute but writes down what would be computed: a constant, or a place in the graph that is
/// being recorded. An algorithm that runs with traces leaves its formula in the graph.
///
///     ExpressionGraph graph;
///     const Recording recording(graph);
///     const Trace x = recording.input(0, 0);
///     const Trace y = sin(x) * 2.0 + 0.0;      // graph: x, sin x, 2, 2·sin x
///
/// A branch on a value that is not constant cannot be recorded: comparing throws the Error `trace-branch`.
class ARTICULA_EXPORT Trace {
 public:
  Trace() = default;
  Trace(double value) : value_(value) {}  // NOLINT: a number is a constant

  bool is_constant() const { return place_ < 0; }
  double value() const { return value_; }  ///< @pre is_constant()

  /// Where it stands in the graph that is being recorded; a constant is added to it.
  int place() const;
  /// The expression at a place.
  static Trace at(int place);

  Trace& operator+=(const Trace& b) { return *this = *this + b; }
  Trace& operator-=(const Trace& b) { return *this = *this - b; }
  Trace& operator*=(const Trace& b) { return *this = *this * b; }
  Trace& operator/=(const Trace& b) { return *this = *this / b; }

  friend ARTICULA_EXPORT Trace operator+(const Trace& a, const Trace& b);
  friend ARTICULA_EXPORT Trace operator-(const Trace& a, const Trace& b);
  friend ARTICULA_EXPORT Trace operator*(const Trace& a, const Trace& b);
  friend ARTICULA_EXPORT Trace operator/(const Trace& a, const Trace& b);
  friend ARTICULA_EXPORT Trace operator-(const Trace& a);

  /// An operation on one or two operands: its value if they are constant, else in the order and sign that its law allows.
  static Trace of(Operation operation, const Trace& a) { return of(operation, a, a); }
  static Trace of(Operation operation, const Trace& a, const Trace& b);
  friend Trace sqrt(const Trace& a) { return of(Operation::square_root, a); }
  friend Trace sin(const Trace& a) { return of(Operation::sine, a); }
  friend Trace cos(const Trace& a) { return of(Operation::cosine, a); }

  /// Known only between constants, and of an expression with itself.
  friend ARTICULA_EXPORT bool operator==(const Trace& a, const Trace& b);
  friend ARTICULA_EXPORT std::partial_ordering operator<=>(const Trace& a, const Trace& b);

 private:
  double value_ = 0;
  int place_ = -1;
};

/// While it lives, traces of this thread are written into its graph.
class ARTICULA_EXPORT Recording {
 public:
  explicit Recording(ExpressionGraph& graph);
  ~Recording();
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;

  /// The k-th number of an input array.
  Trace input(int array, int k) const;

 private:
  ExpressionGraph* before_;
};

}  // namespace articula::scalar
