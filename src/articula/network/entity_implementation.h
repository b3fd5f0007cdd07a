#pragma once

#include <span>
#include <string>
#include <vector>

#include <articula/model/entities/custom.h>
#include <articula/model/environment.h>
#include <articula/network/message.h>

namespace articula::network {

/// The part of the network that an entity can access: the messages at its ports, its coordinates, and the environment.
/// Ports are numbered in the order of the entity's list.
struct ARTICULA_EXPORT Site {
  Representation representation = Representation::body;
  const Gravity& gravity;
  bool passive = false;  ///< springs, dampers and friction act
  int root = 0;          ///< the port through which motion entered; of a reference frame, the frame itself
  std::span<const PortRole> role;
  std::span<Motions> motion;
  std::span<Force<double>> force;
  std::span<Articulated> articulated;
  std::span<Turn> turn;      ///< of shafts
  std::span<double> torque;  ///< likewise: what is asked for there
  std::span<const double> q, v;
  std::span<double> vdot, tau;

  /// The messages at port k.
  Motions& motion_at(int k) const { return motion[static_cast<std::size_t>(k)]; }
  Force<double>& force_at(int k) const { return force[static_cast<std::size_t>(k)]; }
  Articulated& articulated_at(int k) const { return articulated[static_cast<std::size_t>(k)]; }
  Turn& turn_at(int k) const { return turn[static_cast<std::size_t>(k)]; }
  double& torque_at(int k) const { return torque[static_cast<std::size_t>(k)]; }
  bool is_connected(int k) const { return role[static_cast<std::size_t>(k)] != PortRole::open; }

  // --- between ports, in the representation of the network ---------------------------------------------------------

  /// φ: V_out = φ·V_in for frames that do not move relative to each other, and F_in = φᵀ·F_out = φ⁻¹·F_out as poses.
  /// The entity knows X_out_in best: from places in World it would lose digits along a long chain.  [UNI (2.18)]
  Pose<double> phi(int out, int in, const Pose<double>& X_out_in) const {
    if (representation == Representation::body) return X_out_in;
    return shift_between(representation, X_W(out), X_W(in));
  }
  /// φ̇·V: A_out = φ·A_in + φ̇·V between such frames. Zero in body and absolute representation.  [UNI (2.20)]
  Motion<double> phidot_V(int out, int in, const Pose<double>& phi) const {
    const Motion<double>&V_out = motion_at(out).V, &V_in = motion_at(in).V;
    return cross(frame_rate(representation, V_out), V_out) - phi * cross(frame_rate(representation, V_in), V_in);
  }
  /// From the axes of port k to the representation.
  Pose<double> X(int k) const { return pose_to(representation, motion_at(k).X_W); }

  // --- at one port, in its own frame: enough for an entity that hangs on one body ----------------------------------

  const Pose<double>& X_W(int k) const { return motion_at(k).X_W; }
  Motion<double> V_P(int k) const { return inverted(X(k)) * motion_at(k).V; }
  Motion<double> A_P(int k) const {
    const auto& [X_WP, V, A] = motion_at(k);
    return inverted(X(k)) * (A - cross(frame_rate(representation, V), V));
  }
  void set_V_P(int k, const Motion<double>& V_P) const { motion_at(k).V = X(k) * V_P; }
  void set_A_P(int k, const Motion<double>& A_P) const {
    const Motion<double>& V = motion_at(k).V;
    motion_at(k).A = X(k) * A_P + cross(frame_rate(representation, V), V);
  }
  Force<double> F_P(int k) const { return inverted(X(k)) * force_at(k); }

  /// The force that the entity asks for at port k, i.e. minus what it exerts on what carries it.
  void take(int k, const Force<double>& F_P) const { force_at(k) = X(k) * F_P; }
  /// The same as a function of the acceleration: F_P = P_P·A_P + z_P.
  void take(int k, const ArticulatedInertia<double>& P_P, const Force<double>& z_P) const {
    const Motion<double>& V = motion_at(k).V;
    const ArticulatedInertia<double> P = X(k) * P_P;
    articulated_at(k) = {P, X(k) * z_P - P * cross(frame_rate(representation, V), V)};
  }

  /// The acceleration of gravity at a point in World.
  Vec3<double> gravity_at(const Vec3<double>& p_W) const;
};

/// The names of the coordinates of a user-defined entity; `v` has the size of `vdot` and `tau`.
struct OwnCoordinates {
  std::vector<std::string> q, v;
};

/// An entity's part in every algorithm: small transformations between its ports.  [UNI 4.2.1, MBSEntImpl]
///
/// No transformation knows what lies beyond the ports, nor keeps anything: what it needs is in the messages. A sweep
/// calls one after another, outward from the reference frames or inward to them. A user's own entity derives from
/// this class and is put into `Custom::implementation`, or registered by its type (Implementations).
class ARTICULA_EXPORT EntityImplementation : public CustomImplementation {
 public:
  // --- causality ------------------------------------------------------------------------------------------------

  /// Whether its motion is known: the search for causality begins at its port 0.
  virtual bool is_reference() const { return false; }
  /// Whether the motion of spatial port `in` gives that of `out`. An entity that carries nothing ends the way there,
  /// and may be reached at several ports: a force between two bodies.
  virtual bool carries(int in, int out) const;
  /// Whether its ports never move relative to each other, so that connections may lead around it.
  virtual bool is_rigid() const { return false; }
  /// Coordinates in addition to those of the flat form: for user-defined entities only.
  virtual OwnCoordinates coordinates() const { return {}; }

  // --- shafts: turns before all other sweeps, torques after them ------------------------------------------------

  /// Whether the turns of its shafts that are `in` give that of shaft `out`.
  virtual bool turns(std::span<const PortRole>, int out) const;
  /// From the turns of its shafts that are `in`, those that are `out`.
  virtual void pass_turns(const Site&) const {}
  /// From the torques of its shafts that are `out`, those that are `in`; and tau of its own coordinates. All motions and
  /// forces are known.
  virtual void pass_torques(const Site&) const {}

  // --- kinematics, outward: from motion[root] to the ports it carries -------------------------------------------

  virtual void position(const Site&) const {}
  virtual void velocity(const Site&) const {}
  virtual void acceleration(const Site&) const {}

  // --- Newton-Euler, inward: from the forces of its outports to that of its inports, and tau --------------------

  virtual void action(const Site& site) const = 0;

  // --- articulated body, inward: the same without knowing the acceleration yet; then outward: vdot --------------

  virtual void articulated_action(const Site& site) const = 0;
  virtual void joint_acceleration(const Site&) const {}
};

/// The implementation of a kind of entity; one specialization per file in entities/.
template <class K>
class Implementation;

}  // namespace articula::network
