#pragma once

#include <memory_resource>
#include <vector>

#include <articula/base/export.h>
#include <articula/build/lower.h>

namespace articula {

/// Degrees of freedom that couplings tie together are one cluster; the relations of a cluster are put next to each
/// other. Throws when couplings contradict each other.
ARTICULA_EXPORT void make_clusters(const Model& flat, Mechanism& mech, Parameters<double>& par);

/// Which degrees of freedom follow from others: one for each relation that says something new, its first unless
/// earlier relations tie that one already. Throws when couplings contradict each other.
ARTICULA_EXPORT std::pmr::vector<bool> dependent_dofs(
    const Model& flat, const Mechanism& mech, const Parameters<double>& par,
    std::pmr::memory_resource* memory = std::pmr::get_default_resource());

}  // namespace articula
