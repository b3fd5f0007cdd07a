#pragma once

#include <span>
#include <vector>

#include <articula/drives/elastic_chain.h>
#include <articula/dynamics/force_elements.h>
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
        F(mech.bodies.size()),
        u(static_cast<std::size_t>(mech.nv)),
        sigma(chain.rotors.size()),
        theta(chain.rotors.size()) {}

  Positions<T> kin;
  std::vector<T> q, v;
  std::vector<Motion<T>> V;  ///< of each body, in a World that falls
  std::vector<Force<T>> F;   ///< that the joint of each body transmits to it
  std::vector<T> u;          ///< along each degree of freedom, that joints need
  std::vector<T> sigma;      ///< angle of each shaft behind its spring, group by group; in: σ(0) of damped springs
  bool steady = true;        ///< instead, damped springs are taken as at rest at this instant: σ̇ = q̇
  std::vector<T> theta;      ///< angle of each rotor
};

/// v of a joint that moves along q(t): dq/dt, but for quaternions w = 2·(q̄·dq/dt), and positions of free joints.
template <class T>
void velocity_along(const Body& body, const T* q, T* v) {
  const int quaternion = quaternion_in(body.joint);
  if (quaternion < 0) {
    for (int k = 0; k < body.v.count; ++k) v[k] = derivative(q[k]);
    return;
  }
  const T* const e = q + quaternion;
  const Vec3<T> x{e[0], e[1], e[2]}, dx{derivative(e[0]), derivative(e[1]), derivative(e[2])};
  const Vec3<T> half = dx * e[3] - x * derivative(e[3]) - cross(x, dx);
  for (int k = 0; k < 3; ++k) v[body.v.count - 3 + k] = half[k] * T(2.0);
  if (quaternion == 0) return;
  const Vec3<T> p = rotation_of(Quaternion<T>{e[0], e[1], e[2], e[3]})
                        .rotate_back(Vec3<T>{derivative(q[0]), derivative(q[1]), derivative(q[2])});
  for (int k = 0; k < 3; ++k) v[k] = p[k];
}

template <class T>
Vec3<T> derivative(const Vec3<T>& x) {
  return {derivative(x.x), derivative(x.y), derivative(x.z)};
}
template <class T>
Vec3<T> truncated(const Vec3<T>& x, int order) {
  return {truncated(x.x, order), truncated(x.y, order), truncated(x.z, order)};
}

/// The angles of the shafts and rotors of a group from the torques on its joints.
///
///     σ = q + (u − preload)/K;   damped:  σ_{k+1} = q_{k+1} + (u_k − preload + K·(q_k − σ_k))/(D·(k + 1))
///     θ = R·σ + offset
///
/// @param sigma of the group
/// @param steady σ₀ = q₀ + (u₀ − preload)/K of damped springs; otherwise it is given
template <class T>
void solve_group(const Mechanism& mech, const ElasticChain& chain, const ElasticGroup& group, std::span<const T> q,
                 std::span<const T> u, bool steady, T* sigma, std::span<T> theta) {
  using S = std::decay_t<decltype(q[0][0])>;
  const std::size_t n = group.shafts.size();
  for (std::size_t s = 0; s < n; ++s) {
    const ElasticGroup::Shaft& shaft = group.shafts[s];
    const T& q_s = q[static_cast<std::size_t>(position_of(mech, shaft.dof))];
    T u_s = truncated(u[static_cast<std::size_t>(shaft.dof)], shaft.order);
    u_s[0] -= S(shaft.preload);
    if (!shaft.elastic || shaft.damping == 0) {
      sigma[s] = truncated(q_s, shaft.order);
      if (shaft.elastic) sigma[s] += u_s * S(1 / shaft.stiffness);
      continue;
    }
    const S start = steady ? q_s[0] + u_s[0] * S(1 / shaft.stiffness) : sigma[s][0];
    sigma[s] = T::zero_of_order(shaft.order);
    sigma[s][0] = start;
    for (int k = 0; k < shaft.order; ++k) {
      sigma[s][k + 1] =
          q_s[k + 1] + (u_s[k] + S(shaft.stiffness) * (q_s[k] - sigma[s][k])) * S(1 / (shaft.damping * (k + 1)));
    }
  }
  for (std::size_t r = 0; r < n; ++r) {
    T& angle = theta[static_cast<std::size_t>(group.rotors[r])];
    angle = T(S(group.offset[r]));
    for (std::size_t s = 0; s < n; ++s) {
      if (group.R[r * n + s] != 0) angle += sigma[s] * S(group.R[r * n + s]);
    }
    angle = truncated(angle, chain.rotors[static_cast<std::size_t>(group.rotors[r])].order);
  }
}

/// The angles of the shafts behind damped springs, from those of the rotors: σ₀ = R⁻¹·(θ − offset).
template <class T, class Angles>
void start_shafts(const ElasticChain& chain, const Angles& theta, ElasticNewtonEuler<T>& s) {
  using S = std::decay_t<decltype(s.sigma[0][0])>;
  for (const ElasticGroup& group : chain.groups) {
    const std::size_t n = group.shafts.size();
    for (std::size_t k = 0; k < n; ++k) {
      S& sigma = s.sigma[group.first + k][0];
      sigma = S(0);
      for (std::size_t r = 0; r < n; ++r)
        sigma += S(group.inverse[k * n + r]) * (theta[static_cast<std::size_t>(group.rotors[r])] - S(group.offset[r]));
    }
  }
}

/// The axis of a rotor in its carrier.
template <class P>
Vec3<P> rotor_axis(const Mechanism& mech, const Parameters<P>& par, const ElasticRotor& rotor) {
  const auto element = static_cast<std::size_t>(rotor.element);
  return par.X_BF[static_cast<std::size_t>(mech.rotors[element].frame)].R * par.rotors[element].axis;
}

/// F_c.n += J·(θ̈·a + θ̇·ω_c × a). Derivatives of θ beyond its order change no torque.
template <class T, class P>
void act_on_carrier(const Mechanism& mech, const Parameters<P>& par, const ElasticChain& chain, std::size_t r,
                    ElasticNewtonEuler<T>& s) {
  const ElasticRotor& rotor = chain.rotors[r];
  if (rotor.carrier == 0) return;
  const auto c = static_cast<std::size_t>(rotor.carrier);
  const RotorNumbers<P>& numbers = par.rotors[static_cast<std::size_t>(rotor.element)];
  const int order = chain.order_F[c];
  const Vec3<P> a = rotor_axis(mech, par, rotor) * numbers.inertia;
  const T speed = derivative(s.theta[r]), acceleration = derivative(speed);
  s.F[c].n += over<T>(a) * extended(acceleration, order) +
              cross(truncated(s.V[c].w, order), over<T>(a)) * extended(speed, order);
}

/// The torques of motors that drive joints through gears and springs, so that the joints move along a given q(t). With the
/// torques u along the joints, the angles of the rotors follow (`solve_group`), and act on their carriers c:
///
///     u = Hᵀ·F + damping·v,    F_c.n += J·(θ̈·a + θ̇·ω_c × a),    tau = J·(θ̈ + a·ω̇_c) + R⁻ᵀ·u
///
/// The joint that carries c depends on them in turn; so every quantity is a power series in time, and each spring costs two
/// orders, or fewer: ElasticChain knows how many are needed of which. Newton-Euler recursion, velocities outward, forces inward,
/// each body as soon as all that acts on it is known. World falls with gravity, V₀ = −g·t: in it, nothing has weight.
/// [UNI Algorithm 1; De Luca & Book, Robots with flexible elements, 2016]
///
/// @param s.q series of all joints, to chain.q_order
/// @pre built with locked drives; uniform gravity
template <class T, class P>
void elastic_inverse_dynamics(const Mechanism& mech, const Parameters<P>& par, const ElasticChain& chain,
                              ElasticNewtonEuler<T>& s) {
  using S = std::decay_t<decltype(s.q[0][0])>;
  positions<T, P>(mech, par, s.q, s.kin);

  // Outward: velocities, and the forces that the motion of each body needs.
  s.V[0] = Motion<T>::zero();
  const Vec3<P> lift = -par.gravity_W;
  for (int k = 0; k < 3; ++k) s.V[0].v[k] = T::zero_of_order(chain.order_V[0]), s.V[0].v[k][1] = S(lift[k]);
  for (int i = 1; i < mech.size(); ++i) {
    const auto b = static_cast<std::size_t>(i), p = static_cast<std::size_t>(mech.bodies[b].parent);
    const int order = chain.order_F[b];
    T* const v = s.v.data() + mech.bodies[b].v.first;
    velocity_along(mech.bodies[b], s.q.data() + mech.bodies[b].q.first, v);
    for (int k = 0; k < mech.bodies[b].v.count; ++k) v[k] = truncated(v[k], chain.order_V[b]);
    with_joint(mech, par, s.kin, i, [&](const auto& X_PB, const auto& H) {
      s.V[b] = X_PB.inverse() * s.V[p];
      H.add(s.V[b], v);
    });
    // F = d(M·V)/dt in the axes of the body, in which M is constant.
    const Force<T> momentum = par.M_B[b] * s.V[b];
    const Force<T> rate{derivative(momentum.n), derivative(momentum.f)};
    const Motion<T> V{truncated(s.V[b].w, order), truncated(s.V[b].v, order)};
    s.F[b] = plus_cross(rate, V, Force<T>{momentum.n + over<T>(par.internal_momentum[b]), momentum.f});
  }

  // Inward: torques along joints, springs, and what rotors do to their carriers.
  for (std::size_t k = 0; k < s.u.size(); ++k) s.u[k] = s.v[k] * S(-chain.damping[k]);
  add_shaft_forces<T, P>(mech, par, s.q, s.v, s.u);
  for (const int i : chain.bodies) {
    const auto b = static_cast<std::size_t>(i), p = static_cast<std::size_t>(mech.bodies[b].parent);
    const Range dofs = mech.bodies[b].v;
    std::array<T, most_joint_dofs> u;
    with_joint(mech, par, s.kin, i, [&](const auto& X_PB, const auto& H) {
      H.project(s.F[b], u.data());
      if (p == 0) return;
      const int order = chain.order_F[p];
      s.F[p] += X_PB * Force<T>{truncated(s.F[b].n, order), truncated(s.F[b].f, order)};
    });
    for (int k = 0; k < dofs.count; ++k) {
      T& sum = s.u[static_cast<std::size_t>(dofs.first + k)];
      sum = truncated(u[static_cast<std::size_t>(k)] - sum, chain.order_u[static_cast<std::size_t>(dofs.first + k)]);
    }
    for (const int g : chain.groups_after[b]) {
      const ElasticGroup& group = chain.groups[static_cast<std::size_t>(g)];
      solve_group<T>(mech, chain, group, s.q, s.u, s.steady, &s.sigma[group.first], s.theta);
      for (const int r : group.rotors) act_on_carrier(mech, par, chain, static_cast<std::size_t>(r), s);
    }
  }
}

/// The torque of the motor of rotor r, after `elastic_inverse_dynamics`.
template <class T, class P>
auto motor_torque(const Mechanism& mech, const Parameters<P>& par, const ElasticChain& chain,
                  const ElasticNewtonEuler<T>& s, std::size_t r) {
  using S = std::decay_t<decltype(s.q[0][0])>;
  const ElasticRotor& rotor = chain.rotors[r];
  const ElasticGroup& group = chain.groups[static_cast<std::size_t>(rotor.group)];
  const auto sign = [](const S& x) { return S((x > S(0)) - (x < S(0))); };
  S acceleration = S(2) * s.theta[r][2];
  if (rotor.carrier > 0) {
    const Vec3<P> a = rotor_axis(mech, par, rotor);
    const Vec3<T>& w = s.V[static_cast<std::size_t>(rotor.carrier)].w;
    for (int k = 0; k < 3; ++k) {
      if (w[k].order > 0) acceleration += S(a[k]) * w[k][1];
    }
  }
  S torque = S(par.rotors[static_cast<std::size_t>(rotor.element)].inertia) * acceleration +
             S(rotor.viscous_friction) * s.theta[r][1];
  if (rotor.friction != 0) torque += S(rotor.friction) * sign(s.theta[r][1]);
  const std::size_t n = group.shafts.size();
  const auto place = static_cast<std::size_t>(std::find(group.rotors.begin(), group.rotors.end(), static_cast<int>(r)) -
                                              group.rotors.begin());
  for (std::size_t k = 0; k < n; ++k) {
    const auto dof = static_cast<std::size_t>(group.shafts[k].dof);
    S u = s.u[dof][0];
    if (chain.friction[dof] != 0) u += S(chain.friction[dof]) * sign(s.v[dof][0]);
    torque += S(group.inverse[k * n + place]) * u;
  }
  return torque;
}

}  // namespace articula::drives
