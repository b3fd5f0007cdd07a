#pragma once

#include <optional>

#include <articula/model/field.h>
#include <articula/study/tasks/task.h>

namespace articula::study {

/// How small deviations from a state develop, with all that drives the model:
///
///     δẏ = A·δy + B·δu,   y = [q, v, z]
///
/// with forces u along the degrees of freedom. Deviations of q are along the degrees of freedom, too: a ball joint
/// deviates by a rotation vector in axes of its outboard body, not by four numbers of a quaternion. From the eigenvalues
/// λ of A: natural frequency |λ|/2π in Hz and damping ratio −Re λ/|λ|.
struct LinearizeTask {
  static constexpr std::string_view name = "linearize";
  static constexpr std::string_view about =
      "linearizes the equations of motion about a state, δẏ = A·δy + B·δu, and computes eigenvalues, natural "
      "frequencies and damping ratios";

  std::string along;
  std::vector<double> times;
  bool hold = false;
  bool passive = true;
  std::vector<std::string> blocks, prescribe, ignore;
  double friction_speed = 0;
  bool matrices = true;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& field) {
    field("along", self.along, dimension::none, "trajectory whose states are used", "the start");
    field("times", self.times, dimension::time, "times of the states on it", "0");
    field("hold", self.hold, dimension::none, "whether to add constant forces that hold the model at the state");
    driven_fields(self, field);
    field("matrices", self.matrices, dimension::none, "whether A and B are stored");
  }

  ARTICULA_EXPORT TaskPlan plan(const Setup& setup) const;
  ARTICULA_EXPORT TaskOutcome run(const TaskContext& context) const;
};

}  // namespace articula::study
