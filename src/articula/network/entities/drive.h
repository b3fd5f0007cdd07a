#pragma once

#include <cmath>
#include <optional>

#include <articula/mechanism/mechanism.h>
#include <articula/model/entities/drive.h>
#include <articula/network/entities/rotor.h>
#include <articula/network/friction.h>

namespace articula::network {

/// Rotor, gear and spring in one, with friction on the joint's side, or behind the spring on the rotor. The angle of a
/// rotor behind a spring is a coordinate of the drive.
template <>
class Implementation<Drive> final : public EntityImplementation {
 public:
  Implementation(const Drive& drive, Drives drives)
      : drive_(drive), drives_(drives), elastic_(drives == Drives::elastic && drive.stiffness) {
    spin_.inertia = drives == Drives::locked ? 0 : drive.rotor_inertia;
    if (drive.rotor_axis) spin_.axis = along(*drive.rotor_axis);
  }

  void action(const Site& site) const override {
    site.take(mounted_on, spin_.on_carrier(site, mounted_on, motor(site)));
  }
  void pass_torques(const Site& site) const override {
    const double of_rotor = spin_.torque(site, mounted_on, motor(site)), resistance = site.passive ? resist(site) : 0;
    if (!elastic_) {
      site.torque_at(joint) += drive_.gear * of_rotor + resistance;
      return;
    }
    const double spring = site.passive ? of_spring(site) : 0;  // on the joint
    site.torque_at(joint) -= spring;
    site.tau[0] = of_rotor + resistance + spring / drive_.gear;
  }
  void articulated_action(const Site&) const override {}

 private:
  static constexpr int joint = 0, mounted_on = 1;

  Turn motor(const Site& site) const {
    if (elastic_) return {site.q[0], site.v[0], site.vdot[0]};
    const auto [angle, speed, acceleration] = site.turn_at(joint);
    if (drives_ == Drives::locked) return {};
    return {drive_.gear * angle, drive_.gear * speed, drive_.gear * acceleration};
  }
  double of_spring(const Site& site) const {
    const Turn own = motor(site), of_joint = site.turn_at(joint);
    return *drive_.stiffness * (own.angle / drive_.gear - of_joint.angle) +
           drive_.damping * (own.speed / drive_.gear - of_joint.speed);
  }
  double resist(const Site& site) const {
    const double gear = elastic_ ? std::abs(drive_.gear) : 1;
    const double speed = elastic_ ? motor(site).speed : site.turn_at(joint).speed;
    return drive_.viscous_friction / (gear * gear) * speed + drive_.friction / gear * direction_of(speed);
  }

  Drive drive_;
  Drives drives_;
  bool elastic_;
  Spin spin_;
};

}  // namespace articula::network
