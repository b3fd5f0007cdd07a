/// Ten thousand bodies in a row, against closed forms: nothing recurs on the stack.

#include <cmath>

#include <gtest/gtest.h>

#include <articula/dynamics/forward_dynamics.h>

#include "support/random_state.h"

namespace articula::test {
namespace {

constexpr int bodies = 10000;

Model chain(JointKind kind, const Vec3<double>& step) {
  Model model("chain");
  model.environment.gravity = UniformGravity{{0, 0, -9.81}};
  std::string parent = "world";
  for (int k = 0; k < bodies; ++k) {
    const std::string name = "b" + std::to_string(k);
    model.add(name, RigidBody{.mass = 1, .inertia = SymMat3<double>::diagonal(0.1, 0.1, 0.1)});
    model.add("j" + std::to_string(k), Joint{.kind = kind, .axis = z_axis}, at(parent, {.xyz = step}), name);
    parent = name;
  }
  return model;
}

struct Motions {
  explicit Motions(const Model& model)
      : built(build_mechanism(model)),
        kin(built.mechanism),
        n(static_cast<std::size_t>(bodies)),
        q(n),
        v(n),
        vdot(n),
        tau(n) {
    for (std::size_t k = 0; k < n; ++k) vdot[k] = std::sin(static_cast<double>(k));
  }

  void invert() {
    NewtonEuler<double> scratch(built.mechanism);
    positions<double, double>(built.mechanism, built.parameters, q, kin);
    inverse_dynamics<double, double>(built.mechanism, built.parameters, kin, q, v, vdot, {}, scratch, tau);
  }
  Numbers forward() {
    ArticulatedBody<double> scratch(built.mechanism);
    Numbers result(n);
    velocities<double, double>(built.mechanism, built.parameters, q, v, kin);
    forward_dynamics<double, double>(built.mechanism, built.parameters, kin, tau, {}, scratch, result);
    return result;
  }

  Built built;
  Velocities<double> kin;
  std::size_t n;
  Numbers q, v, vdot, tau;
};

/// Slides on one line: each carries the weight and the inertia of all above it.
TEST(LongChain, OfSlidesCarriesAllAboveIt) {
  Motions chained(chain(JointKind::prismatic, {0, 0, 0.1}));
  chained.invert();
  Numbers expected(chained.n), a(chained.n);
  double sum = 0;
  for (std::size_t k = 0; k < chained.n; ++k) a[k] = sum += chained.vdot[k];
  double above = 0;
  for (std::size_t k = chained.n; k-- > 0;) expected[k] = above += a[k] + 9.81;
  EXPECT_LT(distance(chained.tau, expected), 1e-12);
  EXPECT_LT(distance(chained.forward(), chained.vdot), 1e-8);  // the condition of M is 4·n²/π² = 4e7
}

/// Hinges about one vertical line: each turns with the sum of all before it, and carries no weight.
TEST(LongChain, OfHingesOnOneLineAddsTheirAngles) {
  Motions chained(chain(JointKind::revolute, {0, 0, 0.1}));
  for (std::size_t k = 0; k < chained.n; ++k) chained.q[k] = 0.3, chained.v[k] = 0.01;
  chained.invert();
  Numbers expected(chained.n), a(chained.n);
  double sum = 0;
  for (std::size_t k = 0; k < chained.n; ++k) a[k] = sum += chained.vdot[k];
  double above = 0;
  for (std::size_t k = chained.n; k-- > 0;) expected[k] = above += 0.1 * a[k];
  EXPECT_LT(distance(chained.tau, expected), 1e-10);
  EXPECT_LT(distance(chained.forward(), chained.vdot), 1e-8);
}

}  // namespace
}  // namespace articula::test
