#pragma once

#include <optional>

#include <articula/control/trajectories/context.h>

namespace articula {

/// The torques that make the model move along another trajectory, as a trajectory of their own: computed so often, and
/// cubic splines in between. Where the motion's acceleration jumps they jump too, and the splines end.  [EP, section 6]
///
/// For a `torque` block. Joints that the other trajectory does not move are held where they start; after its end all
/// are.
struct TorquesAlong {
  static constexpr std::string_view name = "torques_along";
  static constexpr std::array<std::string_view, 1> required{"along"};

  std::string along;            ///< a trajectory that stands before this one
  double every = 0.01;          ///< at most so far from point to point
  std::optional<double> until;  ///< of one that does not end
  bool passive = true;          ///< springs, dampers, friction and rotors of the model are overcome, too

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& field) {
    field("along", self.along, dimension::none);
    field("every", self.every, dimension::time);
    field("until", self.until, dimension::time);
    field("passive", self.passive, dimension::none);
  }

  ARTICULA_EXPORT JointTrajectory make(const TrajectoryContext& context) const;
};

}  // namespace articula
