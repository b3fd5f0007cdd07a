#include <cstdio>
#include <optional>

#include <fmt/core.h>

#include <articula/base/text.h>
#include <articula/store/compare.h>

#include "command.h"
#include "runs.h"

namespace articula::program {
namespace {

struct Options {
  std::string store = Store::default_name, other_store;
  std::string a, b;
  std::optional<double> tolerance;
};

std::string task_text(const TaskDifference& task) {
  if (task.identical) return fmt::format("{}: bit-identical, {} rows\n", plain(task.name), task.rows_a);
  std::string text = fmt::format("{}: {}, {} and {} rows, {} times in common\n", plain(task.name),
                                 task.differs ? "they differ" : "equal", task.rows_a, task.rows_b, task.common);
  for (const std::string& remark : task.remarks) text += fmt::format("  {}\n", remark);
  if (!task.only_in_a.empty()) text += fmt::format("  only in the first: {}\n", list_of(task.only_in_a));
  if (!task.only_in_b.empty()) text += fmt::format("  only in the second: {}\n", list_of(task.only_in_b));
  for (const SignalDifference& s : task.signals) {
    if (s.largest == 0) continue;
    text += fmt::format("  {}{}: largest difference {} at {}: {} and {}{}\n", plain(s.name),
                        s.unit.empty() ? "" : " [" + plain(s.unit) + "]", number_text(s.largest), number_text(s.at),
                        number_text(s.a), number_text(s.b), s.differs ? "" : ", within the tolerance");
  }
  return text;
}

int run(const Options& options) {
  const Store first(options.store);
  const Store second(options.other_store.empty() ? options.store : options.other_store);
  const StoredRun a = first.run(options.a), b = second.run(options.b);
  const RunDifference found = compare_runs(first, a, second, b, options.tolerance);
  tell(found.damage);
  std::string text;
  for (const TaskDifference& task : found.tasks) text += task_text(task);
  for (const std::string& name : found.only_in_a) text += fmt::format("{}: only in the first\n", plain(name));
  for (const std::string& name : found.only_in_b) text += fmt::format("{}: only in the second\n", plain(name));
  text += fmt::format("runs {} and {} {}\n", a.id, b.id,
                      found.differs()     ? "differ"
                      : found.identical() ? "are bit-identical"
                                          : "are equal within the tolerance");
  put(text, Then::end);
  return found.differs() ? negative_finding : done;
}

}  // namespace

void add_runs_compare(const Command& runs, int& code) {
  auto options = std::make_shared<Options>();
  const Command command = runs.add("compare", "Compare two runs signal by signal; exit code 1 if they differ");
  command.text("A", options->a, "A run: its id, the beginning of its id, or latest").required();
  command.text("B", options->b, "Another one").required();
  add_store_option(command, options->store);
  command.text("--other-store", options->other_store, "The file that holds B, where it is another one")
      .shown_as("FILE");
  command.number("--tolerance", options->tolerance, {0, 1e300}, "Differences of values up to this are none (0)")
      .shown_as("NUMBER");
  command.runs([options, &code] { code = run(*options); });
}

}  // namespace articula::program
