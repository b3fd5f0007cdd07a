#pragma once

#include <map>
#include <memory_resource>
#include <vector>

#include <articula/base/export.h>
#include <articula/build/lower.h>

namespace articula {

/// Degrees of freedom that couplings tie together are one cluster; the relations of a cluster are put next to each
/// other, and solved. Tells the independent coordinates from all. Throws as `solve_couplings` does.
ARTICULA_EXPORT void make_clusters(const Model& flat, Mechanism& mech, Parameters<double>& par);

/// The couplings, solved for one degree of freedom of each relation that says something new: the first that the relation
/// names, that no earlier relation determines, and whose motion is not prescribed.
struct SolvedCouplings {
  /// q_dof = offset + Σ factor·q, of degrees of freedom that follow from no others.
  struct Row {
    int dof;
    std::pmr::map<int, double> factors;
    double offset = 0;
  };
  std::pmr::vector<bool> dependent;  ///< of each degree of freedom, whether it follows from others
  std::pmr::vector<Row> rows;
};

/// Throws when couplings contradict each other, or tie prescribed motions only.
ARTICULA_EXPORT SolvedCouplings solve_couplings(const Model& flat, const Mechanism& mech, const Parameters<double>& par,
                                                std::pmr::memory_resource* memory = std::pmr::get_default_resource());

/// The numbers of each cluster's closure.
ARTICULA_EXPORT void write_closures(const SolvedCouplings& solved, const Mechanism& mech, Parameters<double>& par);

}  // namespace articula
