#include <articula/study/tasks/task_kinds.h>

#include <articula/base/text.h>

namespace articula {

Setup setup_of(const NamedTask& task, Setup setup) {
  Findings findings;
  for (const Override& one : task.overrides) {
    try {
      apply_override(one, setup);
    } catch (const Error& error) {
      findings.insert(findings.end(), error.errors().begin(), error.errors().end());
    }
  }
  throw_if_errors(findings);
  if (!task.start.q.empty()) setup.start.q = task.start.q;
  if (!task.start.v.empty()) setup.start.v = task.start.v;
  return setup;
}

TaskOutcome run_task(const NamedTask& task, const TaskContext& context) {
  try {
    return std::visit([&](const auto& kind) { return kind.run(context); }, task.kind);
  } catch (const Error& error) {
    // Most know no place in the text: it is the task's.
    Findings findings = error.errors();
    for (Finding& finding : findings) {
      if (!finding.where.file.empty()) continue;
      finding.where = task.where;
      finding.message = concat("task ", quoted(task.name), ": ", finding.message);
    }
    throw Error(findings);
  }
}

}  // namespace articula
