#pragma once

#include <span>
#include <vector>

#include <articula/drives/elastic_chain.h>
#include <articula/dynamics/kinematics.h>
#include <articula/scalar/jet.h>

namespace articula::drives {

/// Workspace of `elastic_inverse_dynamics`, over jets T.
template <class T>
struct ElasticNewtonEuler {
  ElasticNewtonEuler(const Mechanism& mech, const ElasticChain& chain)
      : kin(mech),
        q(static_cast<std::size_t>(mech.nq)),
        v(static_cast<std::size_t>(mech.nv)),
        V(mech.bodies.size()),
        A(mech.bodies.size()),
        F(mech.bodies.size()),
        lift(mech.bodies.size()),
        u(mech.bodies.size()),
        theta(chain.drives.size()) {}

  Positions<T> kin;
  std::vector<T> q, v;
  std::vector<Motion<T>> V, A;  ///< of each body, and its rate, lifted against gravity
  std::vector<Force<T>> F;      ///< that the joint of each body transmits to it
  std::vector<Vec3<T>> lift;    ///< −gravity, in the body
  std::vector<T> u;             ///< of each body's joint, the torque or force along it
  std::vector<T> theta;         ///< angle of each rotor
};

/// The torques of motors that drive joints through springs, so that the joints move along a given q(t). With the torque u_j
/// of each spring, the angle σ_j of its drive on the side of the joint, and the motion of the rotor,
///
///     u = Hᵀ·F,   σ = u/K + q,   θ = n·σ,   F_c.n += J·(θ̈·a + θ̇·ω_c × a),   tau = J·(θ̈ + a·ω̇_c) + u/n
///
/// The rotor of a joint acts on its carrier c, whose joint depends on it in turn; so every quantity is a power series in
/// time, and each drive costs two orders, or fewer: ElasticChain knows how many are needed. Newton-Euler recursion, outward
/// velocities, inward forces, each body as soon as all that acts on it is known.
/// [UNI Algorithm 1; De Luca & Book, Robots with flexible elements, 2016]
///
/// @param s.q series of all joints
/// @pre built with locked drives; uniform gravity; the order of T is at least chain.q_order
template <class T, class P>
void elastic_inverse_dynamics(const Mechanism& mech, const Parameters<P>& par, const ElasticChain& chain,
                              ElasticNewtonEuler<T>& s) {
  using S = std::decay_t<decltype(s.q[0][0])>;
  positions<T, P>(mech, par, s.q, s.kin);
  for (std::size_t k = 0; k < s.v.size(); ++k) s.v[k] = derivative(s.q[k]);

  // Outward: velocities, and the forces that the motion of each body needs.
  s.V[0] = Motion<T>::zero(), s.A[0] = Motion<T>::zero();
  s.lift[0] = over<T>(-par.gravity_W);
  for (int i = 1; i < mech.size(); ++i) {
    const auto b = static_cast<std::size_t>(i), p = static_cast<std::size_t>(mech.bodies[b].parent);
    with_joint(mech, par, s.kin, i, [&](const auto& X_PB, const auto& H) {
      Motion<T> V;
      if (p > 0) V = X_PB.inverse() * s.V[p];
      H.add(V, s.v.data() + mech.bodies[b].v.first);
      s.V[b] = V;
      s.lift[b] = X_PB.rotate_back(s.lift[p]);
    });
    const auto rate = [](const Vec3<T>& x) { return Vec3<T>{derivative(x.x), derivative(x.y), derivative(x.z)}; };
    s.A[b] = {rate(s.V[b].w), rate(s.V[b].v) + s.lift[b]};
    Force<T> momentum = par.M_B[b] * s.V[b];
    momentum.n += par.internal_momentum[b];
    s.F[b] = plus_cross(par.M_B[b] * s.A[b], s.V[b], momentum);
  }

  // Inward: the spring of each joint, and what its rotor does to its carrier.
  for (const int i : chain.bodies) {
    const auto b = static_cast<std::size_t>(i), p = static_cast<std::size_t>(mech.bodies[b].parent);
    with_joint(mech, par, s.kin, i, [&](const auto& X_PB, const auto& H) {
      H.project(s.F[b], &s.u[b]);
      if (p > 0) s.F[p] += X_PB * s.F[b];
    });
    const auto dof = static_cast<std::size_t>(mech.bodies[b].v.first);
    if (par.damping[dof] != P(0)) s.u[b] += s.v[dof] * S(par.damping[dof]);
    if (chain.drive_of_joint[b] < 0) continue;
    const ElasticDrive& drive = chain.drives[static_cast<std::size_t>(chain.drive_of_joint[b])];
    const RotorNumbers<P>& rotor = par.rotors[static_cast<std::size_t>(drive.rotor)];
    T& theta = s.theta[static_cast<std::size_t>(chain.drive_of_joint[b])];
    theta = s.q[static_cast<std::size_t>(mech.bodies[b].q.first)];
    if (drive.elastic) theta += s.u[b] * S(P(1) / rotor.stiffness);
    theta *= S(rotor.gear);
    if (drive.carrier == 0) continue;
    const auto c = static_cast<std::size_t>(drive.carrier);
    const auto frame = static_cast<std::size_t>(mech.rotors[static_cast<std::size_t>(drive.rotor)].frame);
    const Vec3<P> a = par.X_BF[frame].R * rotor.axis;
    const T speed = derivative(theta), acceleration = derivative(speed);
    s.F[c].n += (over<T>(a) * acceleration + cross(s.V[c].w, over<T>(a)) * speed) * T(S(rotor.inertia));
  }
}

/// The torque of the motor of drive d, after `elastic_inverse_dynamics`.
template <class T, class P>
auto motor_torque(const Mechanism& mech, const Parameters<P>& par, const ElasticChain& chain,
                  const ElasticNewtonEuler<T>& s, std::size_t d) {
  using S = std::decay_t<decltype(s.q[0][0])>;
  const ElasticDrive& drive = chain.drives[d];
  const RotorElement& element = mech.rotors[static_cast<std::size_t>(drive.rotor)];
  const RotorNumbers<P>& rotor = par.rotors[static_cast<std::size_t>(drive.rotor)];
  const S gear(rotor.gear), speed = s.theta[d][1];
  S acceleration = S(2) * s.theta[d][2];
  if (drive.carrier > 0) {
    const auto c = static_cast<std::size_t>(drive.carrier);
    const Vec3<P> a = par.X_BF[static_cast<std::size_t>(element.frame)].R * rotor.axis;
    const Vec3<T>& w = s.A[c].w;
    acceleration += S(a.x) * w.x[0] + S(a.y) * w.y[0] + S(a.z) * w.z[0];
  }
  return S(rotor.inertia) * acceleration +
         (s.u[static_cast<std::size_t>(drive.joint)][0] + S(rotor.viscous_friction) * speed / gear) / gear;
}

}  // namespace articula::drives
