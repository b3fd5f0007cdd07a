#include <articula/study/tasks/equilibrium.h>

#include <fmt/format.h>

#include <articula/simulate/equilibrium.h>
#include <articula/study/internal/driven.h>
#include <articula/study/internal/system_options.h>

namespace articula::study {

namespace {

/// Positions, and the forces that springs, dampers and actuators of the model carry.
std::string table_of(const System& system, std::span<const double> values) {
  std::string text;
  for (std::size_t k = 0; k < system.signals().size(); ++k) {
    const Signal& signal = system.signals()[k];
    if (!signal.name.starts_with("q.") && !signal.name.starts_with("element.")) continue;
    text += fmt::format("  {:<32} {:>14.6g} {}\n", signal.name, values[k], signal.unit == "1" ? "" : signal.unit);
  }
  return text;
}

/// All that the position is computed with.
struct Ready {
  Driven driven;
  StartState start;
};

Ready make_ready(const EquilibriumTask& task, const Setup& setup) {
  SystemOptions acting = system_options(task);
  acting.exterior.frames = task.frames;
  Ready ready{make_driven(setup, acting, task.blocks), {}};
  check_equilibrium_size(*ready.driven.system);
  // `start: equilibrium` is what this task finds; it looks near the model's own start.
  const StartText near = setup.start.q.text == "equilibrium" ? StartText{} : setup.start;
  ready.start = start_state(near, ready.driven.variables, ready.driven.trajectories, task.at);
  return ready;
}

std::vector<Signal> columns_of(const System& system) {
  std::vector<Signal> columns{{"t", "s"}};
  columns.insert(columns.end(), system.signals().begin(), system.signals().end());
  return columns;
}

std::vector<Count> figures_of(const Equilibrium& found) {
  return {{"steps", static_cast<double>(found.steps)}, {"residual", found.residual}};
}

}  // namespace

TaskPlan EquilibriumTask::plan(const Setup& setup) const {
  const Ready ready = make_ready(*this, setup);
  return {.columns = columns_of(*ready.driven.system),
          .counts = names_of(figures_of({})),
          .warnings = ready.driven.system->findings()};
}

TaskOutcome EquilibriumTask::run(const TaskContext& context) const {
  const Ready ready = make_ready(*this, context.setup);
  System& system = *ready.driven.system;
  const Equilibrium found = find_equilibrium(system, ready.start, {.tolerance = tolerance});

  const std::vector<Signal> columns = columns_of(system);
  context.sink.columns(columns);
  std::vector<double> row(columns.size());
  row[0] = at;
  system.signal_values(at, found.y, std::span(row).subspan(1));
  context.sink.row(row);

  TaskOutcome outcome{.status = found.found ? RunStatus::done : RunStatus::failed, .message = found.what};
  outcome.counts = figures_of(found);
  outcome.text = table_of(system, std::span<const double>(row).subspan(1));
  return outcome;
}

}  // namespace articula::study
