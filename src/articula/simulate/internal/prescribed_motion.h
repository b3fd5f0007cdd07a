#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include <articula/control/block_site.h>
#include <articula/simulate/named_trajectory.h>

namespace articula::simulate {

/// The joints of a run that move exactly as trajectories say: those that the model calls prescribed, moving reference
/// frames, and those of the trajectories that SystemOptions::prescribe names.
///
/// A joint held by a quaternion follows the coordinates of its kind's time series (joints/time_series.h), `base.x`, …,
/// `base.yaw`; those that no trajectory moves stay where the model starts.
class PrescribedMotion {
 public:
  /// Throws an Error where a prescribed joint has no trajectory, or several.
  PrescribedMotion(const BlockSite& site, std::span<const NamedTrajectory> trajectories);

  bool empty() const { return joints_.empty(); }
  /// Of each degree of freedom that is shown, whether it is prescribed; and of each position.
  bool moves_v(std::size_t shown) const { return v_given_[shown] != 0; }
  bool moves_q(std::size_t shown) const { return q_given_[shown] != 0; }
  /// Names of the trajectories that prescribe something.
  const std::vector<std::string>& used() const { return used_; }

  /// Writes position, velocity and acceleration of what is prescribed; nothing else. Allocates nothing.
  void evaluate(double t, std::span<double> q, std::span<double> v, std::span<double> vdot);

  /// Times in (begin, until) at which some derivative jumps.
  std::vector<double> breaks(double until) const;
  /// Throws an Error with the time where a velocity or position jumps between `begin` and `until`: such a motion takes
  /// an infinite force.
  void require_smooth(double begin, double until) const;

 private:
  static constexpr int held = -1;
  /// Where a coordinate of a joint comes from.
  struct Source {
    int motion = held;  ///< in motions_
    int coordinate = 0;
    double value = 0;  ///< if it is held
  };
  struct Driven {
    JointKind kind = JointKind::fixed;
    Range q, v;                                   ///< among those shown
    std::array<Source, most_joint_dofs> sources;  ///< of each coordinate of its time series
  };
  struct Motion {
    NamedTrajectory named;
    std::vector<double> x;  ///< q, v and a of all its coordinates
  };

  Source find(const std::string& coordinate, const std::string& joint, bool needed) const;
  double value(const Source& source, int order) const;

  std::vector<Motion> motions_;
  std::vector<bool> chosen_;  ///< of each motion: named in `prescribe`
  std::vector<Driven> joints_;
  std::vector<char> q_given_, v_given_;
  std::vector<std::string> used_;
};

}  // namespace articula::simulate
