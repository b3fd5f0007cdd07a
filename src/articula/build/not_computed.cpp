#include <articula/build/not_computed.h>

#include <articula/base/findings.h>
#include <articula/base/index.h>
#include <articula/base/text.h>

namespace articula::build {
namespace {

const Provenance::Entry& entity_of(const Mechanism& mech, int entity) { return mech.provenance.entities[at(entity)]; }

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

std::optional<Finding> rotors_locked(const Mechanism& mech, const Parameters<double>& par) {
  std::vector<std::string> names;
  for (std::size_t r = 0; r < mech.rotors.size(); ++r) {
    if (!mech.rotors[r].is_turning() && par.rotors[r].inertia != 0)
      names.push_back(entity_of(mech, mech.rotors[r].entity).name);
  }
  if (names.empty()) return std::nullopt;
  return Finding{
      Severity::note,
      "rotors-locked",
      {},
      names.size() == 1
          ? concat("the rotor of ", names.front(),
                   " is computed as at rest in the body that carries it. Choose rigid or elastic drives to include its "
                   "rotation.")
          : concat("the rotors of ", list_of(names),
                   " are computed as at rest in the bodies that carry them. Choose rigid or elastic drives to include "
                   "their rotation.")};
}

Findings find_unused(const Model& flat, const Mechanism& mech) {
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
  return findings;
}

}  // namespace articula::build
