#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <articula/generate/record.h>
#include <articula/model/model.h>

#include "names.h"

namespace articula::program {

/// How a computation runs.
enum class Way { flat, generated, batched, batched_generated };

std::string_view name_of(Way way);

/// What is measured.
struct Case {
  Algorithm algorithm = Algorithm::inverse_dynamics;
  Way way = Way::flat;
  bool single = false;  ///< precision
  int threads = 1;
};

bool is_generated(const Case& c);
std::string to_text(const Case& c);

/// A computation that can be repeated.
struct Work {
  int states = 0;                      ///< there are, all different
  int threads = 1;                     ///< it really runs on
  std::function<int(int)> pass;        ///< computes the first so many of them, or more, and says how many
  std::function<std::string()> wrong;  ///< after a pass: what became of it, if it is no result
  std::function<void(int)> tick;       ///< computes state k alone; none where states are computed many at once
};

/// How long single ticks take, in nanoseconds.
struct TickTimes {
  double median = 0, rarely = 0, worst = 0;  ///< `rarely`: all but one in ten thousand are shorter
  double worst_alone = 0;                    ///< of as many again, by the processor time they take themselves
  long long_ones = 0;                        ///< ticks that take more than twice the median
  long interruptions = 0;                    ///< times the system took the processor away meanwhile
};

/// Of that many ticks, one state after another, each measured by itself. @pre work.tick
TickTimes measure_ticks(const Work& work, int ticks);

/// States away from the neutral one, row by row, in the mechanism's own order; the same on every machine.
struct BenchStates {
  explicit BenchStates(const Mechanism& mech, int states);

  int states = 0;
  std::vector<double> q, v, vdot, tau;
  std::vector<double> tau_h;  ///< tau and, behind it, a time step

  /// Of an input array.
  const std::vector<double>& rows(ArrayRole role) const;
};

/// Makes what is measured for one model. Throws an Error for what cannot be computed.
class Workshop {
 public:
  explicit Workshop(const Model& model, const BuildOptions& options);

  const Mechanism& mechanism() const { return built_.mechanism; }
  const Findings& findings() const { return built_.findings; }

  Work make(const Case& c) const;  ///< flat and batched

  /// @pre record(c) was called and threw nothing
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
  std::vector<std::optional<RecordedFunction>> recorded_;  ///< of each algorithm, for one state and for many
};

/// GFLOP/s of one core in double precision, measured for that long.
double measured_peak(double seconds);

}  // namespace articula::program
