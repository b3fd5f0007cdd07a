#pragma once

#include <optional>

#include <articula/integrate/integrator.h>
#include <articula/model/field.h>
#include <articula/simulate/phased_simulation.h>
#include <articula/study/tasks/task.h>

namespace articula {

template <>
struct EnumNames<LimitPolicy> {
  static constexpr std::array<std::string_view, 3> names{"warn", "stop", "ignore"};
};

template <>
struct EnumNames<Method> {
  static constexpr const auto& names = method_names;
};

/// Integrates the motion of the model with all that drives it: see Simulation.
struct SimulateTask {
  static constexpr std::string_view name = "simulate";
  static constexpr std::array<std::string_view, 1> required{"until"};

  double begin = 0, until = 0;
  Method integrator = Method::automatic;
  double tolerance = 1e-6;                   ///< relative and absolute
  std::optional<double> absolute_tolerance;  ///< where that is another
  double step = 0;                           ///< of fixed-step integrators; of others the first one
  std::optional<double> max_step;
  bool jacobian = true;                ///< the analytic one; else by differences
  double output_every = 0.01;          ///< 0: after every step
  double checkpoint_every = 1;         ///< 0: nowhere; a run that was killed then begins anew
  bool passive = true;                 ///< springs, dampers, friction and rotors of the model act
  std::vector<std::string> blocks;     ///< that act; all if there are none
  std::vector<std::string> prescribe;  ///< trajectories whose joints move exactly as they say
  std::vector<std::string> ignore;     ///< what is not computed and knowingly left out: contacts
  double friction_speed = 0;           ///< over which joint friction is smoothed; 0: joints stick
  LimitPolicy on_limit = LimitPolicy::warn;
  int most_steps = 1'000'000;            ///< in a thousandth of the time; more are no progress
  std::vector<std::string> signals;      ///< that are stored; all if there are none
  std::vector<PortRef> frames;           ///< whose poses become signals
  std::vector<StructureChange> changes;  ///< joints that open and close

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& field) {
    field("begin", self.begin, dimension::time);
    field("until", self.until, dimension::time);
    field("integrator", self.integrator, dimension::none);
    field("tolerance", self.tolerance, dimension::none);
    field("absolute_tolerance", self.absolute_tolerance, dimension::none);
    field("step", self.step, dimension::time);
    field("max_step", self.max_step, dimension::time);
    field("jacobian", self.jacobian, dimension::none);
    field("output_every", self.output_every, dimension::time);
    field("checkpoint_every", self.checkpoint_every, dimension::time);
    field("passive", self.passive, dimension::none);
    field("blocks", self.blocks, dimension::none);
    field("prescribe", self.prescribe, dimension::none);
    field("ignore", self.ignore, dimension::none);
    field("friction_speed", self.friction_speed, dimension::none);
    field("on_limit", self.on_limit, dimension::none);
    field("most_steps", self.most_steps, dimension::none);
    field("signals", self.signals, dimension::none);
    field("frames", self.frames, dimension::none);
    field("changes", self.changes, dimension::none);
  }

  ARTICULA_EXPORT TaskPlan plan(const Setup& setup) const;
  ARTICULA_EXPORT TaskOutcome run(const TaskContext& context) const;
};

/// The figures of an integration, by the names that studies and reports use.
ARTICULA_EXPORT std::vector<Count> figures_of(const IntegratorCounts& counts);

}  // namespace articula
