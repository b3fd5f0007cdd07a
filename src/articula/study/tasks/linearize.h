#pragma once

#include <optional>

#include <articula/model/field.h>
#include <articula/study/tasks/task.h>

namespace articula {

/// How small deviations from a state develop, with all that drives the model:
///
///     δẏ = A·δy + B·δu,   y = [q, v, z]
///
/// with forces u along the degrees of freedom. Deviations of q are along the degrees of freedom, too: a ball joint
/// deviates by a rotation vector in axes of its outboard body, not by four numbers of a quaternion. From the eigenvalues
/// λ of A: natural frequency |λ|/2π in Hz and damping ratio −Re λ/|λ|.
struct LinearizeTask {
  static constexpr std::string_view name = "linearize";

  std::string along;          ///< a trajectory whose states are taken; else where the study starts
  std::vector<double> times;  ///< when; 0 if there is none
  /// Forces are added that hold the model where it is: an operating point.
  bool hold = false;
  bool passive = true;
  std::vector<std::string> blocks, prescribe, ignore;  ///< as of SimulateTask
  double friction_speed = 0;
  bool matrices = true;  ///< whether A and B are stored, beside the eigenvalues

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& field) {
    field("along", self.along, dimension::none);
    field("times", self.times, dimension::time);
    field("hold", self.hold, dimension::none);
    field("passive", self.passive, dimension::none);
    field("blocks", self.blocks, dimension::none);
    field("prescribe", self.prescribe, dimension::none);
    field("ignore", self.ignore, dimension::none);
    field("friction_speed", self.friction_speed, dimension::none);
    field("matrices", self.matrices, dimension::none);
  }

  ARTICULA_EXPORT TaskPlan plan(const Setup& setup) const;
  ARTICULA_EXPORT TaskOutcome run(const TaskContext& context) const;
};

}  // namespace articula
