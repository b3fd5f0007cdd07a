#pragma once

#include <optional>

#include <articula/model/field.h>
#include <articula/study/tasks/task.h>

namespace articula {

/// What of a pose inverse kinematics is to reach.
enum class Reaches { pose, position, orientation };
template <>
struct EnumNames<Reaches> {
  static constexpr std::array<std::string_view, 3> names{"pose", "position", "orientation"};
};

enum class WhichSolutions {
  nearest,  ///< the one nearest to the last, and at first to the start
  all,
};
template <>
struct EnumNames<WhichSolutions> {
  static constexpr std::array<std::string_view, 2> names{"nearest", "all"};
};

/// The positions of joints in which a frame is where it is told: at listed poses, or on a line between two. One row for
/// each solution; a target that cannot be reached has the nearest configuration, and `found` is 0.
struct InverseKinematicsTask {
  static constexpr std::string_view name = "inverse_kinematics";
  static constexpr std::array<std::string_view, 1> required{"frame"};

  PortRef frame;
  std::vector<Pose<double>> targets;     ///< listed; or
  std::optional<Pose<double>> from, to;  ///< a line: straight, and turning about one axis
  int count = 11;                        ///< poses on it
  Reaches reaches = Reaches::pose;
  WhichSolutions solutions = WhichSolutions::nearest;
  bool limits = true;  ///< joints stay within theirs

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& field) {
    field("frame", self.frame, dimension::none);
    field("targets", self.targets, dimension::none);
    field("from", self.from, dimension::none);
    field("to", self.to, dimension::none);
    field("count", self.count, dimension::none);
    field("reaches", self.reaches, dimension::none);
    field("solutions", self.solutions, dimension::none);
    field("limits", self.limits, dimension::none);
  }

  ARTICULA_EXPORT TaskPlan plan(const Setup& setup) const;
  ARTICULA_EXPORT TaskOutcome run(const TaskContext& context) const;
};

}  // namespace articula
