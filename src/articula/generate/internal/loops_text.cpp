#include <articula/generate/internal/loops_text.h>

#include <array>

#include <articula/base/index.h>
#include <articula/base/text.h>
#include <articula/generate/internal/function_text.h>

namespace articula::generate {
namespace {

bool has_packs(const Dialect& dialect) { return dialect.scalar != dialect.real; }

/// Numbers separated by commas, in lines of limited length; never empty, since C has no empty tables.
std::string array_text(const std::string& type, const std::string& name, const std::vector<int>& numbers) {
  std::string text = concat("static const ", type, " ", name, "[] = {"), line;
  for (const int x : numbers.empty() ? std::vector<int>{0} : numbers) {
    line += concat(x, ",");
    if (line.size() < 110) continue;
    text += "\n  " + line;
    line.clear();
  }
  return concat(text, "\n  ", line, "\n};\n");
}

/// The text of one routine: its parameters, then its statements; values that other calls read are stored immediately.
class RoutineText {
 public:
  RoutineText(const Routine& routine, const Dialect& dialect) : routine_(routine), dialect_(dialect) {
    inlined_.assign(routine.statements.size(), false);
    std::vector<int> uses(routine.statements.size(), 0);
    for_each_operand([&](const RoutineOperand& x) {
      if (x.kind == RoutineOperand::Kind::local) ++uses[at(x.index)];
      constants_ = constants_ || x.kind == RoutineOperand::Kind::constant;
    });
    writes_.resize(routine.statements.size());
    for (const RoutineWrite& write : routine.writes) writes_[at(write.statement)].push_back(write);
    for (const RoutineStatement& statement : routine.statements) inline_products(statement, uses);
  }

  std::string text(int number) const {
    // The inputs and outputs of a call do not overlap. Packs may be compiled as C++, which has no `restrict`.
    const std::string_view no_alias = has_packs(dialect_) ? "__restrict" : "restrict";
    std::string text = concat("static void routine_", number, "(const int *r, const ", dialect_.real, " *k, const ",
                              dialect_.scalar, " *w");
    for (int life = 0; life < lifetimes; ++life) text += concat(", ", dialect_.scalar, " *", no_alias, " o", life);
    text += concat(", ", dialect_.scalar, " *const *y)\n{\n");
    for (int j = 0; j < routine_.bases; ++j)
      text += concat("  const ", dialect_.scalar, " *const x", j, " = w + r[", j, "];\n");
    int last = -1;
    for (const auto& [statement, array, base, offset] : routine_.writes) {
      if (base <= last) continue;
      last = base;
      text += concat("  ", dialect_.scalar, " *", no_alias, " const y", base, " = y[", array, "] + r[", base, "];\n");
    }
    if (routine_.bases == 0) text += "  (void)w;\n";
    if (routine_.writes.empty()) text += "  (void)y;\n";
    if (routine_.bases == 0 && routine_.writes.empty()) text += "  (void)r;\n";
    if (!constants_) text += "  (void)k;\n";
    for (int life = 0; life < lifetimes; ++life) {
      if (routine_.values[at(life)] == 0) text += concat("  (void)o", life, ";\n");
    }
    for (std::size_t k = 0; k < routine_.statements.size(); ++k) {
      if (inlined_[k]) continue;
      text += concat("  const ", dialect_.scalar, " t", k, " = ", formula(routine_.statements[k]), ";\n");
      const auto [lifetime, place] = routine_.kept[k];
      if (lifetime >= 0) text += concat("  o", lifetime, "[", place, "] = t", k, ";\n");
      for (const RoutineWrite& write : writes_[k])
        text += concat("  y", write.base, "[", write.offset, "] = t", k, ";\n");
    }
    return text + "}\n";
  }

 private:
  template <class F>
  void for_each_operand(F&& see) const {
    for (const RoutineStatement& statement : routine_.statements) {
      see(statement.a);
      see(statement.b);
    }
  }

  /// As in straight-line code: a product is written inside the sum that is its only use, to be fused.
  void inline_products(const RoutineStatement& sum, const std::vector<int>& uses) {
    if (sum.operation != Operation::add && sum.operation != Operation::subtract) return;
    for (const RoutineOperand& x : {sum.b, sum.a}) {
      if (x.kind != RoutineOperand::Kind::local) continue;
      const bool product = routine_.statements[at(x.index)].operation == Operation::multiply;
      const bool leaves = routine_.kept[at(x.index)].lifetime >= 0 || !writes_[at(x.index)].empty();
      if (!product || uses[at(x.index)] != 1 || leaves) continue;
      inlined_[at(x.index)] = true;
      return;
    }
  }

  std::string operand(const RoutineOperand& x) const {
    switch (x.kind) {
      case RoutineOperand::Kind::local:
        return inlined_[at(x.index)] ? formula(routine_.statements[at(x.index)]) : concat("t", x.index);
      case RoutineOperand::Kind::read: {
        const RoutineRead& read = routine_.reads[at(x.index)];
        return concat("x", read.base, "[", read.offset, "]");
      }
      case RoutineOperand::Kind::constant: return concat("k[", x.index, "]");
      case RoutineOperand::Kind::none: break;
    }
    return {};
  }

  std::string formula(const RoutineStatement& s) const {
    return dialect_.operation(s.operation, operand(s.a), operand(s.b));
  }

  const Routine& routine_;
  const Dialect& dialect_;
  std::vector<std::vector<RoutineWrite>> writes_;  ///< by statement
  std::vector<bool> inlined_;
  bool constants_ = false;
};

/// The routines, and tables of all calls in order.
std::string tables_and_routines(const RolledFunction& rolled, const Dialect& dialect) {
  std::vector<int> calls, bases, stages, results;
  std::vector<double> constants;
  std::vector<std::array<std::size_t, 2>> size_of(rolled.routines.size());
  for (const RoutineCall& call : rolled.calls) {
    calls.push_back(call.routine);
    calls.insert(calls.end(), call.first_slot.begin(), call.first_slot.end());
    bases.insert(bases.end(), call.bases.begin(), call.bases.end());
    constants.insert(constants.end(), call.constants.begin(), call.constants.end());
    size_of[at(call.routine)] = {call.bases.size(), call.constants.size()};
  }
  if (constants.empty()) constants.push_back(0);
  std::vector<int> sizes;
  for (const auto& size : size_of) sizes.insert(sizes.end(), size.begin(), size.end());
  for (const RolledStage& stage : rolled.stages) {
    stages.push_back(stage.calls);
    for (const std::vector<RolledResult>& array : stage.results) {
      stages.push_back(static_cast<int>(array.size()));
      for (const auto& [entry, slot] : array) results.insert(results.end(), {entry, slot});
    }
  }
  std::string text, names;
  for (std::size_t k = 0; k < rolled.routines.size(); ++k) {
    text += RoutineText(rolled.routines[k], dialect).text(static_cast<int>(k));
    names += concat("  routine_", k, ",\n");
  }
  std::string kept;
  for (int life = 0; life < lifetimes; ++life) kept += concat(", ", dialect.scalar, " *");
  kept += concat(", ", dialect.scalar, " *const *");
  return concat(
      text, "\nstatic void (*const routines[])(const int *, const ", dialect.real, " *, const ", dialect.scalar, " *",
      kept, ") = {\n", names, "};\n/* Of each routine: how many slots and results it names, how many constants. */\n",
      array_text("int", "sizes", sizes), "/* Of each call in turn: the routine, where its values go. */\n",
      array_text("int", "calls", calls), "/* The slots and results that calls name; their constants. */\n",
      array_text("int", "bases", bases), "static const ", dialect.real, " constants[] = {\n", numbers_text(constants),
      "};\n/* So many calls, then so many results of each array: the place in the array, the slot. */\n",
      array_text("int", "stages", stages), array_text("int", "results", results));
}

/// The storage class of a workspace.
std::string storage_of(const Dialect& dialect, Workspace workspace, int slots) {
  if (workspace == Workspace::as_compiled) return "ARTICULA_WORKSPACE ";
  constexpr int most_bytes_of_a_stack = 256 << 10;
  return slots > most_bytes_of_a_stack / (has_packs(dialect) ? 64 : 8) ? "static __thread " : "";
}

}  // namespace

FunctionText loops_text(const RolledFunction& rolled, const Dialect& dialect, Workspace workspace,
                        const std::string& sines) {
  const Schedule& schedule = rolled.schedule;
  const RecordedFunction& function = *schedule.function;
  const bool packs = has_packs(dialect);
  const std::string storage = storage_of(dialect, workspace, rolled.slots);
  std::string outputs;
  for (const FunctionArray& array : function.outputs) outputs += concat(outputs.empty() ? "" : ", ", array.name);
  FunctionText text;
  text.before = concat("/* ", schedule.operations, " operations: ", rolled.calls.size(), " calls of ",
                       rolled.routines.size(), " routines. */\n", tables_and_routines(rolled, dialect));
  std::string& body = text.body;
  body = concat("  enum { STAGES = ", rolled.stages.size(), ", SLOTS = ", rolled.slots, " };\n  ", storage,
                dialect.scalar, " workspace[SLOTS];\n  ", dialect.scalar,
                " *volatile found_once = workspace; /* of a thread's own, a call finds it */\n  ", dialect.scalar,
                " *const w = found_once;\n  ", dialect.scalar, " *const y[] = {", outputs,
                "};\n  const int *stage = stages, *call = calls, *r = bases, *found = results;\n  const ", dialect.real,
                " *k = constants;\n  int i, n;\n");
  int slot = 0;
  for (const FunctionArray& array : function.inputs) {
    if (array.size() > 0)
      body += concat("  for (i = 0; i < ", array.size(), "; ++i) w[", slot, " + i] = ", array.name, "[i];\n");
    slot += array.size();
  }
  if (!schedule.angles.empty()) {
    std::vector<int> angles = rolled.angles;
    const int padded = padded_angles(schedule);
    angles.resize(at(padded), angles.front());
    text.before += array_text("int", "angle_slots", angles);
    body += concat("  {\n    ", storage, dialect.scalar, " angles[", padded, "];\n    ", dialect.scalar,
                   " *const sines = w + ", rolled.first_sine, ", *const cosines = w + ", rolled.first_cosine,
                   ";\n    for (i = 0; i < ", padded, "; ++i) angles[i] = w[angle_slots[i]];\n    ", sines, "\n  }\n");
  }
  if (packs && !rolled.constants.empty()) body += "  const pack zero = {0};\n";
  for (std::size_t c = 0; c < rolled.constants.size(); ++c) {
    body += concat("  w[", rolled.first_constant + static_cast<int>(c), "] = ", packs ? "zero + " : "", "(",
                   dialect.real, ")", literal(rolled.constants[c]), ";\n");
  }
  std::string kept;
  for (int life = 0; life < lifetimes; ++life) kept += concat(", w + call[", 1 + life, "]");
  kept += ", y";
  body += concat("  for (i = 0; i < STAGES; ++i) {\n    for (n = *stage++; n > 0; --n, call += ", 1 + lifetimes,
                 ") {\n      const int *const size = sizes + 2 * call[0];\n      routines[call[0]](r, k, w", kept,
                 ");\n      r += size[0];\n      k += size[1];\n    }\n");
  for (const FunctionArray& array : function.outputs)
    body += concat("    for (n = *stage++; n > 0; --n, found += 2) ", array.name, "[found[0]] = w[found[1]];\n");
  body += "  }\n";
  if (workspace == Workspace::as_compiled) {
    text.before = concat(
        "/* Values go through a workspace. A static one is for all threads, of which one may compute at a time; "
        "defined as\n"
        "   empty, the macro puts it on the stack. */\n"
        "#ifndef ARTICULA_WORKSPACE\n#define ARTICULA_WORKSPACE static\n#endif\n\n",
        text.before);
  }
  return text;
}

}  // namespace articula::generate
