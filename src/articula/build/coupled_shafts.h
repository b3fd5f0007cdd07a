#pragma once

#include <map>
#include <memory_resource>
#include <vector>

#include <articula/base/export.h>
#include <articula/build/lower.h>

namespace articula::build {

/// Finds clusters, the sets of degrees of freedom that are coupled; orders and solves the relations of each cluster,
/// and determines the independent coordinates. Throws as `solve_couplings` does.
ARTICULA_EXPORT void make_clusters(const Model& flat, Mechanism& mech, Parameters<double>& par);

/// The couplings, solved for one degree of freedom of each relation that is independent of the others: the first one in
/// the relation that no earlier relation determines and that is not prescribed.
struct SolvedCouplings {
  /// q_dof = offset + Σ factor·q, of independent degrees of freedom.
  struct Row {
    int dof;
    std::pmr::map<int, double> factors;
    double offset = 0;
  };
  std::pmr::vector<bool> dependent;  ///< of each degree of freedom, whether it follows from others
  std::pmr::vector<Row> rows;
};

/// Throws if couplings contradict each other, or couple only prescribed motions.
ARTICULA_EXPORT SolvedCouplings solve_couplings(const Model& flat, const Mechanism& mech, const Parameters<double>& par,
                                                std::pmr::memory_resource* memory = std::pmr::get_default_resource());

/// The parameters of each cluster.
ARTICULA_EXPORT void write_closures(const SolvedCouplings& solved, const Mechanism& mech, Parameters<double>& par);

}  // namespace articula::build
