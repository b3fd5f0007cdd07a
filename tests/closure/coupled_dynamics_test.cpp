// The dynamics of coupled joints against another formulation: all joints, with the gears as constraints and Lagrange
// multipliers,
//
//     M·vdot + Kᵀ·λ = tau − b,   K·vdot = 0

#include <articula/closure/dynamics_changes.h>

#include <gtest/gtest.h>

#include <articula/joints/kinds.h>

#include "closure/geared_sample.h"
#include "support/sample.h"

namespace articula::test {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

Numbers chosen(const std::vector<int>& places, const Numbers& of) {
  Numbers result;
  for (const int k : places) result.push_back(of[static_cast<std::size_t>(k)]);
  return result;
}
double gap(const Numbers& a, const Numbers& b) {
  double square = 0, size = 1;
  for (std::size_t k = 0; k < a.size(); ++k) square += (a[k] - b[k]) * (a[k] - b[k]), size += b[k] * b[k];
  return std::sqrt(square / size);
}

class Coupled {
 public:
  explicit Coupled(const GearedSample& sample) : sample_(sample), mech_(sample.mech()), par_(sample.par()) {}

  Numbers q(const Numbers& y) const {
    Numbers all(static_cast<std::size_t>(mech_.nq));
    expand_positions(mech_, par_, y.data(), all.data());
    return all;
  }
  Numbers v(const Numbers& ydot) const {
    Numbers all(static_cast<std::size_t>(mech_.nv));
    expand_rates(mech_, par_, ydot.data(), all.data());
    return all;
  }

  /// Along independent joints, and nothing along those that follow.
  Numbers forces(const Numbers& tau_y) const {
    Numbers all(static_cast<std::size_t>(mech_.nv));
    for (std::size_t k = 0; k < tau_y.size(); ++k) all[static_cast<std::size_t>(mech_.independent.v[k])] = tau_y[k];
    return all;
  }

  Numbers accelerations(const Numbers& y, const Numbers& ydot, const Numbers& tau_y) const {
    Dynamics<double> dynamics(mech_, par_);
    Numbers vdot(static_cast<std::size_t>(mech_.nv));
    EXPECT_TRUE(dynamics.accelerations(par_, q(y), v(ydot), {}, {}, forces(tau_y), vdot));
    return chosen(mech_.independent.v, vdot);
  }

  /// With multipliers, by Eigen.
  Numbers with_multipliers(const Numbers& y, const Numbers& ydot, const Numbers& tau_y) const {
    const Numbers q = this->q(y), v = this->v(ydot), rest(v.size());
    const Numbers M = masses<double>(sample_.built, q), b = torques<double>(sample_.built, q, v, rest);
    const MatrixXd K = sample_.K();
    const Eigen::Index n = mech_.nv, m = K.rows();
    MatrixXd A = MatrixXd::Zero(n + m, n + m);
    VectorXd right = VectorXd::Zero(n + m);
    for (Eigen::Index i = 0; i < n; ++i) {
      for (Eigen::Index j = 0; j < n; ++j) A(i, j) = M[static_cast<std::size_t>(i * n + j)];
      right[i] = -b[static_cast<std::size_t>(i)];
    }
    for (std::size_t k = 0; k < tau_y.size(); ++k) right[mech_.independent.v[k]] += tau_y[k];
    A.bottomLeftCorner(m, n) = K, A.topRightCorner(n, m) = K.transpose();
    const VectorXd x = A.fullPivLu().solve(right);
    return chosen(mech_.independent.v, Numbers(x.begin(), x.begin() + n));
  }

  /// y moved along the tangent.
  Numbers moved(const Numbers& y, const Numbers& step) const {
    const Numbers from = q(y), along = v(step);
    Numbers to = from;
    for (const Body& body : mech_.bodies) {
      visit_joint(body.joint, [&]<class J>(J) {
        J::advanced(from.data() + body.q.first, along.data() + body.v.first, to.data() + body.q.first);
      });
    }
    return chosen(mech_.independent.q, to);
  }

 private:
  const GearedSample& sample_;
  const Mechanism& mech_;
  const Parameters<double>& par_;
};

TEST(CoupledDynamics, AgreesWithMultipliers) {
  for (std::uint32_t seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE(seed);
    const GearedSample sample(seed);
    const Coupled coupled(sample);
    EXPECT_LT(gap(coupled.accelerations(sample.y, sample.ydot, sample.tau_y),
                  coupled.with_multipliers(sample.y, sample.ydot, sample.tau_y)),
              1e-9);
  }
}

/// Some coordinates accelerate as prescribed, and their forces are those that make the free ones do the same.
TEST(CoupledDynamics, TellsTheForcesOfPrescribedMotion) {
  for (std::uint32_t seed = 1; seed <= 50; ++seed) {
    SCOPED_TRACE(seed);
    GearedSample sample(seed);
    const Mechanism& mech = sample.mech();
    const Coupled coupled(sample);
    std::vector<DofRole> roles(static_cast<std::size_t>(mech.nv), DofRole::free);
    for (const int dof : mech.independent.v) {
      if (sample.random.chance(0.4)) roles[static_cast<std::size_t>(dof)] = DofRole::prescribed;
    }
    Dynamics<double> dynamics(mech, sample.par());
    Numbers vdot = coupled.v(sample.yddot), tau = sample.tau_y;
    EXPECT_TRUE(dynamics.accelerations(sample.par(), coupled.q(sample.y), coupled.v(sample.ydot), roles, {},
                                       coupled.forces(tau), vdot));
    const Numbers yddot = chosen(mech.independent.v, vdot), needed = chosen(mech.independent.v, dynamics.joint_forces);
    for (std::size_t k = 0; k < tau.size(); ++k) {
      if (is_prescribed(mech, roles, k)) {
        EXPECT_EQ(yddot[k], sample.yddot[k]);
        tau[k] = needed[k];
      } else {
        EXPECT_EQ(needed[k], tau[k]);
      }
    }
    EXPECT_LT(gap(coupled.accelerations(sample.y, sample.ydot, tau), yddot), 1e-9);
  }
}

/// Against differences of the formulation with multipliers, of fourth order.
TEST(CoupledDynamics, HasTheDerivativesOfTheOtherFormulation) {
  constexpr double h = 1e-3;
  for (std::uint32_t seed = 1; seed <= 30; ++seed) {
    SCOPED_TRACE(seed);
    const GearedSample sample(seed);
    const Mechanism& mech = sample.mech();
    const Coupled coupled(sample);
    const std::size_t n = sample.ydot.size();
    const Numbers q = coupled.q(sample.y), v = coupled.v(sample.ydot);
    Dynamics<double> dynamics(mech, sample.par());
    DynamicsChanges<double> changes(dynamics, sample.par(), true);
    Numbers vdot(v.size()), dy(n * n), dydot(n * n), dtau(n * n);
    EXPECT_TRUE(dynamics.accelerations(sample.par(), q, v, {}, {}, coupled.forces(sample.tau_y), vdot));
    EXPECT_TRUE(changes.of_accelerations(dynamics, sample.par(), q, v, vdot, {}, {}, dy, dydot, dtau));
    Numbers by_y(n * n), by_ydot(n * n), by_tau(n * n);
    for (std::size_t k = 0; k < n; ++k) {
      const auto column = [&](Numbers& matrix, auto&& at) {
        const Numbers a = at(h), b = at(-h), c = at(2 * h), d = at(-2 * h);
        for (std::size_t i = 0; i < n; ++i) matrix[i * n + k] = (8 * (a[i] - b[i]) - (c[i] - d[i])) / (12 * h);
      };
      const auto with = [&](Numbers x, double step) {
        x[k] += step;
        return x;
      };
      const Numbers still(n);
      column(by_y, [&](double s) {
        return coupled.with_multipliers(coupled.moved(sample.y, with(still, s)), sample.ydot, sample.tau_y);
      });
      column(by_ydot, [&](double s) { return coupled.with_multipliers(sample.y, with(sample.ydot, s), sample.tau_y); });
      column(by_tau, [&](double s) { return coupled.with_multipliers(sample.y, sample.ydot, with(sample.tau_y, s)); });
    }
    EXPECT_LT(gap(dy, by_y), 1e-6);
    EXPECT_LT(gap(dydot, by_ydot), 1e-6);
    EXPECT_LT(gap(dtau, by_tau), 1e-6);
  }
}

TEST(CoupledDynamics, NamesWhatHasNoInertia) {
  Model model;
  for (const char* name : {"a", "b"}) {
    model.add(name, RigidBody{}).add(concat("j", name), Joint{}, "world", name);
  }
  model.add("gear", Gear{.ratio = {{2}}}, "ja", "jb");
  const Built built = build_mechanism(model);
  Positions<double> kin(built.mechanism);
  CoupledMasses<double> scratch(built.mechanism);
  positions<double, double>(built.mechanism, built.parameters, Numbers{0, 0}, kin);
  factor_coupled_masses<double, double>(built.mechanism, built.parameters, kin, {}, scratch);
  EXPECT_EQ(find_singular(built.mechanism, scratch), 1u) << "jb, which drives ja";
}

}  // namespace
}  // namespace articula::test
