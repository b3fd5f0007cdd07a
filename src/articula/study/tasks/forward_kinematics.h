#pragma once

#include <optional>

#include <articula/model/field.h>
#include <articula/study/tasks/task.h>

namespace articula::study {

/// Poses and motions of frames: along a trajectory, or at listed positions of the joints.
struct ForwardKinematicsTask {
  static constexpr std::string_view name = "forward_kinematics";
  static constexpr std::string_view about =
      "computes poses and motions of frames; joints that the trajectory does not move rest at their `start` position";

  std::vector<PortRef> frames;
  std::string along;
  Rows at;
  std::vector<double> times;
  double every = 0.01;
  std::optional<double> begin, until;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& field) {
    field("frames", self.frames, dimension::none, "frames to compute", "all bodies");
    field("along", self.along, dimension::none, "trajectory; or", "none");
    field("at", self.at, dimension::none, "positions q, one row for each case, in SI", "none");
    field("times", self.times, dimension::time, "times on the trajectory; or", "none");
    field("every", self.every, dimension::time, "time between rows");
    field("begin", self.begin, dimension::time, "first time", "begin of the trajectory");
    field("until", self.until, dimension::time, "last time", "end of the trajectory");
  }

  ARTICULA_EXPORT TaskPlan plan(const Setup& setup) const;
  ARTICULA_EXPORT TaskOutcome run(const TaskContext& context) const;
};

}  // namespace articula::study
