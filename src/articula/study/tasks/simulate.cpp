#include <articula/study/tasks/simulate.h>

#include <articula/study/internal/system_options.h>
#include <articula/study/internal/variables.h>

namespace articula {

std::vector<Count> figures_of(const IntegratorCounts& counts) {
  const auto figure = [](const char* name, long value) { return Count{name, static_cast<double>(value)}; };
  return {figure("steps", counts.steps),         figure("rejected", counts.rejected),
          figure("rates", counts.rates),         figure("rates_for_jacobians", counts.rates_for_jacobians),
          figure("jacobians", counts.jacobians), figure("factorizations", counts.factorizations),
          figure("restarts", counts.restarts)};
}

static RunStatus status_of(RunEnd end) {
  switch (end) {
    case RunEnd::done:
    case RunEnd::event: return RunStatus::done;
    case RunEnd::cancelled: return RunStatus::interrupted;
    case RunEnd::stalled:
    case RunEnd::no_value:
    case RunEnd::diverged: break;
  }
  return RunStatus::failed;
}

TaskOutcome SimulateTask::run(const TaskContext& context) const {
  const Setup& setup = context.setup;
  const std::vector<NamedTrajectory> trajectories = make_trajectories(setup);
  SystemOptions of_system = system_options(*this);
  of_system.exterior.frames = frames;

  SimulationOptions options;
  options.integrator = {.method = integrator,
                        .relative = tolerance,
                        .absolute = absolute_tolerance.value_or(tolerance),
                        .step = step,
                        .use_jacobian = jacobian};
  if (max_step) options.integrator.max_step = *max_step;
  options.begin = begin;
  options.until = until;
  options.output_every = output_every;
  options.checkpoint_every = checkpoint_every;
  options.signals = signals;
  options.on_limit = on_limit;
  options.cancel = context.cancel;
  double first = begin;
  bool told = false;
  options.progress = [&](const Progress& now) {
    if (!told && !context.checkpoint.empty()) first = now.t;
    told = true;
    if (context.progress) context.progress(now.fraction());
  };

  const auto go = [&](System& system, auto& simulation) {
    if (!context.checkpoint.empty()) return simulation.resume(context.checkpoint, context.sink);
    const std::vector<double> y = start_of(system, setup, trajectories, begin);
    tell_all(context, system.findings());
    return simulation.run(y, context.sink);
  };
  Outcome end;
  if (changes.empty()) {
    System system(setup.model, trajectories, blocks_of(setup, of_system, blocks), of_system);
    Simulation simulation(system, options);
    end = go(system, simulation);
  } else {
    PhasedSimulation phased(setup.model, trajectories, block_specs_of(setup, blocks), of_system, changes, options);
    end = go(phased.first(), phased);
    tell_all(context, phased.findings());
  }
  tell_all(context, end.findings);
  TaskOutcome outcome{.status = status_of(end.end), .message = end.what, .counts = figures_of(end.counts)};
  outcome.counts.push_back({"events", static_cast<double>(end.events)});
  outcome.simulated = end.t - first;
  outcome.seconds = end.seconds;
  return outcome;
}

}  // namespace articula
