#pragma once

#include <algorithm>
#include <memory>

#include <articula/mechanism/state.h>
#include <articula/network/structure.h>

namespace articula::network {

/// The messages at all ports, and sweeps that pass them on. Entities transform, connections only copy outward and
/// add up inward. A sweep is a loop over a list; it neither recurses nor allocates.
class Dataflow {
 public:
  explicit Dataflow(std::shared_ptr<const Structure> structure) : structure_(std::move(structure)) {
    const std::size_t ports = structure_->causality.role.size();
    motion.resize(ports);
    force.resize(ports);
    articulated.resize(ports);
    turn.resize(ports);
    torque.resize(ports);
    applied.resize(ports);
    q.resize(static_cast<std::size_t>(structure_->mechanism.nq));
    const auto nv = static_cast<std::size_t>(structure_->mechanism.nv);
    v.resize(nv);
    vdot.resize(nv);
    tau.resize(nv);
  }

  const Structure& structure() const { return *structure_; }
  const std::shared_ptr<const Structure>& shared_structure() const { return structure_; }
  const Causality& causality() const { return structure_->causality; }

  /// Takes independent coordinates, and follows the turns of shafts to the others. Throws what is wrong with y
  /// and ydot.
  void set_motion(std::span<const double> y, std::span<const double> ydot, std::span<const double> yddot) {
    check_numbers("q", y, structure_->layout.q);
    check_numbers("v", ydot, structure_->layout.v);
    spread(y, structure_->independent_q, q);
    check_quaternions(structure_->mechanism, q);
    spread(ydot, structure_->independent_v, v);
    spread(yddot, structure_->independent_v, vdot);
    const auto send = [&](int p) {
      for (const int fed : causality().fed_by(p)) turn[at(fed)] = turn[at(p)];
    };
    for (const auto& [port, its_q, its_v] : structure_->turned) {
      turn[at(port)] = {q[at(its_q)], v[at(its_v)], vdot[at(its_v)]};
      send(port);
    }
    for (const int e : causality().shafts) {
      structure_->entities[at(e)]->pass_turns(site(e));
      for (int p = first_port(e); p < first_port(e + 1); ++p) send(p);
    }
    for (const auto& [port, its_q, its_v] : structure_->geared) {
      const Turn& given = turn[at(port)];
      q[at(its_q)] = given.angle, v[at(its_v)] = given.speed, vdot[at(its_v)] = given.acceleration;
    }
  }

  void set_torques(std::span<const double> of_independent) { spread(of_independent, structure_->independent_v, tau); }
  /// Those of the independent degrees of freedom.
  void independent(const std::vector<double>& all, std::span<double> result) const {
    for (std::size_t k = 0; k < result.size(); ++k) result[k] = all[at(structure_->independent_v[k])];
  }

  /// Torques of shafts, back to the coordinates that turn them. @pre tau of all joints
  void gather_torques() {
    const auto ask = [&](int p) {
      if (const int source = causality().source[at(p)]; source >= 0) torque[at(source)] += torque[at(p)];
    };
    std::fill(torque.begin(), torque.end(), 0.0);
    for (const auto& geared : structure_->geared) torque[at(geared.port)] = tau[at(geared.v)], ask(geared.port);
    const std::vector<int>& order = causality().shafts;
    for (auto e = order.rbegin(); e != order.rend(); ++e) {
      structure_->entities[at(*e)]->pass_torques(site(*e));
      for (int p = first_port(*e); p < first_port(*e + 1); ++p) ask(p);
    }
    for (const auto& turned : structure_->turned) tau[at(turned.v)] += torque[at(turned.port)];
  }

  /// From the reference frames outward: `transform(entity, site)`, then its motions go on to all they are connected to.
  template <class Transform>
  void outward(std::span<const int> order, Transform&& transform) {
    for (const int e : order) {
      transform(*structure_->entities[at(e)], site(e));
      for (int p = first_port(e); p < first_port(e + 1); ++p) {
        for (const int fed : causality().fed_by(p)) motion[at(fed)] = motion[at(p)];
      }
    }
  }
  template <class Transform>
  void outward(Transform&& transform) {
    outward(causality().order, transform);
  }

  /// Back inward: what all inports of a connection ask for is asked of its outport, then `transform(entity, site)`.
  /// A force that is applied at a port from outside need not come through it.
  template <class Message, class Transform>
  void inward(std::vector<Message>& messages, Transform&& transform) {
    const std::vector<int>& order = causality().order;
    for (auto e = order.rbegin(); e != order.rend(); ++e) {
      for (int p = first_port(*e); p < first_port(*e + 1); ++p) {
        messages[at(p)] = Message{};
        if (is_inport(p)) continue;
        for (const int fed : causality().fed_by(p)) messages[at(p)] += messages[at(fed)];
        subtract(messages[at(p)], applied[at(p)]);
      }
      transform(*structure_->entities[at(*e)], site(*e));
      for (int p = first_port(*e); p < first_port(*e + 1); ++p) {
        if (is_inport(p)) subtract(messages[at(p)], applied[at(p)]);
      }
    }
  }

  std::vector<Motions> motion;
  std::vector<Force<double>> force;
  std::vector<Articulated> articulated;
  std::vector<Turn> turn;              ///< of shafts
  std::vector<double> torque;          ///< likewise
  std::vector<Force<double>> applied;  ///< from outside, at each port, in the representation
  std::vector<double> q, v, vdot, tau;

 private:
  static void spread(std::span<const double> from, const std::vector<int>& places, std::vector<double>& to) {
    for (std::size_t k = 0; k < from.size(); ++k) to[at(places[k])] = from[k];
  }
  static std::size_t at(int k) { return static_cast<std::size_t>(k); }
  static void subtract(Force<double>& message, const Force<double>& F) { message -= F; }
  static void subtract(Articulated& message, const Force<double>& F) { message.z -= F; }
  bool is_inport(int p) const { return causality().role[at(p)] == PortRole::in; }
  int first_port(int e) const { return causality().first_port[at(e)]; }

  Site site(int e) {
    const auto first = at(first_port(e)), count = at(first_port(e + 1)) - first;
    const auto own = [](auto& all, const Range& range) {
      return std::span(all).subspan(at(range.first), at(range.count));
    };
    const Range &q_e = structure_->q[at(e)], &v_e = structure_->v[at(e)];
    return {.representation = structure_->representation,
            .gravity = structure_->gravity,
            .passive = structure_->passive,
            .root = causality().root[at(e)] - first_port(e),
            .role = std::span(causality().role).subspan(first, count),
            .motion = std::span(motion).subspan(first, count),
            .force = std::span(force).subspan(first, count),
            .articulated = std::span(articulated).subspan(first, count),
            .turn = std::span(turn).subspan(first, count),
            .torque = std::span(torque).subspan(first, count),
            .q = own(q, q_e),
            .v = own(v, v_e),
            .vdot = own(vdot, v_e),
            .tau = own(tau, v_e)};
  }

  std::shared_ptr<const Structure> structure_;
};

}  // namespace articula::network
