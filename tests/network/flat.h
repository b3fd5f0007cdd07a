#pragma once

#include <limits>
#include <string>
#include <vector>

#include <Eigen/Dense>

#include <articula/build/build.h>
#include <articula/dynamics/forward_dynamics.h>
#include <articula/dynamics/inverse_dynamics.h>
#include <articula/dynamics/mass_matrix.h>
#include <articula/mechanism/joint_motion.h>
#include <articula/network/network.h>

#include "support/random_model.h"

/// The same computations on the flat form, which shares no code with the network.
namespace articula::test {

using Numbers = std::vector<double>;

inline Eigen::Map<const Eigen::VectorXd> vector(const Numbers& x) {
  return {x.data(), static_cast<Eigen::Index>(x.size())};
}

/// Normwise, relative to what is expected.
inline double distance(const Numbers& a, const Numbers& expected) {
  if (a.size() != expected.size()) return std::numeric_limits<double>::infinity();
  const double size = vector(expected).norm();
  const double gap = (vector(a) - vector(expected)).norm();
  return gap == 0 ? 0 : gap / size;
}

/// Where the bodies of the flat form are.
inline std::vector<Pose<double>> body_poses(const Built& built, const Numbers& q) {
  const Mechanism& mech = built.mechanism;
  std::vector<Pose<double>> X_WB(mech.bodies.size());
  for (int i = 1; i < mech.size(); ++i) {
    X_WB[static_cast<std::size_t>(i)] =
        X_WB[static_cast<std::size_t>(mech.bodies[static_cast<std::size_t>(i)].parent)] *
        joint_motion(mech, built.parameters, i, q.data()).X_PB;
  }
  return X_WB;
}

/// What external forces exert on each body, in its own frame.
inline std::vector<Force<double>> applied_forces(const Built& built, const Numbers& q) {
  const Mechanism& mech = built.mechanism;
  const std::vector<Pose<double>> X_WB = body_poses(built, q);
  std::vector<Force<double>> F_B(mech.bodies.size());
  const auto at = [](int k) { return static_cast<std::size_t>(k); };
  for (std::size_t k = 0; k < mech.forces.size(); ++k) {
    const ForceElement& element = mech.forces[k];
    if (element.kind != ForceElement::Kind::wrench) continue;
    const auto frame_pose = [&](int f) { return X_WB[at(mech.frames[at(f)].body)] * built.parameters.X_BF[at(f)]; };
    const Rotation<double> R_FA = frame_pose(element.frame_F).R.inverse() * frame_pose(element.frame_M).R;
    const auto& [n, f] = built.parameters.forces[k].wrench;
    F_B[at(mech.frames[at(element.frame_F)].body)] +=
        built.parameters.X_BF[at(element.frame_F)] * Force<double>{R_FA * n, R_FA * f};
  }
  return F_B;
}

struct FlatInverse {
  Numbers tau;
  NewtonEuler<double> scratch;
};

inline FlatInverse flat_inverse(const Built& built, const Numbers& q, const Numbers& v, const Numbers& vdot,
                                const std::vector<Force<double>>& applied) {
  const Mechanism& mech = built.mechanism;
  Positions<double> kin(mech);
  FlatInverse result{Numbers(vdot.size()), NewtonEuler<double>(mech)};
  positions<double, double>(mech, built.parameters, q, kin);
  inverse_dynamics<double, double>(mech, built.parameters, kin, q, v, vdot, applied, result.scratch, result.tau);
  return result;
}

inline Numbers flat_forward(const Built& built, const Numbers& q, const Numbers& v, const Numbers& tau,
                            const std::vector<Force<double>>& applied) {
  const Mechanism& mech = built.mechanism;
  Velocities<double> kin(mech);
  ArticulatedBody<double> scratch(mech);
  Numbers vdot(tau.size());
  positions<double, double>(mech, built.parameters, q, kin);
  velocities<double, double>(mech, built.parameters, q, v, kin);
  forward_dynamics<double, double>(mech, built.parameters, kin, tau, applied, scratch, vdot);
  return vdot;
}

inline Eigen::MatrixXd flat_mass_matrix(const Built& built, const Numbers& q) {
  const Mechanism& mech = built.mechanism;
  Positions<double> kin(mech);
  CompositeBody<double> scratch(mech);
  Eigen::MatrixXd M(mech.nv, mech.nv);
  positions<double, double>(mech, built.parameters, q, kin);
  mass_matrix<double, double>(mech, built.parameters, kin, scratch,
                              std::span(M.data(), static_cast<std::size_t>(M.size())));
  return M;
}

/// The ratio of the largest to the least eigenvalue of the mass matrix of what moves by itself, scaled to a diagonal of
/// ones: what metres and radians contribute is no matter of rounding.
inline double condition(const Built& built, const Numbers& q) {
  std::vector<int> free;
  for (int k = 0; k < built.mechanism.nv; ++k) {
    if (built.mechanism.roles[static_cast<std::size_t>(k)] == DofRole::free) free.push_back(k);
  }
  if (free.empty()) return 1;
  const Eigen::MatrixXd M = flat_mass_matrix(built, q)(free, free);
  const Eigen::VectorXd scale = M.diagonal().cwiseSqrt().cwiseInverse();
  const Eigen::VectorXd values = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(
                                     scale.asDiagonal() * M * scale.asDiagonal(), Eigen::EigenvaluesOnly)
                                     .eigenvalues();
  return values.maxCoeff() / values.minCoeff();
}

/// A state of a model, of the order of one.
struct RandomState {
  RandomState(const Model& model, const Built& built, std::uint32_t seed)
      : q(to_q(built.mechanism, random_coordinates(model, seed))) {
    Random random(seed + 1);
    for (int k = 0; k < built.mechanism.nv; ++k) {
      v.push_back(random.number());
      vdot.push_back(random.number());
      tau.push_back(random.number());
    }
  }
  Numbers q, v, vdot, tau;
};

/// The options of a network in that representation.
inline network::NetworkOptions in(Representation representation) {
  network::NetworkOptions options;
  options.representation = representation;
  return options;
}

inline const std::vector<std::pair<Representation, std::string>>& representations() {
  static const std::vector<std::pair<Representation, std::string>> all{
      {Representation::body, "body"}, {Representation::inertial, "inertial"}, {Representation::absolute, "absolute"}};
  return all;
}

}  // namespace articula::test
