#include <articula/build/renumber.h>

#include <algorithm>

namespace articula::build {
namespace {

template <class K>
void copy(const K& from, K& to) {
  to = from;
}
void copy(const ExternalForce& from, ExternalForce& to) {
  to.force = from.force;
  to.moment = from.moment;
}

template <class K>
void reserve(K&) {}
void reserve(Joint& joint) {
  const JointTraits kind = traits(joint.kind);
  joint.limits.reserve(kind.v.size());
  joint.speed_limit.reserve(kind.v.size());
  joint.force_limit.reserve(kind.v.size());
  joint.start.reserve(kind.q.size());
}
void reserve(Gear& gear) { gear.offset.reserve(gear.inputs()); }

// --- what is structure: all that decides on ports, on the forest, or on what the flat form is made of --------------

template <class Named>
bool same_names(const std::vector<Named>& a, const std::vector<Named>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const Named& x, const Named& y) { return x.name == y.name; });
}

template <class K>
std::string_view difference(const K&, const K&) {
  return "";
}
std::string_view difference(const ReferenceFrame& a, const ReferenceFrame& b) {
  if (a.motion != b.motion) return "motion";
  if (!same_names(a.frames, b.frames)) return "frames";
  return same_names(a.constituents, b.constituents) ? "" : "constituents";
}
std::string_view difference(const RigidBody& a, const RigidBody& b) {
  if (!same_names(a.frames, b.frames)) return "frames";
  return same_names(a.constituents, b.constituents) ? "" : "constituents";
}
std::string_view difference(const Joint& a, const Joint& b) {
  if (a.kind != b.kind) return "type";
  if (a.actuated != b.actuated) return "actuated";
  if (a.prescribed != b.prescribed) return "prescribed";
  return a.closes_loop == b.closes_loop ? "" : "closes_loop";
}
std::string_view difference(const Spring& a, const Spring& b) { return a.form == b.form ? "" : "form"; }
std::string_view difference(const Damper& a, const Damper& b) { return a.form == b.form ? "" : "form"; }
std::string_view difference(const SpringDamperActuator& a, const SpringDamperActuator& b) {
  return a.form == b.form ? "" : "form";
}
std::string_view difference(const Gear& a, const Gear& b) {
  return a.inputs() == b.inputs() && a.outputs() == b.outputs() ? "" : "ratio";
}
std::string_view difference(const Drive& a, const Drive& b) {
  return a.stiffness.has_value() == b.stiffness.has_value() ? "" : "stiffness";
}
std::string_view difference(const Rolling& a, const Rolling& b) {
  return a.side_slip == b.side_slip ? "" : "side_slip";
}
/// In a part, flattening put the part's path before the name; what is compared is as the user wrote it.
std::string_view difference(const ExternalForce& a, const ExternalForce& b) {
  return a.expressed_in == b.expressed_in ? "" : "expressed_in";
}

}  // namespace

void copy_numbers(const Kind& from, Kind& to) {
  std::visit([&]<class K>(const K& kind) { copy(kind, std::get<K>(to)); }, from);
}

void reserve_lists(Kind& kind) {
  std::visit([](auto& k) { reserve(k); }, kind);
}

std::string_view structural_difference(const Kind& a, const Kind& b) {
  if (a.index() != b.index()) return "kind";
  return std::visit([&]<class K>(const K& kind) { return difference(kind, std::get<K>(b)); }, a);
}

}  // namespace articula::build
