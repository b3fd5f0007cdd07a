// Independent coordinates: what follows from them obeys the gears as the model says them, forces do the same work in
// either coordinates, and derivatives pass through.

#include <articula/closure/coordinates.h>

#include <gtest/gtest.h>

#include <articula/scalar/dual.h>

#include "closure/geared_sample.h"
#include "support/sample.h"

namespace articula::test {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

VectorXd vector(const std::vector<double>& x) {
  return Eigen::Map<const VectorXd>(x.data(), static_cast<Eigen::Index>(x.size()));
}
MatrixXd matrix(const std::vector<double>& M, std::size_t rows) {
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  return Eigen::Map<const RowMajor>(M.data(), static_cast<Eigen::Index>(rows),
                                    static_cast<Eigen::Index>(M.size() / rows));
}

std::vector<double> positions_of(const GearedSample& sample) {
  std::vector<double> q(static_cast<std::size_t>(sample.mech().nq));
  expand_positions(sample.mech(), sample.par(), sample.y.data(), q.data());
  return q;
}
std::vector<double> rates_of(const GearedSample& sample, const std::vector<double>& ydot) {
  std::vector<double> v(static_cast<std::size_t>(sample.mech().nv));
  expand_rates(sample.mech(), sample.par(), ydot.data(), v.data());
  return v;
}
/// G, column by column from unit rates.
MatrixXd G_of(const GearedSample& sample) {
  MatrixXd G(sample.mech().nv, sample.mech().independent.nv());
  for (Eigen::Index k = 0; k < G.cols(); ++k) {
    std::vector<double> unit(static_cast<std::size_t>(G.cols()));
    unit[static_cast<std::size_t>(k)] = 1;
    G.col(k) = vector(rates_of(sample, unit));
  }
  return G;
}

TEST(IndependentCoordinates, ObeyEveryGear) {
  int coupled = 0, large = 0;
  for (std::uint32_t seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE(seed);
    const GearedSample sample(seed);
    const Mechanism& mech = sample.mech();
    coupled += mech.is_coupled();
    for (const Cluster& cluster : mech.clusters) large += cluster.independent.size() > 1;
    const std::vector<double> q = positions_of(sample);
    VectorXd q_of_dof(mech.nv);
    for (const Cluster& cluster : mech.clusters) {
      for (const int dof : cluster.dofs) q_of_dof[dof] = q[static_cast<std::size_t>(position_of(mech, dof))];
    }
    for (int k = 0; k < mech.nv; ++k) {
      if (mech.independent.cluster[static_cast<std::size_t>(k)] < 0) q_of_dof[k] = 0;
    }
    const MatrixXd K = sample.K();
    for (Eigen::Index r = 0; r < K.rows(); ++r)
      EXPECT_NEAR(K.row(r) * q_of_dof, sample.offset(static_cast<std::size_t>(r)), 1e-13);
    EXPECT_LT((K * vector(rates_of(sample, sample.ydot))).lpNorm<Eigen::Infinity>(), 1e-13);
    // As many as the gears leave.
    EXPECT_EQ(mech.independent.nv(), mech.nv - Eigen::FullPivLU<MatrixXd>(K).rank());
  }
  EXPECT_GT(coupled, 150);
  EXPECT_GT(large, 20);
}

TEST(IndependentCoordinates, ForcesAndMatricesAreReducedByG) {
  for (std::uint32_t seed = 1; seed <= 50; ++seed) {
    SCOPED_TRACE(seed);
    GearedSample sample(seed);
    const Mechanism& mech = sample.mech();
    const MatrixXd G = G_of(sample);
    const auto n = static_cast<std::size_t>(mech.nv), n_y = mech.independent.v.size();
    std::vector<double> M(n * n), M_G(n * n_y), M_y(n_y * n_y), J(6 * n), J_y(6 * n_y), tau(n), tau_y(n_y);
    for (auto* each : {&M, &J, &tau}) {
      for (double& x : *each) x = sample.random.number();
    }
    reduce_forces(mech, sample.par(), mech.independent, tau.data(), tau_y.data());
    reduce_columns(mech, sample.par(), mech.independent, 6, J.data(), J_y.data());
    reduce_matrix(mech, sample.par(), mech.independent, M.data(), M_G.data(), M_y.data());
    EXPECT_LT((G.transpose() * vector(tau) - vector(tau_y)).norm(), 1e-12);
    EXPECT_LT((matrix(J, 6) * G - matrix(J_y, 6)).norm(), 1e-12);
    EXPECT_LT((G.transpose() * matrix(M, n) * G - matrix(M_y, n_y)).norm(), 1e-11);
  }
}

TEST(IndependentCoordinates, CarryDerivatives) {
  int followers = 0;
  for (std::uint32_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    const GearedSample sample(seed, {JointKind::revolute, JointKind::prismatic});
    const Mechanism& mech = sample.mech();
    ASSERT_EQ(mech.nq, mech.nv);
    followers += mech.nv - mech.independent.nv();
    std::vector<Dual> y(sample.y.begin(), sample.y.end()), q(static_cast<std::size_t>(mech.nq));
    for (std::size_t k = 0; k < y.size(); ++k) y[k].dx = sample.ydot[k];
    expand_positions(mech, sample.par(), y.data(), q.data());
    const std::vector<double> values = positions_of(sample), rates = rates_of(sample, sample.ydot);
    for (std::size_t k = 0; k < q.size(); ++k) {
      EXPECT_EQ(q[k].x, values[k]);
      EXPECT_NEAR(q[k].dx, rates[k], 1e-15 * (1 + std::abs(rates[k])));
    }
    // The gears as the model says them: K·q = offset, so that K·dq = 0.
    const MatrixXd K = sample.K();
    VectorXd dq(K.cols());
    for (std::size_t k = 0; k < q.size(); ++k) dq[static_cast<Eigen::Index>(k)] = q[k].dx;
    EXPECT_LT((K * dq).lpNorm<Eigen::Infinity>(), 1e-13);
  }
  EXPECT_GT(followers, 20);
}

TEST(IndependentCoordinates, AreAllWhereNothingIsCoupled) {
  for (std::uint32_t seed = 1; seed <= 10; ++seed) {
    const Sample sample(seed);
    const Mechanism& mech = sample.built.mechanism;
    EXPECT_FALSE(mech.is_coupled());
    EXPECT_EQ(mech.independent.q_names, mech.layout.q);
    EXPECT_EQ(mech.independent.v_names, mech.layout.v);
    AllJoints<double, double> all(mech);
    EXPECT_EQ(all.q(sample.built.parameters, sample.q).data(), sample.q.data()) << "nothing is copied";
  }
}

}  // namespace
}  // namespace articula::test
