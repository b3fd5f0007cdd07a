#include <articula/study/tasks/task_kinds.h>

#include <articula/base/findings.h>
#include <articula/base/text.h>

namespace articula::study {

Setup setup_of(const NamedTask& task, Setup setup) {
  Findings findings;
  for (const Override& one : task.overrides) {
    try {
      apply_override(one, setup);
    } catch (const Error& error) {
      add_findings(findings, error.errors());
    }
  }
  throw_if_errors(findings);
  // A position of rest is one of q and v together.
  if (!task.start.q.empty() && setup.start.v.text == "equilibrium") setup.start.v = {};
  if (!task.start.q.empty()) setup.start.q = task.start.q;
  if (!task.start.v.empty()) setup.start.v = task.start.v;
  setup.model.prepare();
  return setup;
}

namespace {

/// Findings that know no place in the text are about the task.
void place(const NamedTask& task, Findings& findings) {
  for (Finding& finding : findings) {
    if (!finding.where.file.empty()) continue;
    finding.where = task.where;
    finding.message = concat("task ", quoted(task.name), ": ", finding.message);
  }
}

template <class Do>
auto with_place(const NamedTask& task, Do&& act) {
  try {
    return act();
  } catch (const Error& error) {
    Findings findings = error.errors();
    place(task, findings);
    throw Error(findings);
  }
}

}  // namespace

TaskPlan plan_task(const NamedTask& task, const Setup& setup) {
  TaskPlan plan =
      with_place(task, [&] { return std::visit([&](const auto& kind) { return kind.plan(setup); }, task.kind); });
  place(task, plan.warnings);
  return plan;
}

TaskOutcome run_task(const NamedTask& task, const TaskContext& context) {
  return with_place(task, [&] { return std::visit([&](const auto& kind) { return kind.run(context); }, task.kind); });
}

}  // namespace articula::study
