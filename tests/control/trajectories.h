#pragma once

#include <cmath>
#include <string>
#include <vector>

#include <articula/build/build.h>
#include <articula/control/trajectory_kinds.h>
#include <articula/formats/load.h>

#include "support/names.h"

/// Trajectories of a small arm, and laws that hold for all.
namespace articula::test {

/// Two joints that turn and one that slides.
inline const Built& small_arm() {
  static const Built built = build_mechanism(load(std::string(ARTICULA_SOURCE_DIR) + "/tests/control/arm.yaml"));
  return built;
}

inline JointTrajectory made(const TrajectoryKind& kind, const Built& built = small_arm(),
                            const std::filesystem::path& folder = {}) {
  return make_trajectory(kind, {.mechanism = built.mechanism,
                                .parameters = built.parameters,
                                .name = "wave",
                                .where = {"study.yaml", 7},
                                .folder = folder,
                                .all = {}});
}

/// The coordinates at t and their derivatives, one after another.
inline std::vector<double> at(const Trajectory& motion, double t, int order) {
  std::vector<double> x(static_cast<std::size_t>(motion.size() * (order + 1)), std::nan(""));
  motion.evaluate(t, order, x);
  return x;
}

/// The largest difference between the derivatives of order 1 to `order` and what differences of the one below give,
/// relative to the size of each; six points, so that the error is of order h⁶.
inline double departure_of_derivatives(const Trajectory& motion, double t, int order, double h) {
  const auto n = static_cast<std::size_t>(motion.size());
  const auto exact = at(motion, t, order);
  const auto near = [&](int k) { return at(motion, t + k * h, order); };
  const auto a = near(-3), b = near(-2), c = near(-1), d = near(1), e = near(2), f = near(3);
  double worst = 0;
  for (std::size_t k = n; k < exact.size(); ++k) {
    const std::size_t j = k - n;
    const double difference = ((f[j] - a[j]) - 9 * (e[j] - b[j]) + 45 * (d[j] - c[j])) / (60 * h);
    const double size = 1 + std::abs(exact[k]) + 1e-3 * std::abs(exact[j]) / h;
    worst = std::max(worst, std::abs(difference - exact[k]) / size);
  }
  return worst;
}

}  // namespace articula::test
