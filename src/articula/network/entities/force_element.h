#pragma once

#include <cmath>

#include <articula/model/entities/damper.h>
#include <articula/model/entities/spring.h>
#include <articula/model/entities/spring_damper_actuator.h>
#include <articula/network/entity_implementation.h>

namespace articula::network {

/// What acts between two points or two shafts: −stiffness·(x − rest) − damping·dx/dt + force. Of points, x is their
/// distance, and the force pushes them apart; of shafts, x = from − to, and the torque turns `from` forward.
class BetweenTwo : public EntityImplementation {
 public:
  explicit BetweenTwo(const SpringDamperActuator& law) : law_(law) {}

  void action(const Site& site) const override {
    const Vec3<double> f_W = line_force(site);
    site.take(from, in_port(site, from, f_W));
    site.take(to, in_port(site, to, -f_W));
  }
  void articulated_action(const Site& site) const override {
    const Vec3<double> f_W = line_force(site);
    site.take(from, ArticulatedInertia<double>::zero(), in_port(site, from, f_W));
    site.take(to, ArticulatedInertia<double>::zero(), in_port(site, to, -f_W));
  }
  void pass_torques(const Site& site) const override {
    if (law_.form != Form::torsional) return;
    const Turn &a = site.turn_at(from), &b = site.turn_at(to);
    const double t = force(a.angle - b.angle, a.speed - b.speed);
    site.torque_at(from) -= t;
    site.torque_at(to) += t;
  }

 private:
  static constexpr int from = 0, to = 1;

  double force(double x, double rate) const {
    return law_.force - law_.stiffness * (x - law_.rest) - law_.damping * rate;
  }
  /// What pushes `to` away from `from`.
  Vec3<double> line_force(const Site& site) const {
    const auto velocity = [&](int k) { return site.X_W(k).rotate(site.V_P(k).v); };
    const Vec3<double> line = site.X_W(to).p - site.X_W(from).p;
    const double length = norm(line);
    if (length == 0) return Vec3<double>::zero();
    const Vec3<double> n = line * (1 / length);
    return n * force(length, dot(n, velocity(to) - velocity(from)));
  }
  static Force<double> in_port(const Site& site, int k, const Vec3<double>& f_W) {
    return {Vec3<double>::zero(), site.X_W(k).rotate_back(f_W)};
  }

  SpringDamperActuator law_;
};

template <>
class Implementation<SpringDamperActuator> final : public BetweenTwo {
 public:
  using BetweenTwo::BetweenTwo;
};
template <>
class Implementation<Spring> final : public BetweenTwo {
 public:
  explicit Implementation(const Spring& spring)
      : BetweenTwo({.form = spring.form, .stiffness = spring.stiffness, .rest = spring.rest}) {}
};
template <>
class Implementation<Damper> final : public BetweenTwo {
 public:
  explicit Implementation(const Damper& damper) : BetweenTwo({.form = damper.form, .damping = damper.damping}) {}
};

}  // namespace articula::network
