#pragma once

#include <array>

#include <articula/model/field.h>
#include <articula/study/tasks/task.h>

namespace articula::study {

/// The static equilibrium near the start, with all forces there. See find_equilibrium.
struct EquilibriumTask {
  static constexpr std::string_view name = "equilibrium";
  static constexpr std::string_view about =
      "computes the static equilibrium near the start: the position in which the model is at rest under gravity, "
      "springs, blocks and external forces";

  double at = 0;
  double tolerance = 1e-10;
  bool passive = true;
  std::vector<std::string> blocks, prescribe, ignore;
  double friction_speed = 0;
  std::vector<PortRef> frames;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& field) {
    field("at", self.at, dimension::time, "time at which trajectories and blocks are evaluated");
    field("tolerance", self.tolerance, dimension::none, "tolerance of the remaining accelerations, in SI");
    driven_fields(self, field);
    field("frames", self.frames, dimension::none, "frames whose poses become signals, e.g. `fore` or `fore.tool`",
          "none");
  }

  ARTICULA_EXPORT TaskPlan plan(const Setup& setup) const;
  ARTICULA_EXPORT TaskOutcome run(const TaskContext& context) const;
};

}  // namespace articula::study
