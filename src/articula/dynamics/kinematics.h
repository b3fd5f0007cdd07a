#pragma once

#include <array>
#include <span>
#include <type_traits>
#include <vector>

#include <articula/dynamics/axes.h>
#include <articula/mechanism/parameter_fields.h>
#include <articula/scalar/sincos.h>

namespace articula::dynamics {

/// Which joints turn about coordinate axes, so that their sines and cosines are computed together.
struct Turns {
  ARTICULA_EXPORT explicit Turns(const Mechanism& mech);
  ARTICULA_EXPORT Turns(const Turns&);
  ARTICULA_EXPORT ~Turns();

  std::vector<int> angle;  ///< where in q that of each turn is; whole blocks of eight, any angle for the rest
  std::vector<std::size_t> turning, others;  ///< the bodies whose joints are turns, and are not
};

/// Where every body is at q: the pose of each in its parent, and the axes of its joint.
///
/// Laid flat and sparse: a turn keeps its cosine and sine, only general joints keep matrices. `with_joint` opens it.
template <class T>
struct Positions : Turns {
  explicit Positions(const Mechanism& mech)
      : Turns(mech),
        c(angle.size(), T(1)),
        s(angle.size(), T(0)),
        X_PB(mech.bodies.size()),
        H(static_cast<std::size_t>(mech.nv)) {}

  std::vector<T> c, s;        ///< of the angle by which each turn turns about its coordinate axis, by body
  std::vector<Pose<T>> X_PB;  ///< by body, of general joints; of slides the origin only
  std::vector<Motion<T>> H;   ///< axes in B, by degree of freedom, of general joints only
};

/// How every body moves at (q, v): its velocity, and the part of its acceleration that vdot does not cause.
template <class T>
struct Velocities : Positions<T> {
  explicit Velocities(const Mechanism& mech)
      : Positions<T>(mech), V_B(mech.bodies.size()), A_bias_B(mech.bodies.size()) {}

  std::vector<Motion<T>> V_B;       ///< motion of B in World, expressed in B
  std::vector<Motion<T>> A_bias_B;  ///< V_B × (H·v) + Ḣ·v
};

/// Whether the axes of a joint are those of its body's frame, all six.
inline bool has_free_axes(const Body& body) { return body.joint == JointKind::free && !body.reversed; }

/// Whether a body floats in World, held by nothing.
inline bool floats(const Body& body) { return has_free_axes(body) && body.parent == 0; }

/// Calls `f(X_PB, H)` with the pose of body i in its parent and the axes of its joint, as types that know their
/// sparsity. No algorithm beyond this knows a joint kind.
template <class T, class P, class F>
ARTICULA_INLINE decltype(auto) with_joint(const Mechanism& mech, const Parameters<P>& par, const Positions<T>& kin,
                                          int i, F&& f) {
  const auto k = static_cast<std::size_t>(i);
  const Body& body = mech.bodies[k];
  const P sign = par.axis_sign[k];
  const Vec3<P>& p = par.X_PF[k].p;
  switch (body.axis) {
    case AxisForm::turn_x: return f(Turn<T, 0, P>{kin.c[k], kin.s[k], p}, OneAxis<TurnAxis<P, 0>>{{sign}});
    case AxisForm::turn_y: return f(Turn<T, 1, P>{kin.c[k], kin.s[k], p}, OneAxis<TurnAxis<P, 1>>{{sign}});
    case AxisForm::turn_z: return f(Turn<T, 2, P>{kin.c[k], kin.s[k], p}, OneAxis<TurnAxis<P, 2>>{{sign}});
    case AxisForm::slide_x: return f(Shift<T>{kin.X_PB[k].p}, OneAxis<SlideAxis<P, 0>>{{sign}});
    case AxisForm::slide_y: return f(Shift<T>{kin.X_PB[k].p}, OneAxis<SlideAxis<P, 1>>{{sign}});
    case AxisForm::slide_z: return f(Shift<T>{kin.X_PB[k].p}, OneAxis<SlideAxis<P, 2>>{{sign}});
    case AxisForm::general: break;
  }
  const Pose<T>& X_PB = kin.X_PB[k];
  if (has_free_axes(body)) return f(X_PB, FreeAxes{});
  return f(X_PB, DenseAxes<T>{kin.H.data() + body.v.first, body.v.count});
}

/// Sines and cosines of all turns.
template <class T, class P>
void turns(const Parameters<P>& par, std::span<const T> q, Positions<T>& kin) {
  if constexpr (std::is_same_v<T, double>) {
    sincos(q.data(), kin.angle.data(), kin.s.data(), kin.c.data(), static_cast<int>(kin.angle.size()));
    for (const std::size_t i : kin.turning) kin.s[i] *= par.axis_sign[i];
  } else {
    for (const std::size_t i : kin.turning) {
      const T& angle = q[static_cast<std::size_t>(kin.angle[i])];
      if constexpr (requires { sincos(angle, kin.s[i], kin.c[i]); }) {
        sincos(angle, kin.s[i], kin.c[i]);
      } else {
        using std::cos, std::sin;
        kin.s[i] = sin(angle);
        kin.c[i] = cos(angle);
      }
      kin.s[i] = par.axis_sign[i] * kin.s[i];
    }
  }
}

/// The parameters of body i's joint, which is of kind J, over the scalar of the state.
template <class J, class T, class P>
ARTICULA_INLINE decltype(auto) joint_parameters(const Parameters<P>& par, std::size_t i) {
  using Own = ParametersOf<J, T>;
  const auto& own = parameters_of<J>(par.joint[i]);
  if constexpr (std::is_same_v<Own, ParametersOf<J, P>>) {
    return (own);
  } else {
    Own converted;
    convert_numbers(own, converted);
    return converted;
  }
}

/// The placement and axes of a joint that is not sparse.
template <class T, class P>
[[gnu::noinline]] void general_joint(const Body& body, const Parameters<P>& par, std::size_t i, const T* q,
                                     Positions<T>& kin) {
  Motion<T>* H = kin.H.data() + body.v.first;
  visit_joint(body.joint, [&]<class J>(J) {
    const auto& numbers = joint_parameters<J, T>(par, i);
    Pose<T> X_FM = J::X_FM(numbers, q);
    if (!has_free_axes(body)) J::H_M(numbers, q, H);
    if (body.reversed) {
      // Seen from the other side: F moves in M as M moves in F, but backwards.
      for (std::size_t k = 0; k < J::v.size(); ++k) H[k] = -(X_FM * H[k]);
      X_FM = inverted(X_FM);
    }
    if (par.placement[i] == PoseForm::shift) {
      kin.X_PB[i] = {X_FM.R, par.X_PF[i].p + X_FM.p};
    } else {
      kin.X_PB[i] = par.X_PF[i] * X_FM;
    }
  });
}

/// Position kinematics: the pose of each body in its parent, X_PB = X_PF·X_FM(q), and the axes of its joint.
template <class T, class P>
void positions(const Mechanism& mech, const Parameters<P>& par, std::span<const T> q, Positions<T>& kin) {
  turns(par, q, kin);
  for (const std::size_t i : kin.others) {
    const Body& body = mech.bodies[i];
    const auto first = static_cast<std::size_t>(body.q.first);
    if (body.axis <= AxisForm::slide_z) {
      const int k = static_cast<int>(body.axis) - static_cast<int>(AxisForm::slide_x);
      kin.X_PB[i].p = over<T>(par.X_PF[i].p);
      kin.X_PB[i].p[k] += par.axis_sign[i] * q[first];
    } else {
      general_joint(body, par, i, q.data() + first, kin);
    }
  }
}

/// Ḣ·v of a joint that is not sparse.
template <class T, class P>
[[gnu::noinline]] Motion<T> general_bias(const Body& body, const Parameters<P>& par, std::size_t i, const T* q,
                                         const T* v) {
  return visit_joint(body.joint, [&]<class J>(J) -> Motion<T> {
    const auto& numbers = joint_parameters<J, T>(par, i);
    const Motion<T> bias = J::Hdot_v(numbers, q, v);
    return body.reversed ? -(J::X_FM(numbers, q) * bias) : bias;
  });
}

/// From the motion of the parent, seen from B, to that of B: what the joint's rates v and vdot add.
///
///     V += H·v,    A += H·vdot + V × (H·v) + Ḣ·v
template <class T, class P, class Axes>
ARTICULA_INLINE void move_along(const Body& body, const Parameters<P>& par, int i, const Axes& H, const T* q,
                                const T* v, const T* vdot, Motion<T>& V, Motion<T>& A) {
  H.add(A, vdot + body.v.first);
  H.add(V, v + body.v.first);
  H.add_cross(A, V, v + body.v.first);
  if constexpr (!Axes::constant)
    A += general_bias(body, par, static_cast<std::size_t>(i), q + body.q.first, v + body.v.first);
}

/// Velocity kinematics: V_B = X_BP·V_P + H·v, and A_bias = V_B × (H·v) + Ḣ·v.  [Featherstone 2008, table 5.1]
///
/// @pre `positions` has filled `kin` at the same q
template <class T, class P>
ARTICULA_FLAT void velocities(const Mechanism& mech, const Parameters<P>& par, std::span<const T> q,
                              std::span<const T> v, Velocities<T>& kin) {
  kin.V_B[0] = Motion<T>::zero();
  for (int i = 1; i < mech.size(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    const Body& body = mech.bodies[k];
    with_joint(mech, par, kin, i, [&](const auto& X_PB, const auto& H) {
      Motion<T> V = X_PB.inverse() * kin.V_B[static_cast<std::size_t>(body.parent)];
      Motion<T> bias;
      H.add(V, v.data() + body.v.first);
      H.add_cross(bias, V, v.data() + body.v.first);
      if constexpr (!std::decay_t<decltype(H)>::constant) {
        bias += general_bias(body, par, k, q.data() + body.q.first, v.data() + body.v.first);
      }
      kin.V_B[k] = V;
      kin.A_bias_B[k] = bias;
    });
  }
}

}  // namespace articula::dynamics
