#pragma once

#include <optional>

#include <articula/integrate/integrator.h>
#include <articula/model/field.h>
#include <articula/simulate/phased_simulation.h>
#include <articula/study/tasks/task.h>

namespace articula::study {

/// Integrates the motion of the model with everything that drives it: see Simulation.
struct SimulateTask {
  static constexpr std::string_view name = "simulate";
  static constexpr std::string_view about = "integrates the motion of the model with all its drives, blocks and forces";
  static constexpr std::array<std::string_view, 1> required{"until"};

  double begin = 0, until = 0;
  Method integrator = Method::automatic;
  double tolerance = 1e-6;
  std::optional<double> absolute_tolerance;
  double step = 0;
  std::optional<double> max_step;
  bool jacobian = true;
  double output_every = 0.01;
  double checkpoint_every = 1;
  bool passive = true;
  std::vector<std::string> blocks;
  std::vector<std::string> prescribe;
  std::vector<std::string> ignore;
  double friction_speed = 0;
  LimitPolicy on_limit = LimitPolicy::warn;
  int most_steps = 1'000'000;
  std::vector<std::string> signals;
  std::vector<PortRef> frames;
  std::vector<StructureChange> changes;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& field) {
    field("begin", self.begin, dimension::time, "start time");
    field("until", self.until, dimension::time, "end time", "required");
    field("integrator", self.integrator, dimension::none,
          "integrator; `auto`: `rk45`, and `bdf` while the motion is stiff");
    field("tolerance", self.tolerance, dimension::none, "relative tolerance of the error of a step");
    field("absolute_tolerance", self.absolute_tolerance, dimension::none, "absolute tolerance of the error of a step",
          "as `tolerance`");
    field("step", self.step, dimension::time, "step of fixed-step integrators, initial step of the others",
          "automatic");
    field("max_step", self.max_step, dimension::time, "largest step", "no limit");
    field("jacobian", self.jacobian, dimension::none, "whether implicit integrators use the analytic Jacobian");
    field("output_every", self.output_every, dimension::time, "time between rows; 0: after every step");
    field("checkpoint_every", self.checkpoint_every, dimension::time,
          "time between checkpoints, from which a killed run can be resumed; 0: none, which takes the fewest steps");
    driven_fields(self, field);
    field("on_limit", self.on_limit, dimension::none, "action when a joint exceeds a limit of the model");
    field("most_steps", self.most_steps, dimension::none,
          "maximum number of steps in each thousandth of the run's time, including rejected steps and 100 for each "
          "event; a run that needs more makes no progress and ends as failed, its rows are kept");
    field("signals", self.signals, dimension::none, "stored signals", "all");
    field("frames", self.frames, dimension::none, "frames whose poses become signals, e.g. `fore` or `fore.tool`",
          "none");
    field("changes", self.changes, dimension::none,
          "joints that open and close during the run, in the order of time, see below", "none");
  }

  ARTICULA_EXPORT TaskPlan plan(const Setup& setup) const;
  ARTICULA_EXPORT TaskOutcome run(const TaskContext& context) const;
};

/// The statistics of an integration, by their names in studies and reports.
ARTICULA_EXPORT std::vector<Count> figures_of(const IntegratorCounts& counts);

}  // namespace articula::study
