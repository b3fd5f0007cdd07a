#pragma once

#include <optional>

#include <articula/model/field.h>
#include <articula/study/tasks/task.h>

namespace articula::study {

/// The torques of motors that drive joints through springs along a trajectory.
struct ElasticInverseDynamicsTask {
  static constexpr std::string_view name = "elastic_inverse_dynamics";
  static constexpr std::string_view about =
      "computes torques and angles of motors behind springs along a trajectory; joints that it does not move rest at "
      "their "
      "`start` position";
  static constexpr std::array<std::string_view, 1> required{"along"};

  std::string along;
  std::vector<double> times;
  double every = 0.01;
  std::optional<double> begin, until;
  Drives drives = Drives::elastic;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& field) {
    field("along", self.along, dimension::none, "trajectory, as smooth as the drives need", "required");
    field("times", self.times, dimension::time, "times to compute at; or", "none");
    field("every", self.every, dimension::time, "time between rows");
    field("begin", self.begin, dimension::time, "first time", "begin of the trajectory");
    field("until", self.until, dimension::time, "last time", "end of the trajectory");
    field("drives", self.drives, dimension::none, "`elastic`: springs as the model says; `rigid`: taken as rigid");
  }

  ARTICULA_EXPORT TaskPlan plan(const Setup& setup) const;
  ARTICULA_EXPORT TaskOutcome run(const TaskContext& context) const;
};

}  // namespace articula::study
