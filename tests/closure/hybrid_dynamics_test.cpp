/// Some degrees of freedom free, some told: whatever the mixture, the accelerations and forces are those that inverse
/// dynamics connects.

#include <gtest/gtest.h>

#include <numeric>
#include <random>

#include <articula/closure/coordinates.h>
#include <articula/closure/hybrid_dynamics.h>

#include "support/random_state.h"

namespace articula::test {
namespace {

/// Normwise, relative, times the condition of the mass matrix.
constexpr double agreement = 1e-12;

void expect_consistent(const RandomState& s, const std::vector<DofRole>& roles, std::uint32_t seed) {
  const Mechanism& mech = s.built.mechanism;
  Velocities<double> kin(mech);
  positions<double, double>(mech, s.built.parameters, s.q, kin);
  velocities<double, double>(mech, s.built.parameters, s.q, s.v, kin);
  Numbers tau = s.tau, vdot = s.vdot;
  for (std::size_t k = 0; k < roles.size(); ++k) (roles[k] == DofRole::free ? vdot : tau)[k] = NAN;
  HybridDynamics<double> scratch(mech);
  hybrid_dynamics<double, double>(mech, s.built.parameters, kin, roles, s.F_applied_B, scratch, tau, vdot);
  EXPECT_LT(distance(tau, s.tau), agreement * s.condition) << "seed " << seed;
  EXPECT_LT(distance(vdot, s.vdot), agreement * s.condition) << "seed " << seed;
}

TEST(HybridDynamics, FindsWhatIsNotToldFromInverseDynamicsForAnyMixture) {
  for (std::uint32_t seed = 1; seed <= 300; ++seed) {
    const RandomState s = random_regular_state(seed);
    Random random(seed);
    std::vector<DofRole> roles(s.v.size());
    for (DofRole& role : roles) role = random.chance(0.5) ? DofRole::free : DofRole::prescribed;
    expect_consistent(s, roles, seed);
    expect_consistent(s, std::vector<DofRole>(s.v.size(), DofRole::free), seed);
    expect_consistent(s, std::vector<DofRole>(s.v.size(), DofRole::prescribed), seed);
  }
}

TEST(HybridDynamics, MovesABaseThatHasNoMass) {
  // Moving reference frames carry no inertia: only their being told makes them computable.
  int told = 0;
  for (std::uint32_t seed = 1; seed <= 100; ++seed) {
    RandomModelOptions options;
    options.chained = 0;
    const RandomState s = random_state(seed, random_model(seed, options));
    const std::vector<DofRole>& roles = s.built.mechanism.roles;
    told += static_cast<int>(std::count(roles.begin(), roles.end(), DofRole::prescribed));
    // The condition of the free part is not that of M, which is singular here.
    RandomState scaled = s;
    scaled.condition = 1e4;
    expect_consistent(scaled, roles, seed);
  }
  EXPECT_GT(told, 100);
}

/// Random clusters of any degrees of freedom, whose columns may pass one another on their way, in place of real gears.
struct CoupledState {
  explicit CoupledState(std::uint32_t seed) : s(random_regular_state(seed)), random(seed) {
    Mechanism& mech = s.built.mechanism;
    std::vector<int> dofs(static_cast<std::size_t>(mech.nv));
    std::iota(dofs.begin(), dofs.end(), 0);
    std::shuffle(dofs.begin(), dofs.end(), std::mt19937(seed));
    for (int c = 0; c < 3; ++c) {
      const int size = static_cast<int>(random.number(2, 6)),
                independent = static_cast<int>(random.number(1, std::min(size, 4)));
      if (static_cast<int>(dofs.size()) < size) break;
      Cluster cluster;
      for (int k = 0; k < size; ++k) {
        (k < independent ? cluster.independent : cluster.dependent).push_back(dofs.back());
        cluster.dofs.push_back(dofs.back());
        dofs.pop_back();
      }
      for (std::vector<int>* each : {&cluster.dofs, &cluster.independent, &cluster.dependent})
        std::sort(each->begin(), each->end());
      ClosureNumbers<double> closure;
      for (std::size_t k = 0; k < cluster.dependent.size() * cluster.independent.size(); ++k)
        closure.G.push_back(random.number(-1.5, 1.5));
      closure.offset.resize(cluster.dependent.size());
      mech.clusters.push_back(std::move(cluster));
      s.built.parameters.closures.push_back(std::move(closure));
    }
    for (int k = 0; k < mech.nv; ++k) {
      roles.push_back(random.chance(0.3) ? DofRole::prescribed : DofRole::free);
    }
    for (const Cluster& cluster : mech.clusters) {
      for (const int dof : cluster.dependent) roles[static_cast<std::size_t>(dof)] = DofRole::free;
    }
    follow_rates(mech, s.built.parameters, s.vdot.data());
    balance();
  }

  /// The generalized forces of inverse dynamics, moved from one joint of a cluster to another: Gᵀ·tau stays.
  void balance() {
    const Mechanism& mech = s.built.mechanism;
    const auto nv = static_cast<std::size_t>(mech.nv);
    Positions<double> kin(mech);
    positions<double, double>(mech, s.built.parameters, s.q, kin);
    NewtonEuler<double> scratch(mech);
    tau.resize(nv);
    inverse_dynamics<double, double>(mech, s.built.parameters, kin, s.q, s.v, s.vdot, s.F_applied_B, scratch, tau);
    for_each_follower(mech, s.built.parameters, [&](const Cluster& cluster, int dof, const double* G, double) {
      const double moved = 10 * random.number();
      tau[static_cast<std::size_t>(dof)] -= moved;
      for (const int driver : cluster.independent) tau[static_cast<std::size_t>(driver)] += *G++ * moved;
    });
  }

  /// Of Gᵀ·M·G along the free coordinates.
  double condition() const {
    const Mechanism& mech = s.built.mechanism;
    const Eigen::Index n = mech.nv;
    Eigen::MatrixXd G = Eigen::MatrixXd::Identity(n, n);
    for_each_follower(mech, s.built.parameters, [&](const Cluster& cluster, int dof, const double* row, double) {
      G.row(dof).setZero();
      for (const int driver : cluster.independent) G(dof, driver) = *row++;
    });
    std::vector<Eigen::Index> free;
    for (Eigen::Index k = 0; k < n; ++k) {
      if (roles[static_cast<std::size_t>(k)] == DofRole::free && G(k, k) == 1) free.push_back(k);
    }
    if (free.empty()) return 1;
    const Eigen::MatrixXd chosen = G(Eigen::all, free);
    const Eigen::Map<const Eigen::MatrixXd> M(s.M.data(), n, n);
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(chosen.transpose() * M * chosen, Eigen::EigenvaluesOnly);
    return std::min(eigen.eigenvalues().maxCoeff() / eigen.eigenvalues().minCoeff(), RandomState::most_condition);
  }

  RandomState s;
  Random random;
  Numbers tau;
  std::vector<DofRole> roles;
};

TEST(HybridDynamics, InvertsInverseDynamicsHoweverJointsAreCoupled) {
  int passing = 0;
  for (std::uint32_t seed = 1; seed <= 1000; ++seed) {
    SCOPED_TRACE(seed);
    const CoupledState c(seed);
    const Mechanism& mech = c.s.built.mechanism;
    const Parameters<double>& par = c.s.built.parameters;
    Velocities<double> kin(mech);
    positions<double, double>(mech, par, c.s.q, kin);
    velocities<double, double>(mech, par, c.s.q, c.s.v, kin);
    HybridDynamics<double> scratch(mech);
    for (const PostponedJoints::Release& each : scratch.postponed.releases) passing += static_cast<int>(each.others);
    for (int again = 0; again < 2; ++again) {  // nothing of the first call is left over
      Numbers tau = c.tau, vdot = c.s.vdot;
      for (std::size_t k = 0; k < tau.size(); ++k) (c.roles[k] == DofRole::free ? vdot : tau)[k] = NAN;
      hybrid_dynamics<double, double>(mech, par, kin, c.roles, c.s.F_applied_B, scratch, tau, vdot);
      EXPECT_LT(distance(vdot, c.s.vdot), agreement * c.condition());
      EXPECT_LT(distance(tau, c.tau), agreement * c.condition());
    }
  }
  EXPECT_GT(passing, 500) << "columns that pass the root of another cluster";
}

}  // namespace
}  // namespace articula::test
