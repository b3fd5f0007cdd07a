#pragma once

#include <algorithm>

#include <articula/dynamics/inverse_dynamics.h>
#include <articula/dynamics/jacobian.h>

namespace articula::dynamics {

/// How torques depend on inertial parameters, which they do linearly:
///
///     tau = Y(q, v, vdot)·π + (what gyrostats and applied forces need)
///
/// π has ten entries for each body, about the origin of its frame and in its axes:
///
///     m, hx, hy, hz, Ixx, Ixy, Ixz, Iyy, Iyz, Izz     with the first moment h = m·c
///
/// where the force that a body's motion needs, with its true acceleration less gravity a = v̇ + ω × v, is
///
///     f = m·a + (ω̇̃ + ω̃·ω̃)·h,    n = h × a + I·ω̇ + ω × I·ω
///
/// [Khalil and Dombre 2002, 12.3; Atkeson, An and Hollerbach 1986]

inline constexpr std::size_t inertial_parameters = 10;

/// The parameters of an inertia, in the order above.
template <class T>
std::array<T, inertial_parameters> parameters_of(const Inertia<T>& M) {
  return {M.m, M.h.x, M.h.y, M.h.z, M.I.xx, M.I.xy, M.I.xz, M.I.yy, M.I.yz, M.I.zz};
}

/// The work of each parameter's force on the motion (w, v): one row of ten.
template <class T>
ARTICULA_INLINE void write_regressor_row(const Motion<T>& H, const Motion<T>& V, const Motion<T>& A, T* row) {
  const Vec3<T> a = A.v + cross(V.w, V.v);
  const Vec3<T>&w = V.w, &e = A.w;
  // (ω̇̃ + ω̃·ω̃)ᵀ·v + a × w
  const Vec3<T> h = cross(H.v, e) + cross(w, cross(w, H.v)) + cross(a, H.w);
  // I·ω̇ works on w, and ω × I·ω on w as I·ω works on u = w × ω.
  const Vec3<T>& n = H.w;
  const Vec3<T> u = cross(n, w);
  row[0] = dot(H.v, a);
  row[1] = h.x, row[2] = h.y, row[3] = h.z;
  row[4] = n.x * e.x + u.x * w.x;
  row[5] = n.x * e.y + n.y * e.x + u.x * w.y + u.y * w.x;
  row[6] = n.x * e.z + n.z * e.x + u.x * w.z + u.z * w.x;
  row[7] = n.y * e.y + u.y * w.y;
  row[8] = n.y * e.z + n.z * e.y + u.y * w.z + u.z * w.y;
  row[9] = n.z * e.z + u.z * w.z;
}

/// By flat body: nv × 10·(bodies − 1), row by row, body i at columns 10·(i − 1). The parameters are those of
/// Parameters::M_B, about frames that were chosen inside; users' own are below.
///
/// @param motion what `inverse_dynamics` left there: V_B and the lifted A_B
/// @pre the environment's gravity is uniform
template <class T, class P>
void regressor_of_bodies(const Mechanism& mech, const Parameters<P>& par, const Positions<T>& kin,
                         const WorldPoses<T>& poses, const NewtonEuler<T>& motion, std::span<T> Y) {
  std::fill(Y.begin(), Y.end(), T(0));
  const std::size_t n = inertial_parameters * (mech.bodies.size() - 1);
  for (int i = 1; i < mech.size(); ++i) {
    const auto b = static_cast<std::size_t>(i);
    const Viewpoint<T> view(poses.X_WB[b], JacobianFrame::local);
    for_each_column(mech, par, kin, poses, i, view, [&](int dof, const Motion<T>& H) {
      T* const row = Y.data() + static_cast<std::size_t>(dof) * n + inertial_parameters * (b - 1);
      write_regressor_row(H, motion.V_B[b], motion.A_B[b], row);
    });
  }
}

/// How many rotors have a column.
inline std::size_t rotor_columns(const Mechanism& mech) {
  return static_cast<std::size_t>(
      std::count_if(mech.rotors.begin(), mech.rotors.end(), [](const RotorElement& r) { return r.is_turning(); }));
}

/// By rotor: a column for the inertia J of each rotor that turns, in rows of `stride` numbers. With its rate θ̇ about the
/// axis a of its carrier c, it adds
///
///     J·(θ̈·a + θ̇·ω_c × a)  to the moment on c,    J·(θ̈ + a·ω̇_c)  along θ
///
/// to the torques; c includes its inertia at rest.
template <class T, class P>
void regressor_of_rotors(const Mechanism& mech, const Parameters<P>& par, const Positions<T>& kin,
                         const WorldPoses<T>& poses, const NewtonEuler<T>& motion, std::span<const T> v,
                         std::span<const T> vdot, T* Y, std::size_t stride) {
  for (std::size_t r = 0; r < mech.rotors.size(); ++r) {
    const RotorElement& rotor = mech.rotors[r];
    if (!rotor.is_turning()) continue;
    const bool own = rotor.form == RotorForm::body;
    const int dof = own ? mech.bodies[static_cast<std::size_t>(rotor.body)].v.first : rotor.dof;
    const auto k = static_cast<std::size_t>(dof);
    const P gear = own ? P(1) : par.rotors[r].gear;
    const T speed = gear * v[k], acceleration = gear * vdot[k];
    for (int row = 0; row < mech.nv; ++row) Y[static_cast<std::size_t>(row) * stride] = T(0);
    Y[k * stride] = gear * acceleration;
    if (rotor.frame >= 0) {
      const auto frame = static_cast<std::size_t>(rotor.frame), c = static_cast<std::size_t>(mech.frames[frame].body);
      const Vec3<T> a = over<T>(par.X_BF[frame].R * par.rotors[r].axis);
      const Vec3<T> couple = a * acceleration + cross(motion.V_B[c].w, a) * speed;
      Y[k * stride] += gear * dot(a, motion.A_B[c].w);
      const Viewpoint<T> view(poses.X_WB[c], JacobianFrame::local);
      for_each_column(mech, par, kin, poses, static_cast<int>(c), view, [&](int row, const Motion<T>& H) {
        Y[static_cast<std::size_t>(row) * stride] += dot(H.w, couple);
      });
    }
    ++Y;
  }
}

/// By constituent, the bodies as the user made them: nv rows of `stride` numbers, constituent c at columns 10·c,
/// its parameters those of Parameters::M_C about its own frame. What is fixed to World has zeros.
template <class T, class P>
void regressor(const Mechanism& mech, const Parameters<P>& par, const Positions<T>& kin, const WorldPoses<T>& poses,
               const NewtonEuler<T>& motion, std::span<T> Y, std::size_t stride) {
  std::fill(Y.begin(), Y.end(), T(0));
  for (std::size_t c = 0; c < par.X_BC.size(); ++c) {
    const int body = mech.provenance.constituents[c].body;
    const auto b = static_cast<std::size_t>(body);
    const Motion<T> V_C = par.X_BC[c].inverse() * motion.V_B[b], A_C = par.X_BC[c].inverse() * motion.A_B[b];
    const Viewpoint<T> view(poses.X_WB[b] * par.X_BC[c], JacobianFrame::local);
    for_each_column(mech, par, kin, poses, body, view, [&](int dof, const Motion<T>& H) {
      write_regressor_row(H, V_C, A_C, Y.data() + static_cast<std::size_t>(dof) * stride + inertial_parameters * c);
    });
  }
}

}  // namespace articula::dynamics
