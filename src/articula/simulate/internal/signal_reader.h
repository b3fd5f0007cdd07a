#pragma once

#include <span>
#include <vector>

#include <articula/integrate/integrator.h>
#include <articula/simulate/system.h>

namespace articula::simulate {

/// Computes all signals of a System at a time of a run. Allocates in its constructor only.
class SignalReader {
 public:
  explicit SignalReader(System& system);

  /// Where accelerations come from: f at the state, or the integrator's own slope in the last step where that is better,
  /// which is so in stiff systems.
  enum class Slope { of_state, of_step };

  /// Values at (t, y), in the order of System::signals, valid until the next call.
  std::span<const double> read(double t, std::span<const double> y, Slope slope, Integrator& integrator);

 private:
  void improve_accelerations(double t, Integrator& integrator);

  System& system_;
  std::vector<std::size_t> accelerations_;  ///< of all v, in the system's signals
  std::vector<double> values_, slope_;
};

}  // namespace articula::simulate
