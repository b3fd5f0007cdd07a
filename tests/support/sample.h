#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include <articula/build/build.h>
#include <articula/dynamics/forward_dynamics.h>
#include <articula/dynamics/inverse_dynamics.h>
#include <articula/dynamics/mass_matrix.h>

#include "support/random_model.h"

/// Random mechanisms at random states, and the dynamics of a mechanism as functions that return vectors.
namespace articula::test {

using Numbers = std::vector<double>;

/// A random mechanism, and a state of it.
struct Sample {
  explicit Sample(std::uint32_t seed, const RandomModelOptions& options = {})
      : model(random_model(seed, options)), built(build_mechanism(model)), random(seed + 1) {
    const Mechanism& mech = built.mechanism;
    q = to_q(mech, random_coordinates(model, seed));
    for (Numbers* each : {&v, &vdot, &dv}) {
      for (int k = 0; k < mech.nv; ++k) each->push_back(random.number());
    }
    for (int i = 0; i < mech.size(); ++i) {
      const Vec3<double> n = random.vec3();
      F_applied_B.push_back({n, random.vec3()});
    }
  }

  Model model;
  Built built;
  Random random;
  Numbers q, v, vdot, dv;
  std::vector<Force<double>> F_applied_B;
};

/// The generalized forces of inverse dynamics.
template <class T>
std::vector<T> torques(const Built& built, const std::vector<T>& q, const std::vector<T>& v, const std::vector<T>& vdot,
                       std::span<const Force<T>> F_applied_B = {}) {
  const Mechanism& mech = built.mechanism;
  Positions<T> kin(mech);
  NewtonEuler<T> scratch(mech);
  std::vector<T> tau(v.size());
  positions<T, double>(mech, built.parameters, q, kin);
  inverse_dynamics<T, double>(mech, built.parameters, kin, q, v, vdot, F_applied_B, scratch, tau);
  return tau;
}

/// The accelerations of forward dynamics.
template <class T>
std::vector<T> accelerations(const Built& built, const std::vector<T>& q, const std::vector<T>& v,
                             const std::vector<T>& tau) {
  const Mechanism& mech = built.mechanism;
  Velocities<T> kin(mech);
  ArticulatedBody<T> scratch(mech);
  std::vector<T> vdot(v.size());
  positions<T, double>(mech, built.parameters, q, kin);
  velocities<T, double>(mech, built.parameters, q, v, kin);
  forward_dynamics<T, double>(mech, built.parameters, kin, tau, {}, scratch, vdot);
  return vdot;
}

/// The mass matrix by composite bodies, row by row.
template <class T>
std::vector<T> masses(const Built& built, const std::vector<T>& q) {
  const Mechanism& mech = built.mechanism;
  Positions<T> kin(mech);
  CompositeBody<T> scratch(mech);
  const auto nv = static_cast<std::size_t>(mech.nv);
  std::vector<T> M(nv * nv);
  positions<T, double>(mech, built.parameters, q, kin);
  mass_matrix<T, double>(mech, built.parameters, kin, scratch, M);
  return M;
}

/// The largest difference, relative to the largest entry.
inline double gap(const Numbers& a, const Numbers& b) {
  double difference = 0, size = 1;
  for (std::size_t k = 0; k < a.size(); ++k) {
    difference = std::max(difference, std::abs(a[k] - b[k]));
    size = std::max(size, std::abs(b[k]));
  }
  return difference / size;
}

}  // namespace articula::test
