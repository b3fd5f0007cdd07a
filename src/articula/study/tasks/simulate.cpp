#include <articula/study/tasks/simulate.h>

#include <articula/study/internal/attempts.h>
#include <articula/study/internal/driven.h>
#include <articula/study/internal/system_options.h>

namespace articula::study {

std::vector<Count> figures_of(const IntegratorCounts& counts) {
  const auto figure = [](const char* name, long value) { return Count{name, static_cast<double>(value)}; };
  return {figure("steps", counts.steps),         figure("rejected", counts.rejected),
          figure("rates", counts.rates),         figure("rates_for_jacobians", counts.rates_for_jacobians),
          figure("jacobians", counts.jacobians), figure("factorizations", counts.factorizations),
          figure("restarts", counts.restarts),   figure("switches", counts.switches)};
}

namespace {

RunStatus status_of(RunEnd end) {
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

std::vector<Count> figures_of(const Outcome& end) {
  std::vector<Count> figures = study::figures_of(end.counts);
  figures.push_back({"events", static_cast<double>(end.events)});
  return figures;
}

SimulationOptions options_of(const SimulateTask& task) {
  SimulationOptions options;
  options.integrator = {.method = task.integrator,
                        .relative = task.tolerance,
                        .absolute = task.absolute_tolerance.value_or(task.tolerance),
                        .step = task.step,
                        .use_jacobian = task.jacobian};
  if (task.max_step) options.integrator.max_step = *task.max_step;
  options.begin = task.begin;
  options.until = task.until;
  options.output_every = task.output_every;
  options.checkpoint_every = task.checkpoint_every;
  options.signals = task.signals;
  options.on_limit = task.on_limit;
  options.most_steps = task.most_steps;
  return options;
}

/// A simulation that only has to be run: one for all the time, or, where joints open and close, one by phases.
struct Ready {
  Driven driven;
  std::unique_ptr<Simulation> simulation;
  std::unique_ptr<PhasedSimulation> phased;
  std::vector<double> y;  ///< where it starts

  std::span<const Signal> columns() const { return phased ? phased->columns() : simulation->columns(); }
  Outcome run(const TaskContext& context) const {
    if (phased) return run(*phased, context);
    return run(*simulation, context);
  }

 private:
  template <class Simulates>
  Outcome run(Simulates& it, const TaskContext& context) const {
    return context.checkpoint.empty() ? it.run(y, context.sink) : it.resume(context.checkpoint, context.sink);
  }
};

Ready make_ready(const SimulateTask& task, const Setup& setup, const SimulationOptions& options) {
  SystemOptions acting = system_options(task);
  acting.exterior.frames = task.frames;
  Ready ready;
  Attempts attempts;
  if (task.changes.empty()) {
    ready.driven = make_driven(setup, acting, task.blocks);
    attempts([&] { ready.simulation = std::make_unique<Simulation>(*ready.driven.system, options); });
    attempts([&] { ready.y = ready.driven.start(setup.start, task.begin); });
  } else {
    acting.mechanism = setup.model.mechanism(acting.passive);
    const BlockSite site = site_of(setup, acting);
    const Variables variables = variables_of(*site.mechanism());
    const std::vector<NamedTrajectory> trajectories = make_trajectories(setup, site);
    ready.phased = std::make_unique<PhasedSimulation>(*setup.model, trajectories, block_specs_of(setup, task.blocks),
                                                      acting, task.changes, options);
    attempts([&] { ready.y = start_of(ready.phased->first(), setup.start, variables, trajectories, task.begin); });
  }
  attempts.finish();
  return ready;
}

}  // namespace

TaskPlan SimulateTask::plan(const Setup& setup) const {
  const Ready ready = make_ready(*this, setup, options_of(*this));
  const std::span<const Signal> columns = ready.columns();
  return {.columns = {columns.begin(), columns.end()},
          .counts = names_of(figures_of(Outcome{})),
          .warnings = ready.phased ? ready.phased->first().findings() : ready.driven.system->findings(),
          .has_real_time_factor = true};
}

TaskOutcome SimulateTask::run(const TaskContext& context) const {
  SimulationOptions options = options_of(*this);
  options.cancel = context.cancel;
  double first = begin;
  bool told = false;
  options.progress = [&](const Progress& now) {
    if (!told && !context.checkpoint.empty()) first = now.t;
    told = true;
    if (context.progress) context.progress(now.fraction());
  };
  const Ready ready = make_ready(*this, context.setup, options);
  const Outcome end = ready.run(context);
  if (ready.phased) tell_all(context, ready.phased->findings());
  tell_all(context, end.findings);
  return {.status = status_of(end.end), .message = end.what, .counts = figures_of(end), .simulated = end.t - first};
}

}  // namespace articula::study
