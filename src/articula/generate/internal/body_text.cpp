#include <articula/generate/internal/body_text.h>

#include <algorithm>

#include <articula/base/text.h>

namespace articula {
namespace {

std::size_t at(int k) { return static_cast<std::size_t>(k); }

class Writer {
 public:
  Writer(const RecordedFunction& function, const Schedule& schedule, const Dialect& dialect)
      : function_(function),
        graph_(function.graph),
        schedule_(schedule),
        dialect_(dialect),
        number_(at(graph_.size()), -1),
        inlined_(at(graph_.size()), false) {
    for (std::size_t k = 0; k < schedule.angles.size(); ++k) number_[at(schedule.angles[k])] = static_cast<int>(k);
    for (const int k : schedule.order) inline_products(graph_[k]);
    find_results();
  }

  std::string text() {
    int count = 0;
    for (const int k : schedule_.order) {
      if (!inlined_[at(k)]) {
        number_[at(k)] = count++;
        text_ += concat(dialect_.indent, "const ", dialect_.scalar, " t", number_[at(k)], " = ", formula(k), ";\n");
      }
      store(k);
    }
    // What needs no computing is written at the end.
    for (int k = 0; k < graph_.size(); ++k) {
      const Expression& e = graph_[k];
      if (operands(e.operation) > 0 && !is_of_angle(graph_, e)) continue;
      for (const auto& [array, entry] : targets_[at(k)]) {
        const bool constant = e.operation == Operation::constant;
        write(array, entry, constant ? dialect_.whole(e.value) : operand(k), constant && e.value == 0);
      }
    }
    return std::move(text_);
  }

 private:
  struct Target {
    int array, entry;
  };

  /// A product that only a sum reads is written there: compilers then fuse both, whatever their mood.
  void inline_products(const Expression& e) {
    if (e.operation != Operation::add && e.operation != Operation::subtract) return;
    for (const int operand : {e.b, e.a}) {
      const bool product = graph_[operand].operation == Operation::multiply;
      if (product && schedule_.uses[at(operand)] == 1) {
        inlined_[at(operand)] = true;
        return;  // one of the two is enough
      }
    }
  }

  void find_results() {
    targets_.resize(at(graph_.size()));
    for (std::size_t a = 0; a < function_.results.size(); ++a) {
      for (std::size_t i = 0; i < function_.results[a].size(); ++i) {
        targets_[at(function_.results[a][i])].push_back({static_cast<int>(a), static_cast<int>(i)});
      }
    }
  }

  void store(int k) {
    for (const auto& [array, entry] : targets_[at(k)]) write(array, entry, concat("t", number_[at(k)]));
  }
  void write(int array, int entry, const std::string& value, bool zero = false) {
    if (dialect_.leaves_out && dialect_.leaves_out(function_.outputs[at(array)], entry, zero)) return;
    text_ += concat(dialect_.indent, dialect_.element(function_.outputs[at(array)].name, entry), " = ", value, ";\n");
  }

  std::string operand(int k) const {
    const Expression& e = graph_[k];
    if (e.operation == Operation::constant) return dialect_.constant(e.value);
    if (e.operation == Operation::input) return dialect_.element(function_.inputs[at(e.a)].name, e.b);
    if (is_of_angle(graph_, graph_[k])) return concat(e.operation == Operation::sine ? "s" : "c", number_[at(e.a)]);
    if (inlined_[at(k)]) return formula(k);
    return concat("t", number_[at(k)]);
  }

  std::string formula(int k) const {
    const Expression& e = graph_[k];
    switch (e.operation) {
      case Operation::add: return concat(operand(e.a), " + ", operand(e.b));
      case Operation::subtract: return concat(operand(e.a), " - ", operand(e.b));
      case Operation::multiply: return concat(operand(e.a), " * ", operand(e.b));
      case Operation::divide: return concat(operand(e.a), " / ", operand(e.b));
      case Operation::negate: return concat("-", operand(e.a));
      case Operation::square_root: return concat(dialect_.square_root, "(", operand(e.a), ")");
      case Operation::sine: return concat(dialect_.sine, "(", operand(e.a), ")");
      case Operation::cosine: return concat(dialect_.cosine, "(", operand(e.a), ")");
      default: return {};
    }
  }

  const RecordedFunction& function_;
  const ExpressionGraph& graph_;
  const Schedule& schedule_;
  const Dialect& dialect_;
  std::vector<int> number_;
  std::vector<bool> inlined_;
  std::vector<std::vector<Target>> targets_;
  std::string text_;
};

}  // namespace

std::string body_text(const RecordedFunction& function, const Schedule& schedule, const Dialect& dialect) {
  return Writer(function, schedule, dialect).text();
}

int zeros_of(const RecordedFunction& function, std::size_t output) {
  const auto& results = function.results[output];
  return static_cast<int>(std::count_if(results.begin(), results.end(), [&](int place) {
    const Expression& e = function.graph[place];
    return e.operation == Operation::constant && e.value == 0;
  }));
}

std::string literal(double value) {
  std::string text = number_text(value);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return value < 0 ? concat("(", text, ")") : text;
}

}  // namespace articula
