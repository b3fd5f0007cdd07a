#pragma once

#include <memory>

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
  std::vector<Force<double>> applied;  ///< from outside, at each port, in the representation
  std::vector<double> q, v, vdot, tau;

 private:
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
            .root = causality().root[at(e)] - first_port(e),
            .role = std::span(causality().role).subspan(first, count),
            .motion = std::span(motion).subspan(first, count),
            .force = std::span(force).subspan(first, count),
            .articulated = std::span(articulated).subspan(first, count),
            .q = own(q, q_e),
            .v = own(v, v_e),
            .vdot = own(vdot, v_e),
            .tau = own(tau, v_e)};
  }

  std::shared_ptr<const Structure> structure_;
};

}  // namespace articula::network
