#pragma once

#include <vector>

#include <articula/base/export.h>
#include <articula/build/lower.h>

namespace articula::build {

/// Decides how each drive and rotor of the merged model is computed.
///
/// A rotor of inertia J rotates about the axis a of its body at n times the speed of a revolute joint.  If a is parallel to
/// the joint's axis, and the rotor is mounted on one of the joint's two bodies, an exchange of inertias gives the same
/// kinetic energy as the rotor:
///
///     I_from −= n·J·a·aᵀ,   I_to += n·J·a·aᵀ,   armature = n·(n − 1)·J if it is mounted on `from`, n·(n + 1)·J on `to`
///
/// Without a mount, the rotor adds n²·J along its joint. Any other one is a body of its own, which a revolute joint carries:
/// its inertia is J·a·aᵀ, its carrier has that much less, and a gear couples its angle to the joint, unless it is elastic.
/// [UNI 3.2.1.3; 4.2.2, splitting of gyrostats]
ARTICULA_EXPORT std::vector<RotorPlan> plan_rotors(const Model& merged, const PortGraph& graph,
                                                   const RigidGroups& groups, Drives drives);

/// What rotors contribute to M_B of a body: exchanged inertias, and those that are bodies of their own. Zero without them.
ARTICULA_EXPORT Inertia<double> inertia_of_rotors(const Mechanism& mech, const Parameters<double>& par, int body);

/// Whether the axis of a rotor is parallel to that of its joint: 1, or −1 if it points the other way; 0 if it is not.
ARTICULA_EXPORT int rotor_direction(const Model& merged, const PortGraph& graph, const RigidGroups& groups,
                                    const RotorPlan& plan);

/// Warns of rotors with more inertia about their axis than the bodies that carry them: the inertia of a body includes that
/// of rotors at rest on it.
ARTICULA_EXPORT void warn_of_light_carriers(const Model& flat, const Mechanism& mech, const Parameters<double>& par,
                                            Findings& findings);

/// Adds a branch for each rotor that is a body of its own: after its carrier, or, on World, after all others.
ARTICULA_EXPORT void add_rotor_branches(const std::vector<RotorPlan>& plans, SpanningForest& forest);

}  // namespace articula::build
