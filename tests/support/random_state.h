#pragma once

#include <algorithm>
#include <cmath>

#include <Eigen/Dense>

#include <articula/build/build.h>
#include <articula/dynamics/inverse_dynamics.h>
#include <articula/dynamics/mass_matrix.h>

#include "support/random_model.h"

/// Random mechanisms at random states, with what every test of dynamics asks for.
namespace articula::test {

using Numbers = std::vector<double>;

inline double norm(const Numbers& x) {
  double square = 0;
  for (const double e : x) square += e * e;
  return std::sqrt(square);
}

/// Normwise, relative to b.
inline double distance(const Numbers& a, const Numbers& b) {
  if (a.size() != b.size()) return INFINITY;
  Numbers d(a.size());
  for (std::size_t k = 0; k < d.size(); ++k) d[k] = a[k] - b[k];
  const double size = norm(b);
  return size > 0 ? norm(d) / size : norm(d);
}

/// A mechanism at a state, its torques by Newton-Euler, its mass matrix by composite bodies.
struct RandomState {
  Built built;
  Numbers q, v, vdot;
  std::vector<Force<double>> F_applied_B;
  Numbers tau, M;
  double condition = 1;  ///< of M, but at most `most_condition`: a tolerance that grows with it still means something
  static constexpr double most_condition = 1e8;
};

/// On some joints, as rotors of drives have it.
inline void add_random_armature(Built& built, Random& random) {
  for (Body& body : built.mechanism.bodies) {
    if (body.v.count == 0 || !random.chance(0.5)) continue;
    body.has_armature = built.mechanism.has_armature = true;
    for (const int k : body.v) built.parameters.armature[static_cast<std::size_t>(k)] = random.number(0.1, 2);
  }
}

inline RandomState random_state(std::uint32_t seed, const Model& model) {
  RandomState s;
  s.built = build_mechanism(model);
  const Mechanism& mech = s.built.mechanism;
  Random random(seed);
  s.q = to_q(mech, random_coordinates(model, seed));
  const auto nv = static_cast<std::size_t>(mech.nv);
  for (Numbers* x : {&s.v, &s.vdot}) {
    for (std::size_t k = 0; k < nv; ++k) x->push_back(3 * random.number());
  }
  for (Vec3<double>& h : s.built.parameters.internal_momentum) h = random.vec3();
  if (seed % 2 == 1) add_random_armature(s.built, random);
  for (int i = 0; i < mech.size(); ++i) {
    const Vec3<double> n = random.vec3();
    s.F_applied_B.push_back({n * 10.0, random.vec3() * 10.0});
  }
  s.tau.resize(nv), s.M.resize(nv * nv);
  Positions<double> kin(mech);
  positions<double, double>(mech, s.built.parameters, s.q, kin);
  NewtonEuler<double> newton_euler(mech);
  inverse_dynamics<double, double>(mech, s.built.parameters, kin, s.q, s.v, s.vdot, s.F_applied_B, newton_euler, s.tau);
  CompositeBody<double> composite(mech);
  mass_matrix<double, double>(mech, s.built.parameters, kin, composite, s.M);
  if (nv > 0) {
    const Eigen::Map<const Eigen::MatrixXd> M(s.M.data(), mech.nv, mech.nv);
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(M, Eigen::EigenvaluesOnly);
    s.condition = std::clamp(eigen.eigenvalues().maxCoeff() / eigen.eigenvalues().minCoeff(), 1.0, s.most_condition);
  }
  return s;
}

/// Of a random tree of all joint kinds.
inline RandomState random_state(std::uint32_t seed) { return random_state(seed, random_model(seed)); }

/// Of a tree in which every joint moves some inertia, as forward dynamics wants it.
inline RandomState random_regular_state(std::uint32_t seed) {
  RandomModelOptions options;
  options.moving_frames = 0;
  options.chained = 0;
  return random_state(seed, random_model(seed, options));
}

/// A random tree that hangs on one floating body.
inline Model floating_model(std::uint32_t seed) {
  Random random(seed);
  Model model("floating");
  const auto body = [&] {
    RigidBody b;
    b.mass = random.number(0.5, 3);
    b.com = random.vec3();
    b.inertia = SymMat3<double>::diagonal(random.number(1, 1.5), random.number(1, 1.5), random.number(1, 1.5));
    return b;
  };
  model.add("base", body());
  model.add("free", Joint{.kind = JointKind::free}, "world", "base");
  std::vector<std::string> names{"base"};
  for (int k = 0; k < 6; ++k) {
    const std::string parent = random.one_of(names), name = "b" + std::to_string(k);
    model.add(name, body());
    const Direction axis{random.direction()};
    model.add("j" + std::to_string(k), Joint{.axis = axis}, at(parent, Place{.xyz = random.vec3()}), name);
    names.push_back(name);
  }
  return model;
}

}  // namespace articula::test
