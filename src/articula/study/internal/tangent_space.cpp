#include <articula/study/internal/tangent_space.h>

#include <array>

#include <Eigen/LU>

#include <articula/scalar/dual.h>

namespace articula::study {
namespace {

using ExposedJoint = ExposedMechanism::Joint;
using SmallMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, most_joint_dofs + 1, most_joint_dofs + 1>;

/// N(q) of one joint, and its rate.
struct Rates {
  SmallMatrix N, Ndot;
};

Rates rates_of(const ExposedJoint& joint, const double* q, const double* v) {
  Rates rates{SmallMatrix::Zero(joint.q.count, joint.v.count), SmallMatrix::Zero(joint.q.count, joint.v.count)};
  visit_joint(joint.kind, [&]<class K>(K) {
    std::array<double, most_joint_dofs + 1> qdot{};
    K::qdot(q, v, qdot.data());
    std::array<Dual, most_joint_dofs + 1> moving, column;
    for (int i = 0; i < joint.q.count; ++i) {
      moving[static_cast<std::size_t>(i)] = q[i];
      moving[static_cast<std::size_t>(i)].dx = qdot[static_cast<std::size_t>(i)];
    }
    for (int k = 0; k < joint.v.count; ++k) {
      std::array<Dual, most_joint_dofs> unit{};
      unit[static_cast<std::size_t>(k)] = 1.0;
      K::qdot(moving.data(), unit.data(), column.data());
      for (int i = 0; i < joint.q.count; ++i) {
        rates.N(i, k) = column[static_cast<std::size_t>(i)].x;
        rates.Ndot(i, k) = column[static_cast<std::size_t>(i)].dx;
      }
    }
  });
  return rates;
}

}  // namespace

RowMatrix tangent_matrix(const ExposedMechanism& mechanism, std::span<const double> y, std::span<const double> J) {
  const auto n = static_cast<Eigen::Index>(y.size()), nq = static_cast<Eigen::Index>(mechanism.nq()),
             nv = static_cast<Eigen::Index>(mechanism.nv());
  const Eigen::Index m = n - nq + nv;
  RowMatrix T = RowMatrix::Zero(n, m), Tdot = RowMatrix::Zero(n, m), T_inverse = RowMatrix::Zero(m, n);
  T.bottomRightCorner(n - nq, n - nq).setIdentity();
  T_inverse.bottomRightCorner(n - nq, n - nq).setIdentity();
  for (const ExposedJoint& joint : mechanism.joints()) {
    const auto [N, Ndot] = rates_of(joint, y.data() + joint.q.first, y.data() + nq + joint.v.first);
    T.block(joint.q.first, joint.v.first, joint.q.count, joint.v.count) = N;
    Tdot.block(joint.q.first, joint.v.first, joint.q.count, joint.v.count) = Ndot;
    T_inverse.block(joint.v.first, joint.q.first, joint.v.count, joint.q.count) =
        (N.transpose() * N).inverse() * N.transpose();
  }
  return T_inverse * (Eigen::Map<const RowMatrix>(J.data(), n, n) * T - Tdot);
}

}  // namespace articula::study
