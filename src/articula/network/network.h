#pragma once

#include <Eigen/Dense>

#include <articula/network/dataflow.h>
#include <articula/network/restriction.h>

namespace articula::network {

/// A force and moment from outside, at the origin of a port and in the axes of a port: `network.port({"hand", "tip"})`.
struct AppliedForce {
  int port = 0;
  Force<double> wrench;
  int axes = -1;  ///< −1: World's
};

/// The dynamics of a model computed entity by entity, as a network through which messages flow.  [UNI 2.3, 4.2.1]
///
///     Network arm(model);
///     arm.inverse_dynamics(q, v, vdot, tau);
///     Force<double> F = arm.force_at({"elbow", "from"});
///
/// Each entity of the user is a node, none merged; what it does to messages is its implementation. The order of q, v,
/// vdot and tau is that of the flat form, with which the results agree; but no algorithm is shared with it, gravity may
/// depend on position, and user-defined entities are included. External forces and gears act; springs, dampers, friction
/// and drives only with `passive`, and rotors as `drives` says, as in every other computation. A plain value: copies are
/// independent.
class ARTICULA_EXPORT Network {
 public:
  /// Checks, dissolves parts, finds causality. Throws an Error for what cannot be computed: loops above all.
  explicit Network(const Model& model, const NetworkOptions& options = {});

  /// The names of all states.
  const StateLayout& layout() const { return structure().layout; }
  int nq() const { return static_cast<int>(layout().q.size()); }
  int nv() const { return static_cast<int>(layout().v.size()); }

  /// Entities that take no part, by name.
  const std::vector<std::string>& left_out() const { return structure().left_out; }

  // After construction nothing is allocated. Arguments of the wrong size, or that are not finite, are an Error.

  /// Sets the applied forces of all later computations, in addition to those of the model. Allocates only if there are
  /// more than ever before.
  void apply(std::span<const AppliedForce> forces);

  /// One sweep: the motions of all ports.
  void kinematics(std::span<const double> q, std::span<const double> v, std::span<const double> vdot);

  /// Two sweeps, Newton-Euler: the forces tau that go with an acceleration; of prescribed motion, those that make it.
  void inverse_dynamics(std::span<const double> q, std::span<const double> v, std::span<const double> vdot,
                        std::span<double> tau);

  /// Three sweeps, articulated body: the acceleration. Where motion is prescribed, vdot is read and tau is not used.
  /// The result is NaN for a joint that moves nothing that has inertia. With gears, rotors or drives, from the mass
  /// matrix, whose columns are inverse dynamics: O(n²) sweeps.
  void forward_dynamics(std::span<const double> q, std::span<const double> v, std::span<const double> tau,
                        std::span<double> vdot);

  /// The index of a port. Throws an Error if there is none.
  int port(const PortRef& name) const { return structure().port(name); }

  // --- at a port, after a computation; names as in the flattened model ------------------------------------------

  Pose<double> pose_at(const PortRef& port) const;            ///< in World
  Motion<double> velocity_at(const PortRef& port) const;      ///< of its frame in World, expressed in it
  Motion<double> acceleration_at(const PortRef& port) const;  ///< the component-wise rate of that

  /// The force that passes through the port, exerted by what lies inboard on what lies outboard, in the port's frame;
  /// of the last dynamics. Where rigid connections lead around, it all goes the way that was found first.
  Force<double> force_at(const PortRef& port) const;

  /// The recursion restricted to some ports, in the order given.
  network::Restriction restricted_to(const std::vector<PortRef>& ports) const;

  /// The internal structure, for inspection.
  const network::Structure& structure() const { return flow_.structure(); }

 private:
  void find_forces(std::span<double> tau);
  void solve_accelerations(std::span<const double> q, std::span<const double> v, std::span<const double> tau,
                           std::span<double> vdot);
  void place_applied_forces();

  /// Of accelerations from the mass matrix; empty without shafts.
  struct Solution {
    Eigen::MatrixXd M;
    Eigen::VectorXd right;
    std::vector<double> vdot, tau, bias;
    std::vector<int> free;  ///< degrees of freedom that are not prescribed
  };

  network::Dataflow flow_;
  Solution solution_;
  std::vector<AppliedForce> forces_;
};

}  // namespace articula::network
