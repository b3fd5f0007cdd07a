#include <articula/study/tasks/equilibrium.h>

#include <fmt/format.h>

#include <articula/simulate/equilibrium.h>
#include <articula/study/internal/system_options.h>
#include <articula/study/internal/variables.h>

namespace articula {

/// Positions, and the forces that springs, dampers and actuators of the model carry.
static std::string table_of(const System& system, std::span<const double> values) {
  std::string text;
  for (std::size_t k = 0; k < system.signals().size(); ++k) {
    const Signal& signal = system.signals()[k];
    if (!signal.name.starts_with("q.") && !signal.name.starts_with("element.")) continue;
    text += fmt::format("  {:<32} {:>14.6g} {}\n", signal.name, values[k], signal.unit == "1" ? "" : signal.unit);
  }
  return text;
}

TaskOutcome EquilibriumTask::run(const TaskContext& context) const {
  const Setup& setup = context.setup;
  const std::vector<NamedTrajectory> trajectories = make_trajectories(setup);
  SystemOptions of_system = system_options(*this);
  of_system.exterior.frames = frames;
  System system(setup.model, trajectories, blocks_of(setup, of_system, blocks), of_system);
  tell_all(context, system.findings());
  const StartState start = start_state(setup.start, variables_of(setup.model), trajectories, at);
  const Equilibrium found = find_equilibrium(system, start, {.tolerance = tolerance});

  std::vector<Signal> columns{{"t", "s"}};
  columns.insert(columns.end(), system.signals().begin(), system.signals().end());
  context.sink.columns(columns);
  std::vector<double> row(columns.size());
  row[0] = at;
  system.signal_values(at, found.y, std::span(row).subspan(1));
  context.sink.row(row);

  TaskOutcome outcome{.status = found.found ? RunStatus::done : RunStatus::failed, .message = found.what};
  outcome.counts = {{"steps", static_cast<double>(found.steps)}, {"residual", found.residual}};
  outcome.text = table_of(system, std::span<const double>(row).subspan(1));
  return outcome;
}

}  // namespace articula
