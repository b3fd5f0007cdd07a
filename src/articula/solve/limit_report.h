#pragma once

#include <span>
#include <string>
#include <vector>

#include <articula/base/error.h>
#include <articula/base/export.h>

namespace articula::solve {

class ElasticInverseDynamics;
class Solver;

/// What inverse dynamics asks of joints and drives beyond the limits of the model: torques, forces, speeds. It is told of
/// each state, and says at the end what was beyond, where most, and how often.
class ARTICULA_EXPORT LimitReport {
 public:
  /// @param where what identifies a state, with {} for a number: "t = {} s"
  /// @param unit_of_states what states are called: "times"
  LimitReport(const Solver& inverse_dynamics, std::string where, std::string states);
  LimitReport(const ElasticInverseDynamics& motors, std::string where, std::string states);

  /// v and tau of the solver; of elastic drives, of the motors.
  void look(double place, std::span<const double> v, std::span<const double> tau);

  /// A warning for each limit that was passed.
  Findings findings() const;

 private:
  struct Bound {
    std::string signal, unit;
    double limit = 0;
    double worst = 0, place = 0;  ///< the largest magnitude beyond it, and where
    std::size_t count = 0;
  };
  static void look(double place, std::span<const double> values, std::vector<Bound>& bounds);

  std::string where_, states_;
  std::vector<Bound> speeds_, torques_;
  std::size_t seen_ = 0;
};

}  // namespace articula::solve
