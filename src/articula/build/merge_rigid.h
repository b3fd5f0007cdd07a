#pragma once

#include <articula/base/export.h>
#include <articula/build/explanation.h>
#include <articula/build/rigid_groups.h>

namespace articula::build {

struct Merged : Rewritten {
  std::vector<int> origin;  ///< the original entity of each, or the host of a merged body; −1: inserted between joints
};

/// Merges rigidly connected bodies into one, with the sum of their inertias; displacements and fixed joints become
/// frames of it. Entities that are fixed to World become part of World.
///
/// Rule: rigid group {e₁, e₂, …}  →  one body with M = Σ X_HE·M_E, called after the body nearest to World; every
/// frame of every member stays, called "member.frame". Constituents keep their own inertia and placement.
/// A joint that ends on another joint without a body between gets a massless one.
///
/// Throws if rigid connections contradict each other.
ARTICULA_EXPORT Merged merge_rigid(const Model& model);
ARTICULA_EXPORT Merged merge_rigid(const Model& model, const PortGraph& graph, const RigidGroups& groups);

/// Writes new numbers of `model` into the model that was merged from it. @pre the groups are placed
ARTICULA_EXPORT void renumber_merged(const Model& model, const PortGraph& graph, const RigidGroups& groups,
                                     const std::vector<int>& origin, Model& merged);

/// Whether every rigid group is a single body or reference frame, so that merging changes nothing.
ARTICULA_EXPORT bool is_merged(const Model& model, const RigidGroups& groups);

}  // namespace articula::build
