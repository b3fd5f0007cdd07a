#pragma once

#include <limits>
#include <tuple>
#include <vector>

#include <articula/joints/joint_parameters.h>
#include <articula/mechanism/mechanism.h>
#include <articula/model/gravity/fields.h>
#include <articula/spatial/inertia.h>

namespace articula::mechanism {

/// The parameters of a spring, damper, actuator or constant wrench.
template <class T>
struct ForceNumbers {
  T stiffness = T(0), damping = T(0), rest = T(0), force = T(0);
  Force<T> wrench;
  std::vector<T> factors;  ///< of a shaft, of each of its degrees of freedom
  T offset = T(0);

  template <class S>
  static auto members(S& self) {
    return std::tie(self.stiffness, self.damping, self.rest, self.force, self.wrench, self.factors, self.offset);
  }
};

/// The parameters of a constraint.
template <class T>
struct ConstraintNumbers {
  T length = T(0), mass = T(0);  ///< of a rod
  T radius = T(0), friction = T(0), restitution = T(0);
  Vec3<T> axis{T(0), T(0), T(1)}, normal{T(0), T(0), T(1)};
  bool side_slip = false;
  JointParameters<T> joint;

  template <class S>
  static auto members(S& self) {
    return std::tie(self.length, self.mass, self.radius, self.friction, self.restitution, self.axis, self.normal,
                    self.side_slip, self.joint);
  }
};

/// The parameters of a rotor and its drive.
template <class T>
struct RotorNumbers {
  T inertia = T(0), gear = T(1);
  T stiffness = T(std::numeric_limits<double>::infinity());  ///< infinite: rigid
  T damping = T(0), friction = T(0), viscous_friction = T(0);
  Vec3<T> axis{T(0), T(0), T(1)};  ///< in the frame at which it is mounted

  template <class S>
  static auto members(S& self) {
    return std::tie(self.inertia, self.gear, self.stiffness, self.damping, self.friction, self.viscous_friction,
                    self.axis);
  }
};

/// One linear relation between shafts: Σ factors·q = offset.
template <class T>
struct CouplingNumbers {
  std::vector<T> factors;
  T offset = T(0);

  template <class S>
  static auto members(S& self) {
    return std::tie(self.factors, self.offset);
  }
};

/// The dependent positions of a linear cluster: q = G·y + offset.
template <class T>
struct ClosureNumbers {
  std::vector<T> G;  ///< a row for each dependent degree of freedom, a column for each independent one; row-major
  std::vector<T> offset;

  template <class S>
  static auto members(S& self) {
    return std::tie(self.G, self.offset);
  }
};

/// The numbers of a Mechanism: masses, placements, stiffnesses. With T = double they are constants of a robot; other
/// scalars make them symbolic, differentiated, or different in each SIMD lane.
template <class T>
struct Parameters {
  Vec3<T> gravity_W;                             ///< uniform gravity
  NoneOrField<std::monostate, T> gravity_field;  ///< gravity that depends on the position
  std::vector<Pose<T>> X_PF;                     ///< of each body's joint in its parent; a pure shift for sparse forms
  std::vector<PoseForm> placement;               ///< the current form of X_PF: shift or general
  std::vector<T> axis_sign;                      ///< ±1, of sparse axes
  std::vector<JointParameters<T>> joint;
  std::vector<Rotation<T>> R_FJ;             ///< axes of each joint's ports: in F and, for the other side, in B
  std::vector<Inertia<T>> M_B;               ///< of each body about its own frame
  std::vector<Vec3<T>> internal_momentum;    ///< of each body, in its axes
  std::vector<Pose<T>> X_BF;                 ///< of each frame in its body
  std::vector<Pose<T>> X_BC;                 ///< of each constituent in its body
  std::vector<Inertia<T>> M_C;               ///< of each constituent about its own frame
  std::vector<Vec3<T>> internal_momentum_C;  ///< of each constituent, in its axes
  std::vector<T> damping, friction;          ///< of each degree of freedom
  std::vector<T> armature;  ///< inertia along each degree of freedom beside that of the bodies: of rotors
  std::vector<ForceNumbers<T>> forces;
  std::vector<ConstraintNumbers<T>> constraints;
  std::vector<RotorNumbers<T>> rotors;
  std::vector<CouplingNumbers<T>> couplings;
  std::vector<ClosureNumbers<T>> closures;  ///< of each cluster: its couplings in solved form

  std::vector<double> lower, upper, speed_limit, force_limit;  ///< of each degree of freedom; infinite: no limit
  std::vector<double> torque_limit;  ///< of each rotor, along the degree of freedom that its friction acts on
  std::vector<double> q_start;       ///< the initial configuration

  template <class S>
  static auto members(S& self) {
    return std::tie(self.gravity_W, self.gravity_field, self.X_PF, self.placement, self.axis_sign, self.joint,
                    self.R_FJ, self.M_B, self.internal_momentum, self.X_BF, self.X_BC, self.M_C,
                    self.internal_momentum_C, self.damping, self.friction, self.armature, self.forces, self.constraints,
                    self.rotors, self.couplings, self.closures, self.lower, self.upper, self.speed_limit,
                    self.force_limit, self.torque_limit, self.q_start);
  }
};

/// The limit of what all drives on a degree of freedom exert together; infinite if one of them has none, or there are none.
template <class T>
double drive_limit(const Mechanism& mech, const Parameters<T>& par, int dof) {
  double sum = 0;
  bool is_driven = false;
  for (std::size_t r = 0; r < mech.rotors.size(); ++r) {
    if (mech.rotors[r].resisted != dof) continue;
    is_driven = true;
    sum += par.torque_limit[r];
  }
  return is_driven ? sum : std::numeric_limits<double>::infinity();
}

}  // namespace articula::mechanism
