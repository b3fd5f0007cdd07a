#pragma once

#include <articula/spatial/inertia.h>

namespace articula::spatial {

/// In which point and axes the dynamics of a body is written.  [UNI 2.1.2]
///
/// | representation | reference point     | axes      | rate of a quantity fixed in the body |
/// |----------------|---------------------|-----------|--------------------------------------|
/// | body           | body-fixed          | the body's| 0                                    |
/// | inertial       | body-fixed          | World's   | Ω × …, Ω = (ω, 0)                    |
/// | absolute       | origin of World     | World's   | V × …                                |
enum class Representation { body, inertial, absolute };

/// The pose that carries a quantity of body B from body coordinates to representation `to`, given the pose of B
/// in World: axes turned for `inertial`, turned and shifted for `absolute`, left alone for `body`.
template <class T>
Pose<T> pose_to(Representation to, const Pose<T>& X_WB) {
  switch (to) {
    case Representation::inertial: return {X_WB.R, Vec3<T>::zero()};
    case Representation::absolute: return X_WB;
    case Representation::body: break;
  }
  return Pose<T>::identity();
}

/// The rigid-body transformation operator φ_{x,y} between two frames of one body, given their poses in World:
/// V_x = φ_{x,y} · V_y and f_y = φ_{x,y}ᵀ · f_x.  [UNI (2.18), (2.22)]
///
/// As a pose X_xy: X · Motion is φ, and X.inverse() · Force is φᵀ. In absolute representation it is the identity.
template <class T>
Pose<T> shift_between(Representation in, const Pose<T>& X_Wx, const Pose<T>& X_Wy) {
  switch (in) {
    case Representation::body: return inverted(X_Wx) * X_Wy;
    case Representation::inertial: return {Rotation<T>::identity(), X_Wy.p - X_Wx.p};
    case Representation::absolute: break;
  }
  return Pose<T>::identity();
}

/// The motion Ω such that d(a)/dt = å + Ω × a for a motion a of a body that moves with V, where å is the rate
/// seen from the body and both are in representation `in`.  [UNI (2.23), (2.26)]
template <class T>
Motion<T> frame_rate(Representation in, const Motion<T>& V) {
  switch (in) {
    case Representation::body: return Motion<T>::zero();
    case Representation::inertial: return {V.w, Vec3<T>::zero()};
    case Representation::absolute: break;
  }
  return V;
}

/// The force a body of inertia M needs to move with V and dV/dt, all in representation `in`; dV/dt is the
/// component-wise derivative there, and h the momentum of what spins inside.  [UNI (2.15), (2.24), and their absolute
/// form]
///
///     body, absolute:  F = M·V̇ + V ×* (M·V + h)
///     inertial:        F = M·(V̇ − Ω × V) + V ×* (M·V + h)
template <class T>
Force<T> newton_euler(Representation in, const Inertia<T>& M, const Motion<T>& V, const Motion<T>& Vdot,
                      const Vec3<T>& h = Vec3<T>::zero()) {
  Motion<T> A = Vdot;
  if (in == Representation::inertial) A -= cross(frame_rate(in, V), V);
  return M * A + cross(V, M * V + Force<T>{h, Vec3<T>::zero()});
}

}  // namespace articula::spatial
