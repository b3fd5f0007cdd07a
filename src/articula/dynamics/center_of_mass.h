#pragma once

#include <articula/dynamics/frames.h>

namespace articula::dynamics {

/// Mass, centre of mass, inertia and momentum of the whole mechanism: of every body that is not fixed to World. All
/// vectors are in World's axes.  [UNI 4.3.2.2]

template <class P>
P total_mass(const Mechanism& mech, const Parameters<P>& par) {
  P m(0);
  for (std::size_t k = 1; k < mech.bodies.size(); ++k) m += par.M_B[k].m;
  return m;
}

/// The inertia of the whole about the point `about_W`, as if it were rigid: of all constituents, with rotors at rest.
template <class T, class P>
Inertia<T> total_inertia(const Mechanism& mech, const Parameters<P>& par, const WorldPoses<T>& poses,
                         const Vec3<T>& about_W) {
  Inertia<T> M;
  const auto add = [&](int body, const Inertia<P>& M_B) {
    const Pose<T>& X_WB = poses.X_WB[static_cast<std::size_t>(body)];
    M += Pose<T>{X_WB.R, X_WB.p - about_W} * M_B;
  };
  if (mech.drives == Drives::locked) {
    for (int i = 1; i < mech.size(); ++i) add(i, par.M_B[static_cast<std::size_t>(i)]);
    return M;
  }
  for (std::size_t c = 0; c < par.M_C.size(); ++c) {  // rotors moved a part of M_B to other bodies
    const int body = mech.provenance.constituents[c].body;
    if (body > 0) add(body, par.X_BC[c] * par.M_C[c]);
  }
  return M;
}

/// c = Σ m·c_B / Σ m. @pre the mass is not zero; so for its velocity and acceleration
template <class T, class P>
Vec3<T> center_of_mass(const Mechanism& mech, const Parameters<P>& par, const WorldPoses<T>& poses) {
  Vec3<T> h = Vec3<T>::zero();
  for (std::size_t k = 1; k < mech.bodies.size(); ++k) {
    h += poses.X_WB[k].R * par.M_B[k].h + poses.X_WB[k].p * par.M_B[k].m;
  }
  return h * (T(1) / T(total_mass(mech, par)));
}

/// The momentum of the whole: linear (f), and angular (n) about the point `about_W`, with what spins inside
/// gyrostats. About the centre of mass it is what stays when no force acts but uniform gravity.
///
///     Σ X_WB · (M_B·V_B + h_B)
template <class T, class P>
Force<T> momentum(const Mechanism& mech, const Parameters<P>& par, const WorldPoses<T>& poses, const Velocities<T>& kin,
                  const Vec3<T>& about_W) {
  Force<T> sum;
  for (std::size_t k = 1; k < mech.bodies.size(); ++k) {
    Force<T> own = par.M_B[k] * kin.V_B[k];
    own.n += par.internal_momentum[k];
    sum += Pose<T>{poses.X_WB[k].R, poses.X_WB[k].p - about_W} * own;
  }
  return sum;
}

template <class T, class P>
Vec3<T> center_of_mass_velocity(const Mechanism& mech, const Parameters<P>& par, const WorldPoses<T>& poses,
                                const Velocities<T>& kin) {
  Vec3<T> f = Vec3<T>::zero();
  for (std::size_t k = 1; k < mech.bodies.size(); ++k) f += poses.X_WB[k].R * (par.M_B[k] * kin.V_B[k]).f;
  return f * (T(1) / T(total_mass(mech, par)));
}

/// The derivative of its velocity: the force of all bodies' motion over their mass.
template <class T, class P>
Vec3<T> center_of_mass_acceleration(const Mechanism& mech, const Parameters<P>& par, const WorldPoses<T>& poses,
                                    const Velocities<T>& kin, const Accelerations<T>& acc) {
  Vec3<T> f = Vec3<T>::zero();
  for (std::size_t k = 1; k < mech.bodies.size(); ++k) {
    const Motion<T>& V = kin.V_B[k];
    const Force<T> F = par.M_B[k] * acc.A_B[k] + cross(V, par.M_B[k] * V);
    f += poses.X_WB[k].R * F.f;
  }
  return f * (T(1) / T(total_mass(mech, par)));
}

}  // namespace articula::dynamics
