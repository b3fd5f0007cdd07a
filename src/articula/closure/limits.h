#pragma once

#include <algorithm>
#include <span>

#include <articula/closure/coordinates.h>

namespace articula::closure {

/// Limits of degrees of freedom. Those of each independent one are narrowed by its followers: for a follower
/// q = G·y + offset within a … b, y must be within (a − offset)/G … (b − offset)/G. Followers of several joints must be
/// checked by the caller.
inline void narrow_limits(const Mechanism& mech, const Parameters<double>& par, std::span<double> lower,
                          std::span<double> upper) {
  for_each_follower(mech, par, [&](const Cluster& cluster, int dof, const double* G, double offset) {
    const std::size_t n = cluster.independent.size();
    const auto drives = [](double factor) { return factor != 0; };
    if (std::count_if(G, G + n, drives) != 1) return;
    const auto j = static_cast<std::size_t>(std::find_if(G, G + n, drives) - G);
    const auto follower = static_cast<std::size_t>(dof), driver = static_cast<std::size_t>(cluster.independent[j]);
    const double a = (lower[follower] - offset) / G[j], b = (upper[follower] - offset) / G[j];
    lower[driver] = std::max(lower[driver], std::min(a, b));
    upper[driver] = std::min(upper[driver], std::max(a, b));
  });
}

}  // namespace articula::closure
