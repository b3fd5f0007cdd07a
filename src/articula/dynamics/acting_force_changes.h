#pragma once

#include <articula/dynamics/acting_forces.h>
#include <articula/scalar/dual.h>

namespace articula::dynamics {

/// What the derivatives of what acts need beside their inputs.
template <class T>
struct ActingForceChanges {
  using D = DualOver<T>;

  template <class P>
  ActingForceChanges(const Mechanism& mech, const Parameters<P>& par)
      : kin(mech),
        acting(mech, par),
        q(static_cast<std::size_t>(mech.nq)),
        v(static_cast<std::size_t>(mech.nv)),
        slip(v.size()),
        F_B(mech.bodies.size()) {}

  Velocities<D> kin;
  ActingForces<D> acting;
  std::vector<D> q, v, slip;
  std::vector<Force<T>> F_B;  ///< the change of force on each body, with all that hangs on it
};

/// How the forces of inverse dynamics change with q, along the tangent, and with v because what acts changes:
///
///     ∂tau/∂x −= Σ J_Bᵀ·∂F_B/∂x + ∂tau_acting/∂x
///
/// for every gravity field, force and load of acting_forces.h, by dual numbers of that text along each degree of freedom.
/// The derivatives of inverse dynamics know how Jᵀ changes: they take a force on a body as constant in the body's axes.
/// Friction changes as `slope` says. O(n²).
///
/// @param kin positions at q
/// @param dtau_dq nv × nv, row by row; added to
/// @param dtau_dv likewise; only with `passive` there is anything to add
template <class T, class P>
void add_acting_force_changes(const Mechanism& mech, const Parameters<P>& par, const Positions<T>& kin,
                              std::span<const T> q, std::span<const T> v, const ActingOptions<T>& options,
                              ActingForceChanges<T>& s, std::span<T> dtau_dq, std::span<T> dtau_dv) {
  using D = DualOver<T>;
  const auto n = static_cast<std::size_t>(mech.nv);
  std::copy(q.begin(), q.end(), s.q.begin());
  std::copy(v.begin(), v.end(), s.v.begin());
  for (std::size_t k = 0; k < options.slip.size(); ++k) s.slip[k] = options.slip[k];
  const ActingOptions<D> dual_options{options.loads, options.passive, s.slip, {}};

  // Column k of either matrix, with s.q and s.v seeded along degree of freedom k.
  const auto add_column = [&](std::span<T> dtau, std::size_t k) {
    positions<D, P>(mech, par, s.q, s.kin);
    if (options.passive) velocities<D, P>(mech, par, s.q, s.v, s.kin);
    acting_forces<D, P>(mech, par, s.kin, s.q, s.v, dual_options, s.acting);
    for (std::size_t m = 0; m < n; ++m) dtau[m * n + k] -= s.acting.tau[m].dx;
    if (!s.acting.on_bodies) return;
    for (std::size_t i = 0; i < s.F_B.size(); ++i) {
      const Force<D>& F = s.acting.F_B[i];
      s.F_B[i] = {{F.n.x.dx, F.n.y.dx, F.n.z.dx}, {F.f.x.dx, F.f.y.dx, F.f.z.dx}};
    }
    T along[most_joint_dofs];
    for (int i = mech.size() - 1; i > 0; --i) {
      const Body& body = mech.bodies[static_cast<std::size_t>(i)];
      with_joint(mech, par, kin, i, [&](const auto& X_PB, const auto& H) {
        const Force<T>& F = s.F_B[static_cast<std::size_t>(i)];
        H.project(F, along);
        for (int a = 0; a < body.v.count; ++a) dtau[static_cast<std::size_t>(body.v.first + a) * n + k] -= along[a];
        if (body.parent > 0) s.F_B[static_cast<std::size_t>(body.parent)] += X_PB * F;
      });
    }
  };
  for (const Body& body : mech.bodies) {
    for (int a = 0; a < body.v.count; ++a) {
      const auto k = static_cast<std::size_t>(body.v.first + a);
      T unit[most_joint_dofs], rate[most_joint_dofs + 1];
      for (int b = 0; b < most_joint_dofs; ++b) unit[b] = T(a == b ? 1 : 0);
      visit_joint(body.joint, [&]<class J>(J) { J::qdot(q.data() + body.q.first, unit, rate); });
      for (int b = 0; b < body.q.count; ++b) s.q[static_cast<std::size_t>(body.q.first + b)].dx = rate[b];
      add_column(dtau_dq, k);
      for (int b = 0; b < body.q.count; ++b) s.q[static_cast<std::size_t>(body.q.first + b)].dx = T(0);
      if (!options.passive) continue;
      s.v[k].dx = T(1);
      if (!options.slope.empty()) s.slip[k].dx = options.slope[k];
      add_column(dtau_dv, k);
      s.v[k].dx = s.slip[k].dx = T(0);
    }
  }
}

}  // namespace articula::dynamics
