#pragma once

#include <articula/mechanism/parameters.h>

namespace articula::generate {

/// Regroups inertias without changing the motion: the part of a body's inertia that its joint does not feel is added to
/// its parent, and so on towards World.
///
/// A joint that rotates about axis k of its body does not feel, with the two other axes a and b,
///
///     m,  h_k,  I_aa + I_bb  and  the internal momentum along k:
///
/// since a mass on the axis, and the inertia (J, J, 0) about it, rotate with the parent as well as with the body. With
/// J = I_bb the body keeps seven of its ten parameters. A prismatic joint does not rotate its body: all of I moves to
/// the parent. Exact for generalized forces, accelerations, mass matrices and their derivatives; cut forces and the
/// energy and momentum of single bodies change.  [Gautier & Khalil 1990; Mayeda, Yoshida & Osuka 1990]
///
/// @pre gravity is uniform
template <class T>
void regroup_inertias(const Mechanism& mech, Parameters<T>& par) {
  for (std::size_t i = mech.bodies.size() - 1; i > 0; --i) {
    const Body& body = mech.bodies[i];
    if (body.axis == AxisForm::general) continue;
    Inertia<T>& M = par.M_B[i];
    Vec3<T>& momentum = par.internal_momentum[i];
    Inertia<T> moved;
    Vec3<T> moved_momentum = Vec3<T>::zero();
    const bool turns = body.axis <= AxisForm::turn_z;
    if (turns) {
      const int k = static_cast<int>(body.axis), a = (k + 1) % 3, b = (k + 2) % 3;
      moved.m = M.m;
      moved.h[k] = M.h[k];
      moved.I(a, a) = moved.I(b, b) = M.I(b, b);
      moved_momentum[k] = momentum[k];
      M.m = T(0);
      M.h[k] = T(0);
      M.I(a, a) = M.I(a, a) - M.I(b, b);
      M.I(b, b) = T(0);
      momentum[k] = T(0);
    } else {
      moved.I = M.I;
      moved_momentum = momentum;
      M.I = SymMat3<T>::zero();
      momentum = Vec3<T>::zero();
    }
    if (body.parent == 0) continue;
    const auto p = static_cast<std::size_t>(body.parent);
    // At q = 0 the axes of the body are parallel to those of its parent; the moved part is independent of the angle.
    // The second moment of a prismatic body acts on its rotation only, independent of its position.
    const Shift<T> X_PF{turns ? par.X_PF[i].p : Vec3<T>::zero()};
    par.M_B[p] += X_PF * moved;
    par.internal_momentum[p] += moved_momentum;
  }
}

}  // namespace articula::generate
