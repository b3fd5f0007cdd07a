#pragma once

#include <algorithm>

#include <articula/dynamics/frames.h>

namespace articula::dynamics {

/// A constant force and moment at the origin of `frame`, given in the axes of the frame `axes`; places in the frame
/// table. Added to the forces at frames, each in its own axes.
template <class T, class P>
void add_wrench(const Mechanism& mech, const Parameters<P>& par, const WorldPoses<T>& poses, int frame, int axes,
                const Force<P>& wrench, std::span<Force<T>> F_F) {
  const Rotation<T> R_FA = frame_pose(mech, par, poses, frame).R.inverse() * frame_pose(mech, par, poses, axes).R;
  F_F[static_cast<std::size_t>(frame)] += Force<T>{R_FA * wrench.n, R_FA * wrench.f};
}

/// External forces that belong to the model: constant in a named frame.
template <class T, class P>
void add_external_forces(const Mechanism& mech, const Parameters<P>& par, const WorldPoses<T>& poses,
                         std::span<Force<T>> F_F) {
  for (std::size_t k = 0; k < mech.forces.size(); ++k) {
    const ForceElement& element = mech.forces[k];
    if (element.kind != ForceElement::Kind::wrench) continue;
    add_wrench(mech, par, poses, element.frame_F, element.frame_M, par.forces[k].wrench, F_F);
  }
}

/// A spring, damper and actuator on the line between the origins of two frames F and M, length L:
///
///     f = −stiffness·(L − rest) − damping·dL/dt + force,   pushes M away from F, and F from M   [EP (34)]
///
/// Where the points coincide the line has no direction, and nothing acts: 0.1 nm, added to the length in squares, keeps the
/// force and its derivatives finite there and is lost in rounding elsewhere.
template <class T, class P>
void add_line_force(const Mechanism& mech, const Parameters<P>& par, const ForceElement& element,
                    const ForceNumbers<P>& numbers, const WorldPoses<T>& poses, const Velocities<T>& kin,
                    std::span<Force<T>> F_F) {
  using std::sqrt;
  const Pose<T> X_WF = frame_pose(mech, par, poses, element.frame_F),
                X_WM = frame_pose(mech, par, poses, element.frame_M);
  const Vec3<T> line = X_WM.p - X_WF.p;
  const auto velocity = [&](int frame) {
    return frame_velocity(mech, par, poses, kin, frame, JacobianFrame::local_world_aligned).v;
  };
  const T length = sqrt(dot(line, line) + T(1e-20));
  const Vec3<T> n_W = line * (T(1) / length);
  const T rate = dot(n_W, velocity(element.frame_M) - velocity(element.frame_F));
  const T f = numbers.force - numbers.stiffness * (length - numbers.rest) - numbers.damping * rate;
  F_F[static_cast<std::size_t>(element.frame_M)].f += X_WM.R.rotate_back(n_W) * f;
  F_F[static_cast<std::size_t>(element.frame_F)].f -= X_WF.R.rotate_back(n_W) * f;
}

/// All that act between points, at frames.
template <class T, class P>
void add_line_forces(const Mechanism& mech, const Parameters<P>& par, const WorldPoses<T>& poses,
                     const Velocities<T>& kin, std::span<Force<T>> F_F) {
  for (std::size_t k = 0; k < mech.forces.size(); ++k) {
    if (mech.forces[k].kind != ForceElement::Kind::line) continue;
    add_line_force(mech, par, mech.forces[k], par.forces[k], poses, kin, F_F);
  }
}

/// Whether the model has force elements of a kind.
inline bool has_forces(const Mechanism& mech, ForceElement::Kind kind) {
  return std::any_of(mech.forces.begin(), mech.forces.end(), [&](const ForceElement& f) { return f.kind == kind; });
}

/// The deflection of an element on shafts, x = Σ factors·q + offset.
template <class T, class P>
T shaft_angle(const Mechanism& mech, const ForceElement& element, const ForceNumbers<P>& numbers,
              std::span<const T> q) {
  T x(numbers.offset);
  for (std::size_t k = 0; k < element.dofs.size(); ++k)
    x += numbers.factors[k] * q[static_cast<std::size_t>(position_of(mech, element.dofs[k]))];
  return x;
}

/// dx/dt
template <class T, class P>
T shaft_speed(const ForceElement& element, const ForceNumbers<P>& numbers, std::span<const T> v) {
  T rate(0);
  for (std::size_t k = 0; k < element.dofs.size(); ++k)
    rate += numbers.factors[k] * v[static_cast<std::size_t>(element.dofs[k])];
  return rate;
}

/// Springs, dampers and actuators on shafts, along degrees of freedom:
///
///     t = −stiffness·(x − rest) − damping·dx/dt + force,   tau += factors·t
template <class T, class P>
void add_shaft_forces(const Mechanism& mech, const Parameters<P>& par, std::span<const T> q, std::span<const T> v,
                      std::span<T> tau) {
  for (std::size_t k = 0; k < mech.forces.size(); ++k) {
    const ForceElement& element = mech.forces[k];
    if (element.kind != ForceElement::Kind::shaft) continue;
    const ForceNumbers<P>& numbers = par.forces[k];
    const T x = shaft_angle(mech, element, numbers, q), rate = shaft_speed(element, numbers, v);
    const T torque = numbers.force - numbers.stiffness * (x - numbers.rest) - numbers.damping * rate;
    for (std::size_t i = 0; i < element.dofs.size(); ++i)
      tau[static_cast<std::size_t>(element.dofs[i])] += numbers.factors[i] * torque;
  }
}

/// The change of these torques with the state, of what has to balance them:
///
///     ∂tau/∂q += stiffness·factors·factorsᵀ,   ∂tau/∂v += damping·factors·factorsᵀ
///
/// @param dtau_dq, dtau_dv nv × nv, row by row
template <class T, class P>
void add_shaft_stiffness(const Mechanism& mech, const Parameters<P>& par, std::span<T> dtau_dq, std::span<T> dtau_dv) {
  const auto nv = static_cast<std::size_t>(mech.nv);
  for (std::size_t k = 0; k < mech.forces.size(); ++k) {
    const ForceElement& element = mech.forces[k];
    if (element.kind != ForceElement::Kind::shaft) continue;
    const ForceNumbers<P>& numbers = par.forces[k];
    for (std::size_t i = 0; i < element.dofs.size(); ++i) {
      for (std::size_t j = 0; j < element.dofs.size(); ++j) {
        const std::size_t place =
            static_cast<std::size_t>(element.dofs[i]) * nv + static_cast<std::size_t>(element.dofs[j]);
        const P square = numbers.factors[i] * numbers.factors[j];
        dtau_dq[place] += numbers.stiffness * square;
        dtau_dv[place] += numbers.damping * square;
      }
    }
  }
}

/// The same for accelerations, ∂vdot/∂x −= M⁻¹·∂tau/∂x.
template <class T, class P>
void subtract_shaft_stiffness(const Mechanism& mech, const Parameters<P>& par, std::span<const T> M_inverse,
                              std::span<T> dvdot_dq, std::span<T> dvdot_dv) {
  const auto nv = static_cast<std::size_t>(mech.nv);
  for (std::size_t k = 0; k < mech.forces.size(); ++k) {
    const ForceElement& element = mech.forces[k];
    if (element.kind != ForceElement::Kind::shaft) continue;
    const ForceNumbers<P>& numbers = par.forces[k];
    for (std::size_t i = 0; i < nv; ++i) {
      const T felt = shaft_speed(element, numbers, M_inverse.subspan(i * nv, nv));  // by x, of a unit force on dof i
      for (std::size_t j = 0; j < element.dofs.size(); ++j) {
        const std::size_t place = i * nv + static_cast<std::size_t>(element.dofs[j]);
        dvdot_dq[place] -= felt * (numbers.stiffness * numbers.factors[j]);
        dvdot_dv[place] -= felt * (numbers.damping * numbers.factors[j]);
      }
    }
  }
}

/// What resists in joints and in the drives on them: −damping·v − friction·slip, where `slip` is the direction in which each
/// joint slides, −1 … 1. At rest, friction is not determined by the state alone: whoever calls says whether a joint sticks.
template <class T, class P>
void add_joint_resistance(const Mechanism& mech, const Parameters<P>& par, std::span<const T> v,
                          std::span<const T> slip, std::span<T> tau) {
  const auto resist = [&](const P& damping, const P& friction, std::size_t dof) {
    tau[dof] += -damping * v[dof] - friction * slip[dof];
  };
  for (std::size_t k = 0; k < tau.size(); ++k) resist(par.damping[k], par.friction[k], k);
  for (std::size_t r = 0; r < mech.rotors.size(); ++r) {
    if (mech.rotors[r].resisted < 0) continue;
    resist(par.rotors[r].viscous_friction, par.rotors[r].friction, static_cast<std::size_t>(mech.rotors[r].resisted));
  }
}

/// Coulomb friction along each degree of freedom: of joints, and of the drives on them.
template <class P>
void joint_friction(const Mechanism& mech, const Parameters<P>& par, std::span<P> friction) {
  std::copy(par.friction.begin(), par.friction.end(), friction.begin());
  for (std::size_t r = 0; r < mech.rotors.size(); ++r) {
    const int dof = mech.rotors[r].resisted;
    if (dof >= 0) friction[static_cast<std::size_t>(dof)] += par.rotors[r].friction;
  }
}

/// How what resists along each degree of freedom grows with its speed: damping of joints and of the drives on them, and their
/// friction where `slope` says how the direction of sliding changes with the speed (empty: it does not).
template <class T, class P>
void resistance_of_joints(const Mechanism& mech, const Parameters<P>& par, std::span<const T> slope,
                          std::span<T> resistance) {
  const auto take = [&](const P& damping, const P& friction, std::size_t dof) {
    resistance[dof] += damping;
    if (!slope.empty()) resistance[dof] += friction * slope[dof];
  };
  std::fill(resistance.begin(), resistance.end(), T(0));
  for (std::size_t k = 0; k < resistance.size(); ++k) take(par.damping[k], par.friction[k], k);
  for (std::size_t r = 0; r < mech.rotors.size(); ++r) {
    if (mech.rotors[r].resisted < 0) continue;
    take(par.rotors[r].viscous_friction, par.rotors[r].friction, static_cast<std::size_t>(mech.rotors[r].resisted));
  }
}

}  // namespace articula::dynamics
