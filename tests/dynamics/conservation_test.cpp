/// What nobody takes away stays: energy and momentum of trees that float freely, energy of trees that swing, followed
/// through time by a Runge-Kutta method of the fourth order.

#include <cmath>

#include <gtest/gtest.h>

#include <articula/dynamics/center_of_mass.h>
#include <articula/dynamics/energy.h>
#include <articula/dynamics/forward_dynamics.h>

#include "support/random_state.h"

namespace articula::test {
namespace {

class Moving {
 public:
  Moving(Built built, Numbers q, Numbers v)
      : built_(std::move(built)),
        kin_(built_.mechanism),
        poses_(built_.mechanism),
        scratch_(built_.mechanism),
        q_(std::move(q)),
        v_(std::move(v)) {}

  void step(double h) {
    Numbers dq[4], dv[4];
    for (int s = 0; s < 4; ++s) {
      const double ahead = s == 0 ? 0 : s == 3 ? h : h / 2;
      Numbers q = q_, v = v_;
      for (std::size_t k = 0; s > 0 && k < q.size(); ++k) q[k] += ahead * dq[s - 1][k];
      for (std::size_t k = 0; s > 0 && k < v.size(); ++k) v[k] += ahead * dv[s - 1][k];
      rates(q, v, dq[s], dv[s]);
    }
    const auto advance = [&](Numbers& x, const Numbers* d) {
      for (std::size_t k = 0; k < x.size(); ++k) x[k] += h / 6 * (d[0][k] + 2 * d[1][k] + 2 * d[2][k] + d[3][k]);
    };
    advance(q_, dq), advance(v_, dv);
  }

  double energy() {
    place(q_, v_);
    return kinetic_energy<double, double>(built_.mechanism, built_.parameters, kin_, v_) +
           potential_energy(built_.mechanism, built_.parameters, poses_);
  }
  Force<double> whole_momentum() {
    place(q_, v_);
    return momentum(built_.mechanism, built_.parameters, poses_, kin_, Vec3<double>::zero());
  }

 private:
  void place(const Numbers& q, const Numbers& v) {
    positions<double, double>(built_.mechanism, built_.parameters, q, kin_);
    velocities<double, double>(built_.mechanism, built_.parameters, q, v, kin_);
    world_poses<double, double>(built_.mechanism, built_.parameters, kin_, poses_);
  }
  void rates(const Numbers& q, const Numbers& v, Numbers& dq, Numbers& dv) {
    dq.resize(q.size()), dv.resize(v.size());
    for (const Body& body : built_.mechanism.bodies) {
      visit_joint(body.joint, [&]<class J>(J) {
        J::qdot(q.data() + body.q.first, v.data() + body.v.first, dq.data() + body.q.first);
      });
    }
    place(q, v);
    const Numbers tau(v.size());
    forward_dynamics<double, double>(built_.mechanism, built_.parameters, kin_, tau, {}, scratch_, dv);
  }

  Built built_;
  Velocities<double> kin_;
  WorldPoses<double> poses_;
  ArticulatedBody<double> scratch_;
  Numbers q_, v_;
};

/// Of the integration, whose error falls with the fourth power of its step.
constexpr double step = 5e-4, drift = 1e-8;
constexpr int steps = 400;

TEST(Conservation, OfEnergyAndMomentumOfATreeThatFloats) {
  for (std::uint32_t seed = 1; seed <= 5; ++seed) {
    Model model = floating_model(seed);
    model.environment.gravity = UniformGravity{{0, 0, 0}};
    const RandomState s = random_state(seed, model);
    Moving tree(build_mechanism(model), s.q, s.v);
    const double energy = tree.energy();
    const Force<double> before = tree.whole_momentum();
    for (int k = 0; k < steps; ++k) tree.step(step);
    const Force<double> change = tree.whole_momentum() - before;
    EXPECT_NEAR(tree.energy(), energy, drift * energy) << "seed " << seed;
    EXPECT_LT(norm(change.n), drift * (1 + norm(before.n))) << "seed " << seed;
    EXPECT_LT(norm(change.f), drift * (1 + norm(before.f))) << "seed " << seed;
  }
}

TEST(Conservation, OfEnergyOfATreeThatSwings) {
  RandomModelOptions options;
  options.bodies = 5;
  options.moving_frames = 0;
  options.chained = 0;
  for (std::uint32_t seed = 1; seed <= 10; ++seed) {
    const Model model = random_model(seed, options);
    const RandomState s = random_state(seed, model);
    Numbers v = s.v;
    for (double& each : v) each *= 0.2;
    Moving tree(build_mechanism(model), s.q, v);
    const double energy = tree.energy();
    for (int k = 0; k < steps; ++k) tree.step(step);
    EXPECT_NEAR(tree.energy(), energy, drift * (1 + std::abs(energy))) << "seed " << seed;
  }
}

}  // namespace
}  // namespace articula::test
