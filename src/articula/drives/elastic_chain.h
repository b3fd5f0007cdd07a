#pragma once

#include <string>
#include <vector>

#include <articula/base/export.h>
#include <articula/mechanism/parameters.h>

namespace articula::drives {

/// A drive as inverse dynamics of elastic joints sees it.
struct ElasticDrive {
  int rotor = -1;        ///< in Mechanism::rotors
  int joint = -1;        ///< the body that its joint moves
  int carrier = 0;       ///< the body that it is mounted on; 0: World
  bool elastic = false;  ///< there is a spring; otherwise its angle follows from that of the joint
  int order = 2;         ///< the highest time derivative of its angle that torques depend on
};

/// The drives of a mechanism, and in which order bodies are solved: a body after those that it carries, and after the joints
/// of the rotors that are mounted on it.
///
/// The angle θ_j of an elastic drive follows from the torque u_j of its spring. Its rotor acts on the torques of the joints i
/// that carry it, through θ̈_j if S_ij = h_i·a_j is not identically zero, and through θ̇_j if h_i·(ω × a_j) is not. So
///
///     order of θ_j = max(2, order of u_i + 2 or + 1),    order of u_i = order of θ_i if drive i is elastic, otherwise 0
///
/// S and the second product are polynomials in sines and cosines of q: those that are zero at several generic states are
/// identically zero.  [UNI 3.2.1.5, Algorithm 1]
///
/// @pre the mechanism was built with locked drives
struct ARTICULA_EXPORT ElasticChain {
  /// Throws an Error that names the drive or joint if the torques are not determined algebraically: a rotor on a body that
  /// its own joint carries, a drive on a missing joint, two drives on one joint, a stiffness that is not positive, damping
  /// parallel to a spring, Coulomb friction, forces other than gravity, joints other than revolute and prismatic ones, gears.
  ElasticChain(const Mechanism& mech, const Parameters<double>& par);

  std::vector<ElasticDrive> drives;  ///< in the order of the model
  std::vector<int> drive_of_joint;   ///< by body; −1: none
  std::vector<std::vector<int>> on;  ///< by body, the drives that are mounted on it
  std::vector<int> bodies;           ///< in the order of solution, World excluded
  std::vector<std::string> names;    ///< of the drives
  int q_order = 2;                   ///< the highest time derivative of q that torques depend on
};

}  // namespace articula::drives
