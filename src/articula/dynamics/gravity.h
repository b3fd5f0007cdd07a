#pragma once

#include <algorithm>
#include <type_traits>
#include <variant>

#include <articula/dynamics/frames.h>

namespace articula::dynamics {

/// Calls f with the field of gravity that depends on the place. @pre there is one
template <class P, class F>
void with_gravity_field(const Parameters<P>& par, F&& f) {
  std::visit(
      [&]<class Field>(const Field& field) {
        if constexpr (!std::is_same_v<Field, std::monostate>) f(field);
      },
      par.gravity_field);
}

/// Where the centre of mass of a constituent body is in it; of a body without mass, its origin.
template <class P>
Vec3<P> center_of(const Inertia<P>& M_C) {
  return M_C.h * (P(1) / (M_C.m + P(1e-37)));
}

/// The pull of gravity that depends on the place on each constituent body C, in its own frame: a force at its centre of
/// mass c,
///
///     f = m·g(p_Wc),
///
/// the field taken as constant over C. What turns a body because its far side is pulled less comes from the
/// constituents' different places alone. Zero in a uniform field, which Newton-Euler and articulated-body recursion
/// take care of by lifting World.
template <class T, class P>
void gravity_on_constituents(const Mechanism& mech, const Parameters<P>& par, const WorldPoses<T>& poses,
                             std::span<Force<T>> F_C) {
  std::fill(F_C.begin(), F_C.end(), Force<T>::zero());
  if (mech.uniform_gravity) return;
  with_gravity_field(par, [&](const auto& field) {
    for (std::size_t c = 0; c < F_C.size(); ++c) {
      const auto body = static_cast<std::size_t>(mech.provenance.constituents[c].body);
      const Pose<T> X_WC = poses.X_WB[body] * par.X_BC[c];
      const Vec3<P> c_C = center_of(par.M_C[c]);
      const Vec3<T> f = X_WC.R.rotate_back(field.acceleration(Vec3<T>(X_WC * c_C))) * par.M_C[c].m;
      F_C[c] = {cross(c_C, f), f};
    }
  });
}

}  // namespace articula::dynamics
