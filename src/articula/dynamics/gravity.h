#pragma once

#include <algorithm>

#include <articula/dynamics/frames.h>

namespace articula {

/// The pull of central gravity on each constituent body C, in its own frame: a force at its centre of mass c,
///
///     f = −mu·m·r/|r|³,    r = p_Wc − gravity_center,
///
/// the field taken as constant over C. What turns a body because its far side is pulled less comes from the
/// constituents' different places alone. Zero in a uniform field, which Newton-Euler and articulated-body recursion
/// take care of by lifting World.
template <class T, class P>
void gravity_on_constituents(const Mechanism& mech, const Parameters<P>& par, const WorldPoses<T>& poses,
                             std::span<Force<T>> F_C) {
  using std::sqrt;
  std::fill(F_C.begin(), F_C.end(), Force<T>::zero());
  if (mech.uniform_gravity) return;
  for (std::size_t c = 0; c < F_C.size(); ++c) {
    const Inertia<P>& M_C = par.M_C[c];
    const auto body = static_cast<std::size_t>(mech.provenance.constituents[c].body);
    const Pose<T> X_WC = poses.X_WB[body] * par.X_BC[c];
    const Vec3<P> c_C = M_C.h * (P(1) / (M_C.m + P(1e-37)));  // of a body without mass, its origin
    const Vec3<T> r = X_WC * c_C - par.gravity_center_W;
    const T r2 = dot(r, r);
    const Vec3<T> f = X_WC.R.rotate_back(r) * T(-par.gravity_mu * M_C.m / (r2 * sqrt(r2)));
    F_C[c] = {cross(c_C, f), f};
  }
}

}  // namespace articula
