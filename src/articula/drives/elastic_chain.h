#pragma once

#include <limits>
#include <string>
#include <vector>

#include <articula/base/export.h>
#include <articula/mechanism/parameters.h>

namespace articula::drives {

/// Shafts of joints and the rotors that drive them through gears and springs: one of each for a drive, several for a coupled
/// wrist. With the angle σ of each shaft behind its spring, and the torque u that the spring exerts on the joint,
///
///     θ = R·σ + offset,    u = K·(σ − q) + D·(σ̇ − q̇) + preload,    σ = q where there is no spring
struct ElasticGroup {
  struct Shaft {
    int dof = -1;  ///< of the joint
    bool has_spring = false;
    bool elastic = false;  ///< its spring is not taken as rigid
    double stiffness = 0, damping = 0, preload = 0;
    int order = 0;  ///< the highest time derivative of σ that torques depend on
  };
  std::vector<Shaft> shafts;
  std::size_t first = 0;           ///< how many shafts the groups before it have
  std::vector<int> rotors;         ///< in ElasticChain::rotors, as many
  std::vector<double> R, inverse;  ///< rotors × shafts, shafts × rotors, row by row
  std::vector<double> offset;      ///< of each rotor
};

/// A rotor as inverse dynamics of elastic joints sees it.
struct ElasticRotor {
  int element = -1;  ///< in Mechanism::rotors
  int carrier = 0;   ///< the body that it is mounted on; 0: World
  int group = -1;
  std::string name;
  double viscous_friction = 0, friction = 0;                                                  ///< along its angle
  double torque_limit = std::numeric_limits<double>::infinity(), speed_limit = torque_limit;  ///< on its own side
  int order = 2;  ///< the highest time derivative of its angle that torques depend on
};

/// The drives of a mechanism, and in which order bodies are solved: a body after those that it carries, and after the joints
/// of the rotors that are mounted on it.
///
/// The angles θ of a group follow from the torques u on its joints. A rotor j acts on the torques of the joints i that carry
/// it, through θ̈_j if S_ij = h_i·a_j is not identically zero, and through θ̇_j if h_i·(ω × a_j) is not. So
///
///     order of θ_j = max(2, order of u_i + 2 or + 1),    order of u_i = that of θ_i behind a spring, one less if it is damped,
///                                                                       0 without a spring
///
/// S and the second product are polynomials in sines and cosines of q: those that are zero at several generic states are
/// identically zero.  [UNI 3.2.1.5, Algorithm 1]
struct ARTICULA_EXPORT ElasticChain {
  /// @param mech, par with locked drives
  /// @param full, par_full the same model with elastic drives, whose gears and springs they are
  /// @param rigid springs are taken as rigid
  ///
  /// Throws an Error that names the drive or joint if the torques are not determined by q(t): a rotor on a body that its own
  /// joint moves, a rotor without joint, more or fewer rotors than joints in a group, a stiffness that is not positive, Coulomb
  /// friction behind a spring, forces between points, gears between joints, more than 64 time derivatives.
  ElasticChain(const Mechanism& mech, const Parameters<double>& par, const Mechanism& full,
               const Parameters<double>& par_full, bool rigid = false);

  std::vector<ElasticRotor> rotors;  ///< in the order of the model
  std::vector<ElasticGroup> groups;
  std::vector<int> bodies;                     ///< in the order of solution, World excluded
  std::vector<std::vector<int>> groups_after;  ///< by body, the groups whose joints are all known then
  std::vector<double> damping;                 ///< along each degree of freedom, of joints and of rigid drives
  std::vector<double> friction;                ///< the same, of dry friction
  std::vector<int> order_u;                    ///< of the torque along each degree of freedom
  std::vector<int> order_V, order_F;           ///< of velocity and force of each body
  int q_order = 2;                             ///< the highest time derivative of q that torques depend on
  bool has_damped_springs = false;             ///< then angles of rotors are state

 private:
  void find_groups(const Mechanism& mech, const Mechanism& full, const Parameters<double>& par_full);
  void take_limits(const Mechanism& full, const Parameters<double>& par_full);
  void take_friction(const Mechanism& mech, const Mechanism& full, const Parameters<double>& par_full);
  void order_bodies(const Mechanism& mech);
  void find_orders(const Mechanism& mech, const Parameters<double>& par);
  void find_orders_of_shafts(ElasticGroup& group);
  void require_order(const Mechanism& mech, int order) const;
  void require_smooth_torques(const Mechanism& mech) const;
};

}  // namespace articula::drives
