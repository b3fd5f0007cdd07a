#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <articula/generate/record.h>
#include <articula/model/model.h>

#include "names.h"

namespace articula::program {

/// How to run a computation.
enum class Way { flat, generated, batched, batched_generated };

std::string_view name_of(Way way);

/// A computation to measure.
struct Case {
  Algorithm algorithm = Algorithm::inverse_dynamics;
  Way way = Way::flat;
  bool single = false;  ///< precision
  int threads = 1;
};

bool is_generated(const Case& c);
std::string to_text(const Case& c);

/// A repeatable computation.
struct Work {
  int states = 0;                ///< number of different states
  int threads = 1;               ///< number of threads actually in use
  std::function<int(int)> pass;  ///< computes at least this number of states, from the first on, and returns how many
  std::function<std::string()> wrong;  ///< after a pass: why its result is invalid, or empty
  std::function<void(int)> tick;       ///< computes state k alone; empty if many states are computed at once
};

/// Times of single ticks, in nanoseconds.
struct TickTimes {
  double median = 0, rarely = 0, worst = 0;  ///< `rarely`: the 99.99th percentile
  double worst_alone = 0;                    ///< maximum processor time of the same number of further ticks
  long long_ones = 0;                        ///< number of ticks longer than twice the median
  long interruptions = 0;                    ///< number of times the system preempted the process
};

/// Measures single ticks, one state after another. @pre work.tick
TickTimes measure_ticks(const Work& work, int ticks);

/// Random states, row-major, in the mechanism's own order; the same on every machine.
struct BenchStates {
  explicit BenchStates(const Mechanism& mech, int states);

  int states = 0;
  std::vector<double> q, v, vdot, tau;
  std::vector<double> tau_h;  ///< tau, then a time step

  /// The rows for an input array.
  const std::vector<double>& rows(ArrayRole role) const;
};

/// Prepares measurements for one model. Throws an Error if something cannot be computed.
class Workshop {
 public:
  explicit Workshop(const Model& model, const BuildOptions& options);

  const Mechanism& mechanism() const { return built_.mechanism; }
  const Findings& findings() const { return built_.findings; }

  Work make(const Case& c) const;  ///< flat and batched

  /// @pre record(c) was called and did not throw
  Work make_generated(const Case& c) const;
  void record(const Case& c);
  bool is_compiled(const Case& c) const;
  const RecordedFunction& recorded(const Case& c) const;

 private:
  static std::size_t place_of(const Case& c);

  Model model_;
  BuildOptions options_;
  Built built_;
  BenchStates states_;
  std::vector<std::optional<RecordedFunction>> recorded_;  ///< by algorithm, for one state and for many
};

/// GFLOP/s of one core in double precision; `seconds` is the duration of the measurement.
double measured_peak(double seconds);

}  // namespace articula::program
