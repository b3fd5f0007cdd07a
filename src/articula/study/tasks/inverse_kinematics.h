#pragma once

#include <optional>

#include <articula/model/field.h>
#include <articula/study/tasks/task.h>

namespace articula::study {

/// The part of a pose that inverse kinematics must reach.
enum class Reaches { pose, position, orientation };
constexpr std::array<std::string_view, 3> enum_names(Reaches) { return {"pose", "position", "orientation"}; }

enum class WhichSolutions {
  nearest,  ///< the one nearest to the last, and at first to the start
  all,
};
constexpr std::array<std::string_view, 2> enum_names(WhichSolutions) { return {"nearest", "all"}; }

/// Joint positions for which a frame has given poses: listed, or on a line between two. One row for each solution; a
/// target out of reach has the nearest configuration, and `found` is 0.
struct InverseKinematicsTask {
  static constexpr std::string_view name = "inverse_kinematics";
  static constexpr std::string_view about = "computes the joint positions for which a frame reaches given poses";
  static constexpr std::array<std::string_view, 1> required{"frame"};

  PortRef frame;
  std::vector<Pose<double>> targets;
  std::optional<Pose<double>> from, to;
  int count = 11;
  Reaches reaches = Reaches::pose;
  WhichSolutions solutions = WhichSolutions::nearest;
  bool limits = true;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& field) {
    field("frame", self.frame, dimension::none, "frame", "required");
    field("targets", self.targets, dimension::none, "placements, e.g. `{xyz: [0.5, 0, 1], rpy: [0, 90 deg, 0]}`; or",
          "none");
    field("from", self.from, dimension::none, "start of a line of poses", "none");
    field("to", self.to, dimension::none, "end of the line", "none");
    field("count", self.count, dimension::none, "number of poses on the line");
    field("reaches", self.reaches, dimension::none, "part of the pose that is reached");
    field("solutions", self.solutions, dimension::none, "the solution nearest to the previous one, or all");
    field("limits", self.limits, dimension::none, "whether joints must respect their limits");
  }

  ARTICULA_EXPORT TaskPlan plan(const Setup& setup) const;
  ARTICULA_EXPORT TaskOutcome run(const TaskContext& context) const;
};

}  // namespace articula::study
