#pragma once

#include <span>
#include <string>
#include <vector>

#include <articula/base/export.h>
#include <articula/mechanism/parameters.h>

namespace articula::build {

/// The joints along which nothing with inertia moves at q: Hᵀ·M_A·H is singular, M_A being the articulated inertia.
/// A massless tip, or a hinge whose axis runs through a point mass. Found from the tips inward, O(n). Prescribed
/// joints need no inertia; armature counts.
ARTICULA_EXPORT std::vector<std::string> find_singular_joints(const Mechanism& mech, const Parameters<double>& par,
                                                              std::span<const double> q,
                                                              std::span<const DofRole> roles);

ARTICULA_EXPORT std::string singular_joint_message(const std::string& joint);

}  // namespace articula::build
