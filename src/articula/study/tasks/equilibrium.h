#pragma once

#include <array>

#include <articula/model/field.h>
#include <articula/study/tasks/task.h>

namespace articula {

/// The position near the start in which the model is at rest, with all forces there: statics. See find_equilibrium.
struct EquilibriumTask {
  static constexpr std::string_view name = "equilibrium";

  double at = 0;  ///< the time at which trajectories and blocks are taken
  double tolerance = 1e-10;
  bool passive = true;
  std::vector<std::string> blocks, prescribe, ignore;  ///< as of SimulateTask
  double friction_speed = 0;
  std::vector<PortRef> frames;  ///< whose poses become signals

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& field) {
    field("at", self.at, dimension::time);
    field("tolerance", self.tolerance, dimension::none);
    field("passive", self.passive, dimension::none);
    field("blocks", self.blocks, dimension::none);
    field("prescribe", self.prescribe, dimension::none);
    field("ignore", self.ignore, dimension::none);
    field("friction_speed", self.friction_speed, dimension::none);
    field("frames", self.frames, dimension::none);
  }

  ARTICULA_EXPORT TaskPlan plan(const Setup& setup) const;
  ARTICULA_EXPORT TaskOutcome run(const TaskContext& context) const;
};

}  // namespace articula
