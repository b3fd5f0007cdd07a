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

/// A warning for every rotor whose inertia is not fully included in results with passive forces: it is not connected to
/// a joint, or it is mounted on a body that can rotate, and its gyroscopic torque is missing. `moves` says which
/// degrees of freedom can move; the others are locked.
ARTICULA_EXPORT Findings rotors_not_computed(const Mechanism& mech, const Parameters<double>& par,
                                             const std::vector<bool>& moves);

/// A finding for every model feature that no computation uses: contact points, a ground without contact points, elastic
/// drives, rotors without a joint.
ARTICULA_EXPORT Findings find_unused(const Model& flat, const Mechanism& mech, const Parameters<double>& par);

}  // namespace articula::build
