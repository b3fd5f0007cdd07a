#pragma once

#include <articula/control/trajectories/context.h>

namespace articula::control {

/// A harmonic motion without end:
///
///     x(t) = offset + amplitude·sin(omega·t + phase)
///
/// A cosine has the phase 90°. One number for each joint, or one for all.
struct HarmonicMotion {
  static constexpr std::string_view name = "harmonic";
  static constexpr std::string_view about = "offset + amplitude·sin(omega·t + phase), without end";
  static constexpr std::string_view smooth = "all";

  std::vector<std::string> joints;
  Moves moves = Moves::turning;
  std::vector<double> amplitude{1}, omega{1}, phase{0}, offset{0};

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& field) {
    joint_fields(self, field);
    field("amplitude", self.amplitude, rate_of(self.moves, 0), "amplitudes");
    field("omega", self.omega, dimension::angular_speed, "angular frequencies");
    field("phase", self.phase, dimension::angle, "phase angles; a cosine has 90 deg");
    field("offset", self.offset, rate_of(self.moves, 0), "mean positions");
  }

  ARTICULA_EXPORT JointTrajectory make(const TrajectoryContext& context) const;
};

}  // namespace articula::control
