#pragma once

#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include <articula/joints/joint_parameters.h>
#include <articula/model/field.h>
#include <articula/model/port.h>

namespace articula::model {

/// The limits of one degree of freedom; infinite if there are none.
struct Limits {
  static constexpr double none = std::numeric_limits<double>::infinity();
  double lower = -none, upper = none;

  friend bool operator==(const Limits&, const Limits&) = default;
};

/// A constraint between two frames that allows some motion.  [UNI 2.2.1.3]
///
/// Its frame F is at the port `from`, M at `to`; both have the axis that the user specified.
struct Joint {
  static constexpr std::string_view name = "joint", section = "joints";

  JointKind kind = JointKind::revolute;
  Direction axis = z_axis;         ///< of kinds with one axis; the first of two
  Direction second_axis = y_axis;  ///< of kinds with two axes, perpendicular to the first
  AnyJointParameters parameters;   ///< of kinds whose motion has numbers of its own

  std::vector<Limits> limits;       ///< of position, one per degree of freedom, or none at all
  std::vector<double> speed_limit;  ///< likewise
  std::vector<double> force_limit;  ///< likewise
  double damping = 0;               ///< viscous, the same for all its degrees of freedom
  double friction = 0;              ///< Coulomb's, likewise
  std::vector<double> start;        ///< initial q of computations; empty: neutral
  bool actuated = false;            ///< a force acts along it; a drive also makes it actuated
  bool prescribed = false;          ///< its motion is prescribed
  bool closes_loop = false;         ///< declared to close a loop

  friend bool operator==(const Joint&, const Joint&) = default;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& field) {
    field("type", self.kind, dimension::none);
    const JointTraits joint = traits(self.kind);
    if (joint.axis_use == AxisUse::one) field("axis", self.axis, dimension::none);
    if (joint.axis_use == AxisUse::two) {
      field("axis", self.axis, dimension::none);
      field("second_axis", self.second_axis, dimension::none);
    }
    AnyJointParameters::visit(self.parameters, self.kind,
                              [&]<class Own>(Own& own) { std::remove_const_t<Own>::fields(own, field); });
    field("closes_loop", self.closes_loop, dimension::none);
    if (joint.nv() == 0) return;
    // A joint that mixes turning and sliding takes plain SI numbers where its coordinates differ.
    const Coordinate &q0 = joint.q.front(), &v0 = joint.v.front();
    const bool turns = v0.dimension == dimension::angular_speed;
    if (joint.nq() == joint.nv()) field("limits", self.limits, q0.dimension);
    field("speed_limit", self.speed_limit, v0.dimension);
    field("force_limit", self.force_limit, turns ? dimension::torque : dimension::force);
    field("damping", self.damping, turns ? dimension::torsional_damping : dimension::damping);
    field("friction", self.friction, turns ? dimension::torque : dimension::force);
    field("start", self.start, q0.dimension);
    field("actuated", self.actuated, dimension::none);
    field("prescribed", self.prescribed, dimension::none);
  }
  template <class Visitor>
  void ports(Visitor&& port) const {
    port("from", PortType::spatial);
    port("to", PortType::spatial);
    const int nv = traits(kind).nv();
    if (nv == 1) port("shaft", PortType::scalar);
    for (int k = 1; nv > 1 && k <= nv; ++k) port("shaft" + std::to_string(k), PortType::scalar);
  }
};

}  // namespace articula::model
