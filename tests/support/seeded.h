#pragma once

#include <span>
#include <vector>

#include <articula/mechanism/mechanism.h>
#include <articula/scalar/dual.h>

#include "support/names.h"

/// Inputs for algorithms that run with dual numbers, and the parts of what comes out.
namespace articula::test {

/// x + dx·ε.
inline std::vector<Dual> seeded(std::span<const double> x, std::span<const double> dx) {
  std::vector<Dual> both(x.size());
  for (std::size_t k = 0; k < both.size(); ++k) both[k] = {x[k], dx[k]};
  return both;
}

/// Constants.
inline std::vector<Dual> constant(std::span<const double> x) { return {x.begin(), x.end()}; }

/// q ⊕ dv·ε: the configuration that moves along the tangent vector dv, so that the derivatives of what is computed
/// from it are those with respect to q in the direction dv. With dv = v they are rates of change in time.
inline std::vector<Dual> seeded_q(const Mechanism& mech, std::span<const double> q, std::span<const double> dv) {
  std::vector<double> rate(q.size());
  for (const Body& body : mech.bodies) {
    visit_joint(body.joint, [&]<class J>(J) {
      J::qdot(q.data() + body.q.first, dv.data() + body.v.first, rate.data() + body.q.first);
    });
  }
  return seeded(q, rate);
}

/// The numbers of duals, and their derivatives.
inline std::vector<double> values(std::span<const Dual> a) {
  std::vector<double> x;
  for (const Dual& each : a) x.push_back(each.x);
  return x;
}
inline std::vector<double> derivatives(std::span<const Dual> a) {
  std::vector<double> dx;
  for (const Dual& each : a) dx.push_back(each.dx);
  return dx;
}

}  // namespace articula::test
