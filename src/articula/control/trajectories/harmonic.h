#pragma once

#include <articula/control/trajectories/context.h>

namespace articula {

/// A wave that goes on for ever:
///
///     x(t) = offset + amplitude·sin(omega·t + phase)
///
/// A cosine has the phase 90°. Given for each joint, or once for all.
struct HarmonicMotion {
  static constexpr std::string_view name = "harmonic";

  std::vector<std::string> joints;
  Moves moves = Moves::turning;
  std::vector<double> amplitude{1}, omega{1}, phase{0}, offset{0};

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& field) {
    joint_fields(self, field);
    field("amplitude", self.amplitude, rate_of(self.moves, 0));
    field("omega", self.omega, dimension::angular_speed);
    field("phase", self.phase, dimension::angle);
    field("offset", self.offset, rate_of(self.moves, 0));
  }

  ARTICULA_EXPORT JointTrajectory make(const TrajectoryContext& context) const;
};

}  // namespace articula
