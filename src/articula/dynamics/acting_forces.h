#pragma once

#include <algorithm>

#include <articula/dynamics/cut_forces.h>
#include <articula/dynamics/force_elements.h>
#include <articula/dynamics/gravity.h>
#include <articula/dynamics/load.h>

namespace articula::dynamics {

/// What of all that can act is asked for.
template <class T>
struct ActingOptions {
  std::span<const Load> loads;
  bool passive = false;      ///< springs, dampers, friction and drives, as the model has them
  std::span<const T> slip;   ///< with `passive`: the direction in which each joint slides, −1 … 1, for its friction
  std::span<const T> slope;  ///< how that changes with the joint's speed; empty: it does not
};

/// What acts on bodies and along joints beside generalized forces and uniform gravity, and what it needs to be found.
template <class T>
struct ActingForces {
  template <class P>
  ActingForces(const Mechanism& mech, const Parameters<P>& par)
      : poses(mech),
        F_C(par.X_BC.size()),
        F_F(mech.frames.size()),
        F_B(mech.bodies.size()),
        tau(static_cast<std::size_t>(mech.nv)) {}

  /// On flat bodies, each in its frame; empty where nothing acts on them.
  std::span<const Force<T>> F_applied() const {
    if (!on_bodies) return {};
    return F_B;
  }
  std::span<const Force<T>> F_on_constituents() const {
    if (!on_bodies) return {};
    return F_C;
  }
  std::span<const Force<T>> F_at_frames() const {
    if (!on_bodies) return {};
    return F_F;
  }

  WorldPoses<T> poses;                  ///< filled where forces on bodies needed them
  std::vector<Force<T>> F_C, F_F, F_B;  ///< on constituents, at frames, and their sum on flat bodies
  std::vector<T> tau;                   ///< along joints
  bool on_bodies = false;               ///< whether anything acts on bodies
};

/// Whether the model's own forces act on bodies, beside uniform gravity.
inline bool acts_on_bodies(const Mechanism& mech, bool passive) {
  return !mech.uniform_gravity || std::any_of(mech.forces.begin(), mech.forces.end(), [&](const ForceElement& each) {
    return each.kind == ForceElement::Kind::wrench || (passive && each.kind == ForceElement::Kind::line);
  });
}

/// Gravity that depends on the place, the model's external forces, loads; and with `passive` springs, dampers and actuators
/// between points and on shafts, damping and friction of joints and drives. The one place where they are put together, over
/// any scalar: nothing branches on a number. Allocates nothing.
///
/// @param kin positions; with `passive`, velocities too
template <class T, class P>
void acting_forces(const Mechanism& mech, const Parameters<P>& par, const Positions<T>& kin,
                   const Velocities<T>* velocities, std::span<const T> q, std::span<const T> v,
                   const ActingOptions<T>& options, ActingForces<T>& s) {
  s.on_bodies = acts_on_bodies(mech, options.passive) || !options.loads.empty();
  std::fill(s.tau.begin(), s.tau.end(), T(0));
  if (options.passive) {
    add_joint_resistance<T, P>(mech, par, v, options.slip, s.tau);
    add_shaft_forces<T, P>(mech, par, q, v, s.tau);
  }
  if (!s.on_bodies) return;
  world_poses<T, P>(mech, par, kin, s.poses);
  gravity_on_constituents<T, P>(mech, par, s.poses, s.F_C);
  std::fill(s.F_F.begin(), s.F_F.end(), Force<T>::zero());
  add_external_forces<T, P>(mech, par, s.poses, s.F_F);
  for (const Load& load : options.loads)
    add_wrench<T, P>(mech, par, s.poses, load.frame, load.axes, over<P>(load.wrench), s.F_F);
  if (options.passive) add_line_forces<T, P>(mech, par, s.poses, *velocities, s.F_F);
  applied_forces<T, P>(mech, par, s.F_C, s.F_F, s.F_B);
}
template <class T, class P>
void acting_forces(const Mechanism& mech, const Parameters<P>& par, const Velocities<T>& kin, std::span<const T> q,
                   std::span<const T> v, const ActingOptions<T>& options, ActingForces<T>& s) {
  acting_forces<T, P>(mech, par, kin, &kin, q, v, options, s);
}
/// The model's own forces and loads, for which positions are enough.
template <class T, class P>
void acting_forces(const Mechanism& mech, const Parameters<P>& par, const Positions<T>& kin,
                   std::span<const Load> loads, ActingForces<T>& s) {
  acting_forces<T, P>(mech, par, kin, nullptr, {}, {}, {.loads = loads}, s);
}

/// The direction in which joints slide, where a state alone decides: sign(v), 0 at rest.
template <class T>
void slip_of(std::span<const T> v, std::span<T> slip) {
  for (std::size_t k = 0; k < v.size(); ++k) slip[k] = v[k] > T(0) ? T(1) : v[k] < T(0) ? T(-1) : T(0);
}

}  // namespace articula::dynamics
