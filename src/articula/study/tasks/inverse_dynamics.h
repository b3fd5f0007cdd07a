#pragma once

#include <optional>

#include <articula/model/field.h>
#include <articula/study/tasks/task.h>

namespace articula::study {

/// The forces and torques that a motion along a trajectory requires.
struct InverseDynamicsTask {
  static constexpr std::string_view name = "inverse_dynamics";
  static constexpr std::string_view about =
      "computes forces and torques along a trajectory; joints that it does not move rest at their `start` position";
  static constexpr std::array<std::string_view, 1> required{"along"};

  std::string along;
  std::vector<double> times;
  double every = 0.01;
  std::optional<double> begin, until;
  bool passive = false;
  std::vector<PortRef> cut_forces;
  std::vector<PortRef> frames;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& field) {
    field("along", self.along, dimension::none, "trajectory", "required");
    field("times", self.times, dimension::time, "times to compute at; or", "none");
    field("every", self.every, dimension::time, "time between rows");
    field("begin", self.begin, dimension::time, "first time", "begin of the trajectory");
    field("until", self.until, dimension::time, "last time", "end of the trajectory");
    field("passive", self.passive, dimension::none,
          "whether the torques include those needed for springs, dampers, friction and rotors");
    field("cut_forces", self.cut_forces, dimension::none, "ports whose cut forces become signals", "none");
    field("frames", self.frames, dimension::none, "frames whose poses become signals, e.g. `fore` or `fore.tool`",
          "none");
  }

  ARTICULA_EXPORT TaskPlan plan(const Setup& setup) const;
  ARTICULA_EXPORT TaskOutcome run(const TaskContext& context) const;
};

}  // namespace articula::study
