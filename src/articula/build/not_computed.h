#pragma once

#include <optional>
#include <vector>

#include <articula/base/export.h>
#include <articula/mechanism/parameters.h>
#include <articula/model/model.h>

namespace articula::build {

/// A warning that names the contact points of a mechanism: no contact force is part of any result. None if there
/// are no contact points.
ARTICULA_EXPORT std::optional<Finding> contacts_not_computed(const Mechanism& mech);

/// A note that names the rotors which are computed as at rest in their bodies. None if there are none.
ARTICULA_EXPORT std::optional<Finding> rotors_locked(const Mechanism& mech, const Parameters<double>& par);

/// A finding for every model feature that no computation uses: contact points, a ground without contact points.
ARTICULA_EXPORT Findings find_unused(const Model& flat, const Mechanism& mech);

}  // namespace articula::build
