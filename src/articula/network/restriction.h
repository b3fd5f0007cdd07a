#pragma once

#include <articula/network/dataflow.h>

namespace articula::network {

/// Kinematics of a chosen subset E of ports: only entities on the way to them are computed.  [UNI (2.38)-(2.41)]
///
///     V|E = Φ|E · Δ|E,    or as a recursion    V_k = φ · V_before(k) + Δ_k
///
/// where before(k) is the nearest port of E on the way inboard, and Δ_k is what all joints between the two add.
class ARTICULA_EXPORT Restriction {
 public:
  Restriction(std::shared_ptr<const Structure> structure, const std::vector<PortRef>& ports);

  /// As Network::kinematics; q, v and vdot are those of the whole.
  void kinematics(std::span<const double> q, std::span<const double> v, std::span<const double> vdot);

  int size() const { return static_cast<int>(ports_.size()); }

  /// Of the k-th of the chosen ports, in its own frame.
  Pose<double> pose(int k) const;
  Motion<double> velocity(int k) const;
  Motion<double> acceleration(int k) const;

  /// The place in E of the nearest chosen port inboard of the k-th; −1 where there is none.
  int before(int k) const { return before_[static_cast<std::size_t>(k)]; }
  /// Δ_k, in the frame of port k.
  Motion<double> delta(int k) const;

  /// How many entities are computed.
  int entities() const { return static_cast<int>(order_.size()); }

 private:
  const Motions& motion(int k) const {
    return flow_.motion[static_cast<std::size_t>(ports_[static_cast<std::size_t>(k)])];
  }

  Dataflow flow_;
  std::vector<int> ports_, before_, order_;
};

/// From the representation to the port's own frame.
ARTICULA_EXPORT Motion<double> velocity_in_port(Representation representation, const Motions& motion);
ARTICULA_EXPORT Motion<double> acceleration_in_port(Representation representation, const Motions& motion);

}  // namespace articula::network
