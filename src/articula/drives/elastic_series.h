#pragma once

#include <memory>
#include <vector>

#include <articula/drives/elastic_chain.h>

namespace articula::drives {

/// What goes into inverse dynamics of elastic drives, and what comes out of it, in numbers.
struct ElasticNumbers {
  ElasticNumbers() = default;
  ElasticNumbers(const Mechanism& mech, const ElasticChain& chain);

  std::vector<std::vector<double>> coefficients;           ///< of q(t), of each order: derivatives over factorials
  std::vector<double> start;                               ///< angles of rotors, where damped springs make them a state
  bool steady = true;                                      ///< instead, damped springs are at rest at this instant
  std::vector<double> torque, position, velocity, spring;  ///< of each rotor
  std::vector<double> v;                                   ///< of the joints
};

/// The recursion (elastic_inverse_dynamics.h) over series of the least capacity that is enough, with its workspace.
class ARTICULA_EXPORT ElasticSeries {
 public:
  static std::unique_ptr<ElasticSeries> make(const Mechanism& mech, const ElasticChain& chain);
  virtual ~ElasticSeries() = default;

  /// Allocates nothing.
  virtual void run(const Mechanism& mech, const Parameters<double>& par, const ElasticChain& chain,
                   ElasticNumbers& numbers) noexcept = 0;
};

}  // namespace articula::drives
