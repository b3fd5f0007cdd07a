#pragma once

#include <optional>

#include <articula/model/field.h>
#include <articula/study/tasks/task.h>

namespace articula {

/// Where frames are and how they move: along a trajectory, or at listed positions of the joints.
struct ForwardKinematicsTask {
  static constexpr std::string_view name = "forward_kinematics";

  std::vector<PortRef> frames;  ///< the own frames of all bodies, if there are none
  std::string along;            ///< a trajectory; or
  Rows at;                      ///< positions q, one row for each, in SI
  std::vector<double> times;
  double every = 0.01;
  std::optional<double> begin, until;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& field) {
    field("frames", self.frames, dimension::none);
    field("along", self.along, dimension::none);
    field("at", self.at, dimension::none);
    field("times", self.times, dimension::time);
    field("every", self.every, dimension::time);
    field("begin", self.begin, dimension::time);
    field("until", self.until, dimension::time);
  }

  ARTICULA_EXPORT TaskPlan plan(const Setup& setup) const;
  ARTICULA_EXPORT TaskOutcome run(const TaskContext& context) const;
};

}  // namespace articula
