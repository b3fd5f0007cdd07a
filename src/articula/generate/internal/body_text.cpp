#include <articula/generate/internal/body_text.h>

#include <algorithm>

#include <articula/base/index.h>
#include <articula/base/text.h>

namespace articula::generate {
namespace {

class Writer {
 public:
  Writer(const Schedule& schedule, const Dialect& dialect, const Split* split = nullptr, int warp = 0)
      : function_(*schedule.function),
        graph_(schedule.graph()),
        schedule_(schedule),
        dialect_(dialect),
        split_(split),
        warp_(warp),
        number_(at(graph_.size()), -1),
        inlined_(at(graph_.size()), false),
        read_(at(graph_.size()), false) {
    for (std::size_t k = 0; k < schedule.angles.size(); ++k) number_[at(schedule.angles[k])] = static_cast<int>(k);
    for (const int k : schedule.order) inline_products(k);
    find_results();
  }

  std::string text() {
    for (const int k : schedule_.order) compute(k);
    write_what_is_given();
    return std::move(text_);
  }

  std::string text_of_warp() {
    for (const int k : schedule_.order) {
      if (split_->warp[at(k)] == warp_) read_inputs(graph_[k]);
    }
    int phase = 0;
    const auto reach = [&](int next) {
      for (; phase < next; ++phase) say("meet();");
    };
    for (const int k : schedule_.order) {
      if (split_->warp[at(k)] != warp_) continue;
      reach(split_->phase[at(k)]);
      compute(k);
      if (split_->slot[at(k)] >= 0) say(concat("x[", split_->slot[at(k)], "][0] = t", number_[at(k)], ";"));
    }
    reach(split_->phases - 1);
    if (warp_ == 0) write_what_is_given();
    return std::move(text_);
  }

 private:
  struct Target {
    int array, entry;
  };

  void say(const std::string& statement) { text_ += concat(dialect_.indent, statement, "\n"); }
  void let(int number, const std::string& value) { say(concat(dialect_.let, "t", number, " = ", value, dialect_.end)); }

  void compute(int k) {
    if (!inlined_[at(k)]) {
      const std::string value = formula(k);  // may emit reads of inputs first
      number_[at(k)] = count_++;
      let(number_[at(k)], value);
    }
    for (const auto& [array, entry] : targets_[at(k)]) write(array, entry, concat("t", number_[at(k)]));
  }

  void write_what_is_given() {
    for (int k = 0; k < graph_.size(); ++k) {
      const Expression& e = graph_[k];
      if (operands(e.operation) > 0 && !is_of_angle(graph_, e)) continue;
      for (const auto& [array, entry] : targets_[at(k)]) {
        const bool constant = e.operation == Operation::constant;
        write(array, entry, constant ? dialect_.whole(e.value) : operand(k), constant && e.value == 0);
      }
    }
  }

  /// Writes a product inside the sum that is its only use, so that compilers reliably contract both to a fused
  /// operation.
  void inline_products(int sum) {
    const Expression& e = graph_[sum];
    if (e.operation != Operation::add && e.operation != Operation::subtract) return;
    for (const int operand : {e.b, e.a}) {
      const bool product = graph_[operand].operation == Operation::multiply;
      const bool near = split_ == nullptr || (split_->warp[at(operand)] == split_->warp[at(sum)] &&
                                              split_->phase[at(operand)] == split_->phase[at(sum)]);
      if (product && near && schedule_.uses[at(operand)] == 1) {
        inlined_[at(operand)] = true;
        return;  // one fused product per sum
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

  void write(int array, int entry, const std::string& value, bool zero = false) {
    if (dialect_.leaves_out && dialect_.leaves_out(function_.outputs[at(array)], entry, zero)) return;
    const std::string& name = function_.outputs[at(array)].name;
    say(dialect_.store ? dialect_.store(name, entry, value)
                       : concat(dialect_.element(name, entry), " = ", value, dialect_.end));
  }

  std::string operand(int k) {
    const Expression& e = graph_[k];
    if (e.operation == Operation::constant) return dialect_.constant(e.value);
    if (e.operation == Operation::input) return input(k);
    if (is_of_angle(graph_, graph_[k])) return of_angle(e);
    if (inlined_[at(k)]) return formula(k);
    if (number_[at(k)] < 0) {  // computed by another warp
      number_[at(k)] = count_++;
      let(number_[at(k)], concat("x[", split_->slot[at(k)], "][0]"));
    }
    return concat("t", number_[at(k)]);
  }

  std::string input(int k) {
    const Expression& e = graph_[k];
    const std::string& name = function_.inputs[at(e.a)].name;
    if (!dialect_.read) return dialect_.element(name, e.b);
    if (!read_[at(k)]) say(dialect_.read(name, e.b));
    read_[at(k)] = true;
    return dialect_.variable(name, e.b);
  }

  std::string of_angle(const Expression& e) {
    const int angle = number_[at(e.a)];
    if (dialect_.read && std::find(angles_.begin(), angles_.end(), angle) == angles_.end()) {
      angles_.push_back(angle);
      const std::string value = input(e.a);
      say(concat(dialect_.scalar, " s", angle, ", c", angle, ";"));
      say(concat("sine_and_cosine(", value, ", &s", angle, ", &c", angle, ");"));
    }
    return concat(e.operation == Operation::sine ? "s" : "c", angle);
  }

  void read_inputs(const Expression& e) {
    const int count = operands(e.operation);
    for (const int k : {count > 0 ? e.a : -1, count > 1 ? e.b : -1}) {
      if (k < 0) continue;
      if (graph_[k].operation == Operation::input && graph_[k].a < dialect_.reads_first) input(k);
      if (is_of_angle(graph_, graph_[k])) of_angle(graph_[k]);
    }
  }

  std::string quotient(const Expression& e) {
    if (dialect_.reciprocal.empty()) return concat(operand(e.a), " / ", operand(e.b));
    const std::string inverse = concat(dialect_.reciprocal, "(", operand(e.b), ")");
    const bool one = graph_[e.a].operation == Operation::constant && graph_[e.a].value == 1;
    return one ? inverse : concat(operand(e.a), " * ", inverse);
  }

  std::string formula(int k) {
    const Expression& e = graph_[k];
    if (e.operation == Operation::divide) return quotient(e);
    const std::string a = operand(e.a);
    return dialect_.operation(e.operation, a, operands(e.operation) > 1 ? operand(e.b) : "");
  }

  const RecordedFunction& function_;
  const ExpressionGraph& graph_;
  const Schedule& schedule_;
  const Dialect& dialect_;
  const Split* split_;
  int warp_;
  int count_ = 0;
  std::vector<int> number_;
  std::vector<bool> inlined_, read_;
  std::vector<int> angles_;  // angles whose sine and cosine were emitted, if they are emitted at their first use
  std::vector<std::vector<Target>> targets_;
  std::string text_;
};

}  // namespace

std::string body_text(const Schedule& schedule, const Dialect& dialect) { return Writer(schedule, dialect).text(); }

std::string warp_text(const Split& split, int warp, const Dialect& dialect) {
  return Writer(split.schedule, dialect, &split, warp).text_of_warp();
}

}  // namespace articula::generate
