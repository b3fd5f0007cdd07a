#include <articula/build/not_computed.h>

#include <articula/base/findings.h>
#include <articula/base/index.h>
#include <articula/base/text.h>
#include <articula/joints/kinds.h>

namespace articula::build {
namespace {

const Provenance::Entry& entity_of(const Mechanism& mech, int entity) { return mech.provenance.entities[at(entity)]; }

std::string named(const Provenance::Entry& entity) { return concat(entity.kind, " ", quoted(entity.name)); }

constexpr std::string_view without_joint =
    "its shaft is connected to gears only, and its inertia is not part of any result. Connect its shaft to a joint.";

/// Whether a degree of freedom turns what it moves.
bool turns(const Body& body, int dof) {
  return traits(body.joint).v[at(dof - body.v.first)].dimension == dimension::angular_speed;
}

/// Whether a joint between the body and World lets it turn.
bool can_turn(const Mechanism& mech, int b, const std::vector<bool>& moves) {
  for (; b > 0; b = mech.bodies[at(b)].parent) {
    const Body& body = mech.bodies[at(b)];
    for (const int k : body.v) {
      if (moves[at(k)] && turns(body, k)) return true;
    }
  }
  return false;
}

Finding about(const Model& flat, const Provenance::Entry& entity, Severity severity, std::string_view code,
              const std::string& message) {
  const Entity* const found = flat.find(entity.name, Family::element);
  return {severity, std::string(code), found == nullptr ? Where{} : found->where, concat(named(entity), ": ", message)};
}

}  // namespace

std::optional<Finding> contacts_not_computed(const Mechanism& mech) {
  std::vector<std::string> names;
  for (const Constraint& constraint : mech.constraints) {
    if (constraint.kind == Constraint::Kind::contact) names.push_back(entity_of(mech, constraint.entity).name);
  }
  if (names.empty()) return std::nullopt;
  return Finding{Severity::warning,
                 "contact-not-computed",
                 {},
                 concat(names.size() == 1 ? "contact point " : "contact points ", list_of(names),
                        ": contact is not computed yet, and no contact force is part of the result. Give contact "
                        "forces as loads.")};
}

Findings rotors_not_computed(const Mechanism& mech, const Parameters<double>& par, const std::vector<bool>& moves) {
  Findings findings;
  for (std::size_t r = 0; r < mech.rotors.size(); ++r) {
    const RotorElement& rotor = mech.rotors[r];
    if (par.rotors[r].inertia == 0 || rotor.elastic) continue;
    const auto warn = [&](std::string_view code, std::string_view message) {
      add_finding(
          findings,
          {Severity::warning, std::string(code), {}, concat(named(entity_of(mech, rotor.entity)), ": ", message)});
    };
    if (rotor.dof < 0) warn("rotor-not-computed", without_joint);
    if (rotor.frame < 0 || !can_turn(mech, mech.frames[at(rotor.frame)].body, moves)) continue;
    warn("rotor-gyroscopic-not-computed",
         "its rotor is mounted on a body that can turn. Its inertia along the joint, gear^2*inertia, is computed; its "
         "gyroscopic torque is not. Leave `mounted_on` open if the inertia along the joint is all that is meant.");
  }
  return findings;
}

Findings find_unused(const Model& flat, const Mechanism& mech, const Parameters<double>& par) {
  Findings findings;
  if (auto contacts = contacts_not_computed(mech)) {
    add_finding(findings, std::move(*contacts));
  } else if (flat.environment.ground) {
    add_finding(findings, {Severity::note,
                           "ground-unused",
                           {},
                           "the environment has a ground, but nothing can touch it. Add contact points, or remove the "
                           "ground."});
  }
  for (std::size_t r = 0; r < mech.rotors.size(); ++r) {
    const RotorElement& rotor = mech.rotors[r];
    const Provenance::Entry& owner = entity_of(mech, rotor.entity);
    if (rotor.elastic) {
      add_finding(findings, about(flat, owner, Severity::warning, "drive-not-computed",
                                  "it is elastic, and the motion of its motor is not computed yet. Computations with "
                                  "passive forces refuse it; without them the drive has no effect."));
    } else if (rotor.dof < 0 && par.rotors[r].inertia != 0) {
      add_finding(findings, about(flat, owner, Severity::warning, "rotor-not-computed", std::string(without_joint)));
    }
  }
  return findings;
}

}  // namespace articula::build
