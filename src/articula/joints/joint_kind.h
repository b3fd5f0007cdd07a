#pragma once

#include <array>
#include <concepts>
#include <span>
#include <string_view>
#include <tuple>

#include <articula/base/units.h>
#include <articula/spatial/motion.h>

namespace articula::joints {

/// The parameters of a kind that has none.
struct NoParameters {
  template <class Self, class Visitor>
  static void fields(Self&, Visitor&&) {}
  template <class Self>
  static auto members(Self&) {
    return std::tuple<>();
  }
  friend bool operator==(const NoParameters&, const NoParameters&) = default;
};

namespace detail {
template <class J, class T>
struct OwnParameters {
  using Type = NoParameters;
};
template <class J, class T>
  requires requires { typename J::template Parameters<T>; }
struct OwnParameters<J, T> {
  using Type = typename J::template Parameters<T>;
};
}  // namespace detail

/// The parameters of a joint of kind J over the scalar T: its own struct, or none.
template <class J, class T>
using ParametersOf = typename detail::OwnParameters<J, T>::Type;

/// How the axes that a user writes orient a joint's own frame, in which its motion is canonical.
enum class AxisUse {
  none,  ///< spherical, free, fixed: the joint has no axis
  one,   ///< `axis`: the joint's z
  two,   ///< `axes`: the joint's x and y
};

/// The name of one coordinate of a joint and what it measures.
struct Coordinate {
  std::string_view name;
  Dimension dimension;
  bool wraps = false;  ///< of an angle: a whole turn leads back to the same pose
};

/// A turn about, or a slide along, a coordinate axis by ratio·q[coordinate].
template <class T>
struct TurnOrSlide {
  bool turns = false;
  int axis = 0, coordinate = 0;
  T ratio = T(1);
  std::string_view name = {};  ///< of what it moves by, where that is not the coordinate itself
};

template <class T>
constexpr TurnOrSlide<T> turn_about(int axis, int coordinate) {
  return {true, axis, coordinate};
}
template <class T>
constexpr TurnOrSlide<T> slide_along(int axis, int coordinate, const T& ratio = T(1), std::string_view name = {}) {
  return {false, axis, coordinate, ratio, name};
}

/// What a joint kind defines, in its canonical frames F (inboard) and M (outboard). One file per kind; the
/// list is in kinds.h, and the laws that hold for each are in laws.h.
///
///     name, axis_use                its text form
///     q, v                          names and dimensions of its coordinates, nq and nv of them; which angles wrap
///     neutral                       the coordinates at which M coincides with F
///     quaternion                    where in q the unit quaternion of M in F begins, after the position of M; −1: none
///     series                        coordinates by which a time series moves it (time_series.h); empty: those of q
///     X_FM(par, q)                  pose of M in F
///     H_M(par, q, H)                motion of M in F, expressed in M: V = Σ H[k]·v[k]
///     Hdot_v(par, q, v)             Ḣ·v, the acceleration in M that vdot does not account for
///     qdot(q, v, qdot)              dq/dt
///     advanced(q, dv, q_new)        q moved along the tangent vector dv: X(q ⊕ dv) ≈ X(q)·exp(H·dv) to first order
///     difference(q0, q1, dv)        the dv with q0 ⊕ dv = q1
///
/// Only where H changes with q, which the analytic derivatives of dynamics need:
///     dH_M(par, q, k, dH)           dH[m] = ∂H[m]/∂q along the k-th tangent direction
///     dHdot_v(par, q, v, k)         ∂(Ḣ·v)/∂q along the same
///
/// Only where the motion has numbers of its own (`par` is NoParameters elsewhere):
///     Parameters<T>                 a struct of T: its properties in text (`fields`), the same in order (`members`), ==
///     Parameters<T>::check(require) what is asked of them beyond being finite: require(good, code, name, value, rule)
///
/// Only where the motion is made of turns and slides:
///     turns_and_slides(par)         those whose product is X_FM, in order
template <class J>
concept JointKindOf =
    requires(const ParametersOf<J, double>& par, const double* q, const double* v, double* out, Motion<double>* H) {
      { J::name } -> std::convertible_to<std::string_view>;
      { J::axis_use } -> std::convertible_to<AxisUse>;
      { J::quaternion } -> std::convertible_to<int>;
      J::series.size();
      J::q.size();
      J::v.size();
      J::neutral.size();
      { J::X_FM(par, q) } -> std::same_as<Pose<double>>;
      J::H_M(par, q, H);
      { J::Hdot_v(par, q, v) } -> std::same_as<Motion<double>>;
      J::qdot(q, v, out);
      J::advanced(q, v, out);
      J::difference(q, q, out);
    };

/// The turns and slides that a joint of kind J is made of; none if it is not made of such.
template <class J, class T>
constexpr auto turns_and_slides(const ParametersOf<J, T>& par) {
  if constexpr (requires { J::template turns_and_slides<T>(par); }) {
    return J::template turns_and_slides<T>(par);
  } else {
    return std::array<TurnOrSlide<T>, 0>{};
  }
}

/// Whether the axes of a kind change with q; otherwise they are the same in M everywhere.
template <class J>
inline constexpr bool axes_change =
    requires(const ParametersOf<J, double>& par, const double* q, Motion<double>* dH) { J::dH_M(par, q, 0, dH); };

/// What all joints share whose coordinates are a vector space: q moves as v says.
template <int n>
struct VectorCoordinates {
  static constexpr std::array<double, n> neutral{};
  static constexpr int quaternion = -1;
  static constexpr std::array<Coordinate, 0> series{};

  template <class T>
  static void qdot(const T*, const T* v, T* rate) {
    for (int k = 0; k < n; ++k) rate[k] = v[k];
  }
  template <class T>
  static void advanced(const T* q, const T* dv, T* q_new) {
    for (int k = 0; k < n; ++k) q_new[k] = q[k] + dv[k];
  }
  template <class T>
  static void difference(const T* q0, const T* q1, T* dv) {
    for (int k = 0; k < n; ++k) dv[k] = q1[k] - q0[k];
  }
};

/// Unit quaternions (x, y, z, w) that move with an angular velocity expressed in M.
struct QuaternionCoordinates {
  static constexpr int quaternion = 0;
  static constexpr std::array series{Coordinate{"roll", dimension::angle}, Coordinate{"pitch", dimension::angle},
                                     Coordinate{"yaw", dimension::angle}};

  template <class T>
  static Quaternion<T> read(const T* q) {
    return {q[0], q[1], q[2], q[3]};
  }
  template <class T>
  static void write(const Quaternion<T>& a, T* q) {
    q[0] = a.x, q[1] = a.y, q[2] = a.z, q[3] = a.w;
  }
  /// q̇ = ½ q ⊗ (ω, 0)
  template <class T>
  static void qdot(const T* q, const T* w, T* rate) {
    const T half(0.5);
    write(read(q) * Quaternion<T>{half * w[0], half * w[1], half * w[2], T(0)}, rate);
  }
  template <class T>
  static void advanced(const T* q, const T* turn, T* q_new) {
    write(read(q) * quaternion_exp(Vec3<T>{turn[0], turn[1], turn[2]}), q_new);
  }
  template <class T>
  static void difference(const T* q0, const T* q1, T* turn) {
    const Vec3<T> phi = quaternion_log(conjugate(read(q0)) * read(q1));
    turn[0] = phi.x, turn[1] = phi.y, turn[2] = phi.z;
  }
};

}  // namespace articula::joints
