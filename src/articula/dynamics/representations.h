#pragma once

#include <articula/dynamics/forward_dynamics.h>
#include <articula/dynamics/inverse_dynamics.h>
#include <articula/dynamics/world_axes.h>
#include <articula/spatial/representation.h>

/// Newton-Euler and articulated-body recursion written once for all three coordinate representations: body, inertial
/// and absolute. They differ in the operator φ between neighbours and in what turns and shifts with time; the answers
/// are the same. `inverse_dynamics` and `forward_dynamics` are the body representation made fast.  [UNI 2.1.2, 3.1]
namespace articula::dynamics {

/// What both recursions need in a representation: where bodies are, and axes and inertias written there.
template <class T>
struct Represented {
  explicit Represented(const Mechanism& mech)
      : X_WB(mech.bodies.size()),
        phi(mech.bodies.size()),
        M(mech.bodies.size()),
        h(mech.bodies.size()),
        V(mech.bodies.size()),
        bias(mech.bodies.size()),
        H(static_cast<std::size_t>(mech.nv)) {}

  std::vector<Pose<T>> X_WB;  ///< of each body in World
  std::vector<Pose<T>> phi;   ///< φ from the parent to the body
  std::vector<Inertia<T>> M;
  std::vector<Vec3<T>> h;  ///< internal momentum
  std::vector<Motion<T>> V;
  std::vector<Motion<T>> bias;  ///< V × (H·v) + Ḣ·v
  std::vector<Motion<T>> H;     ///< by degree of freedom
};

/// Outward: V_B = φ·V_P + H·v, everything written in representation `in`.
template <class T, class P>
void represent(Representation in, const Mechanism& mech, const Parameters<P>& par, const Positions<T>& kin,
               std::span<const T> q, std::span<const T> v, Represented<T>& r) {
  for (int i = 1; i < mech.size(); ++i) {
    const auto b = static_cast<std::size_t>(i), p = static_cast<std::size_t>(mech.bodies[b].parent);
    const Body& body = mech.bodies[b];
    const T* const v_B = v.data() + body.v.first;
    with_joint(mech, par, kin, i, [&](const auto& X_PB, const auto& H) {
      r.X_WB[b] = r.X_WB[p] * X_PB;
      r.phi[b] = shift_between(in, r.X_WB[b], r.X_WB[p]);
      const Pose<T> E = pose_to(in, r.X_WB[b]);
      Motion<T> along, Hdot_v;
      H.template each<T>([&](int a, const auto& axis) {
        r.H[static_cast<std::size_t>(body.v.first + a)] = E * axis;
        along += (E * axis) * v_B[a];
      });
      if constexpr (!std::decay_t<decltype(H)>::constant)
        Hdot_v = general_bias(body, par, b, q.data() + body.q.first, v_B);
      r.M[b] = E * par.M_B[b];
      r.h[b] = E.R * par.internal_momentum[b];
      r.V[b] = r.phi[b] * r.V[p] + along;
      r.bias[b] = cross(r.V[b], along) + E * Hdot_v;
    });
  }
}

/// Inverse dynamics in representation `in`; see inverse_dynamics. Here V̇ is the component-wise derivative of V, which
/// in inertial representation is not the spatial acceleration: V̇ = A + Ω × V.
///
///     V̇_B = φ·(V̇_P − Ω_P × V_P) + H·vdot + V_B × (H·v) + Ḣ·v + Ω_B × V_B
///
/// @pre the environment's gravity is uniform
template <class T, class P>
void inverse_dynamics_in(Representation in, const Mechanism& mech, const Parameters<P>& par, const Positions<T>& kin,
                         std::span<const T> q, std::span<const T> v, std::span<const T> vdot,
                         std::span<const Force<T>> F_applied_B, Represented<T>& r, NewtonEuler<T>& scratch,
                         std::span<T> tau) {
  auto& Vdot = scratch.A_B;
  auto& F = scratch.F_B;
  represent(in, mech, par, kin, q, v, r);
  Vdot[0] = {Vec3<T>::zero(), over<T>(-par.gravity_W)};

  for (std::size_t b = 1; b < mech.bodies.size(); ++b) {
    const auto p = static_cast<std::size_t>(mech.bodies[b].parent);
    const Motion<T> turning_P = frame_rate(in, r.V[p]), turning_B = frame_rate(in, r.V[b]);
    Vdot[b] = r.phi[b] * (Vdot[p] - cross(turning_P, r.V[p])) + r.bias[b] + cross(turning_B, r.V[b]);
    for (int k : mech.bodies[b].v) Vdot[b] += r.H[static_cast<std::size_t>(k)] * vdot[static_cast<std::size_t>(k)];
    F[b] = newton_euler(in, r.M[b], r.V[b], Vdot[b], r.h[b]);
    if (!F_applied_B.empty()) F[b] -= pose_to(in, r.X_WB[b]) * F_applied_B[b];
  }

  for (std::size_t b = mech.bodies.size() - 1; b > 0; --b) {
    for (int k : mech.bodies[b].v) tau[static_cast<std::size_t>(k)] = dot(r.H[static_cast<std::size_t>(k)], F[b]);
    F[static_cast<std::size_t>(mech.bodies[b].parent)] += r.phi[b].inverse() * F[b];  // φᵀ
  }
  if (mech.has_armature) add_armature_forces<T, P>(par, vdot, tau);
}

/// Forward dynamics in representation `in`; see forward_dynamics.
///
/// @pre as there
template <class T, class P>
void forward_dynamics_in(Representation in, const Mechanism& mech, const Parameters<P>& par, const Positions<T>& kin,
                         std::span<const T> q, std::span<const T> v, std::span<const T> tau,
                         std::span<const Force<T>> F_applied_B, Represented<T>& r, ArticulatedBody<T>& scratch,
                         std::span<T> vdot) {
  auto& [M_A, F_A, A, U, d, u] = scratch;
  represent(in, mech, par, kin, q, v, r);
  for (std::size_t b = 1; b < mech.bodies.size(); ++b) {
    M_A[b] = ArticulatedInertia<T>::of(r.M[b]);
    F_A[b] = cross(r.V[b], r.M[b] * r.V[b] + Force<T>{r.h[b], Vec3<T>::zero()});
    if (!F_applied_B.empty()) F_A[b] -= pose_to(in, r.X_WB[b]) * F_applied_B[b];
  }

  for (std::size_t b = mech.bodies.size() - 1; b > 0; --b) {
    const Body& body = mech.bodies[b];
    const auto p = static_cast<std::size_t>(body.parent), first = static_cast<std::size_t>(body.v.first);
    const DenseAxes<T> H{r.H.data() + first, body.v.count};
    Force<T> F = F_A[b];
    const ArticulatedInertia<T> M =
        give_way_with_armature(H, par.armature.data() + first, M_A[b], F, tau.data() + first, U.data() + first,
                               d.data() + first, u.data() + first);
    const Pose<T> X_PB = inverted(r.phi[b]);
    M_A[p] += X_PB * M;
    F_A[p] += X_PB * (F + M * r.bias[b]);
  }

  A[0] = {Vec3<T>::zero(), over<T>(-par.gravity_W)};
  for (std::size_t b = 1; b < mech.bodies.size(); ++b) {
    A[b] = r.phi[b] * A[static_cast<std::size_t>(mech.bodies[b].parent)] + r.bias[b];
    const auto first = static_cast<std::size_t>(mech.bodies[b].v.first);
    const DenseAxes<T> H{r.H.data() + first, mech.bodies[b].v.count};
    accelerate(H, U.data() + first, d.data() + first, u.data() + first, A[b], vdot.data() + first);
  }
}

}  // namespace articula::dynamics
