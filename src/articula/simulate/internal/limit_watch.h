#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include <articula/base/error.h>
#include <articula/integrate/integrator.h>
#include <articula/simulate/system.h>

namespace articula::simulate {

/// Watches the limits that a model states during a run, and finds when each is passed for the first time.
class LimitWatch {
 public:
  LimitWatch(System& system, bool stops);

  /// A limit that is passed, and when.
  struct Passing {
    double t = 0;
    std::string what;  ///< a sentence without the time
  };

  /// Checks a state after a jump, or at the start.
  std::optional<Passing> look(double t, std::span<const double> y);
  /// Looks at time t of the last step of an integrator; everything before `since` was looked at already. The earliest
  /// time at which a limit is passed, found on the dense output.
  std::optional<Passing> look(Integrator& integrator, double since, double t);

  /// One warning for each limit that was passed.
  const Findings& findings() const { return findings_; }

  /// The limits that were already exceeded, 1 or 0: for checkpoints.
  std::span<const double> passed() const { return passed_; }
  void set_passed(std::span<const double> passed);

 private:
  void evaluate(double t, std::span<const double> y);
  bool is_beyond(std::size_t k) const;
  bool any_beyond() const;
  std::optional<Passing> report(double t);

  System& system_;
  bool stops_;
  bool forces_ = false;  ///< whether limits of forces are left to watch
  std::size_t left_;
  std::vector<double> values_, y_, passed_;
  Findings findings_;
};

}  // namespace articula::simulate
