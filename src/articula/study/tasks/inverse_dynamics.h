#pragma once

#include <optional>

#include <articula/model/field.h>
#include <articula/study/tasks/task.h>

namespace articula {

/// The forces and torques that make the model move along a trajectory.
struct InverseDynamicsTask {
  static constexpr std::string_view name = "inverse_dynamics";
  static constexpr std::array<std::string_view, 1> required{"along"};

  std::string along;                   ///< a trajectory
  std::vector<double> times;           ///< at these; or
  double every = 0.01;                 ///< so often
  std::optional<double> begin, until;  ///< those of the trajectory, if not said
  bool passive = false;                ///< springs, dampers, friction and rotors are to be overcome, too
  std::vector<PortRef> cut_forces;     ///< ports, the forces through which become signals
  std::vector<PortRef> frames;         ///< whose poses become signals

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& field) {
    field("along", self.along, dimension::none);
    field("times", self.times, dimension::time);
    field("every", self.every, dimension::time);
    field("begin", self.begin, dimension::time);
    field("until", self.until, dimension::time);
    field("passive", self.passive, dimension::none);
    field("cut_forces", self.cut_forces, dimension::none);
    field("frames", self.frames, dimension::none);
  }

  ARTICULA_EXPORT TaskPlan plan(const Setup& setup) const;
  ARTICULA_EXPORT TaskOutcome run(const TaskContext& context) const;
};

}  // namespace articula
