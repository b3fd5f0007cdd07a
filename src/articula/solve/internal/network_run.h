#pragma once

#include <articula/mechanism/mechanism.h>
#include <articula/network/network.h>

namespace articula::solve {

/// A network behind a solver, whose vectors contain all joints of the mechanism: the network's are independent ones.
class NetworkRun {
 public:
  NetworkRun(const Model& model, const network::NetworkOptions& options, const Mechanism& mech)
      : network(model, options),
        at_(mech.independent),
        y_(at_.q.size()),
        ydot_(at_.v.size()),
        yddot_(at_.v.size()),
        tau_(at_.v.size()) {}

  using Numbers = std::vector<double>;

  void kinematics(const Numbers& q, const Numbers& v, const Numbers& vdot) {
    set(q, v, vdot);
    network.kinematics(y_, ydot_, yddot_);
  }
  /// @return tau of the independent degrees of freedom
  const Numbers& inverse_dynamics(const Numbers& q, const Numbers& v, const Numbers& vdot) {
    set(q, v, vdot);
    network.inverse_dynamics(y_, ydot_, yddot_, tau_);
    return tau_;
  }
  /// @return vdot of the independent degrees of freedom. @param vdot of those that are prescribed
  const Numbers& forward_dynamics(const Numbers& q, const Numbers& v, const Numbers& tau, const Numbers& vdot) {
    set(q, v, vdot);
    choose(at_.v, tau, tau_);
    network.forward_dynamics(y_, ydot_, tau_, yddot_);
    return yddot_;
  }

  network::Network network;

 private:
  static void choose(const std::vector<int>& places, const Numbers& from, Numbers& to) {
    for (std::size_t k = 0; k < places.size(); ++k) to[k] = from[static_cast<std::size_t>(places[k])];
  }
  void set(const Numbers& q, const Numbers& v, const Numbers& vdot) {
    choose(at_.q, q, y_), choose(at_.v, v, ydot_), choose(at_.v, vdot, yddot_);
  }

  IndependentCoordinates at_;
  Numbers y_, ydot_, yddot_, tau_;
};

}  // namespace articula::solve
