#pragma once

#include <array>
#include <span>
#include <string_view>

#include <articula/control/internal/screw_chain.h>

namespace articula::control {

/// Arms whose inverse kinematics has a closed form.
enum class ArmForm {
  none,
  spherical_wrist,  ///< six axes, of which the last three meet; the first three are arbitrary
  three_parallel,   ///< six axes, of which 2, 3, 4 are parallel and 5, 6 meet
  three_axes,       ///< three axes that move a point
  planar_two,       ///< two parallel axes that move a point
  planar_three,     ///< three parallel axes that move a frame
};
std::string_view to_text(ArmForm form);

/// Storage for the configurations; their number and that of joints are bounded.
struct Candidates {
  static constexpr int most = 16, most_joints = 6;

  void add(const std::array<double, most_joints>& q) {
    if (count < most) list[static_cast<std::size_t>(count++)] = q;
  }
  std::span<const std::array<double, most_joints>> all() const {
    return {list.data(), static_cast<std::size_t>(count)};
  }

  std::array<std::array<double, most_joints>, most> list{};
  int count = 0;
};

/// Inverse kinematics in closed form. The type of arm is determined once, from the axes at q = 0; tolerances are 1e-9
/// of the arm's size for lengths, and 1e-9 for directions.
///
/// Candidates are solutions if the target can be reached, and must be verified; joint angles are within half a turn of
/// zero. An angle that is arbitrary (stretched wrist, hand above the first axis) is that of `near`.
class ClosedFormArm {
 public:
  /// `position_only`: the target is the position of the frame's origin, not its orientation.
  ClosedFormArm(const ScrewChain& chain, bool position_only);

  ArmForm form() const { return form_; }
  void solve(const Pose<double>& X_WF, std::span<const double> near, Candidates& found) const;

 private:
  bool find_spherical_wrist();
  bool find_three_parallel();
  bool find_three_axes(const Vec3<double>& point);
  bool find_planar();

  template <class Use>
  void solve_point(const Vec3<double>& p, std::span<const double> near, Use&& use) const;
  template <class Use>
  void solve_planar_two(int first, const Vec3<double>& x, const Vec3<double>& b, std::span<const double> near,
                        Use&& use) const;
  void solve_spherical_wrist(const Pose<double>& D, std::span<const double> near, Candidates& found) const;
  void solve_three_parallel(const Pose<double>& D, std::span<const double> near, Candidates& found) const;
  void solve_planar_three(const Pose<double>& D, std::span<const double> near, Candidates& found) const;

  const ScrewChain& chain_;
  ArmForm form_ = ArmForm::none;
  Vec3<double> point_;  ///< at q = 0: the wrist's centre, where axes 5 and 6 meet, or the frame's origin

  /// Geometry of the first two axes: o1 and o2 are the feet of their common perpendicular.
  enum class Shoulder { general, intersecting, parallel } shoulder_ = Shoulder::general;
  Vec3<double> o1_, o2_;
};

}  // namespace articula::control
