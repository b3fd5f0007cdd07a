#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include <articula/base/modules.h>

namespace articula::simulate {

/// What a run has taken since the part of its time that it is in began: by counts, so that it is the same in every run.
class Pace {
 public:
  static constexpr long steps_per_event = 100;  ///< as many steps does an event count as

  /// One look, at a run that is in `part` and has taken so many steps and events in total.
  void look(double part, long steps, long events) {
    ++looks_;
    if (part > part_) begin(part, steps, events);
    steps_ = std::max(steps - steps_before_, looks_ / 2);
    events_ = events - events_before_;
  }
  /// Starts a part.
  void begin(double part, long steps, long events) {
    part_ = part, steps_before_ = steps, events_before_ = events, looks_ = 0;
  }

  /// Since the part began.
  long steps() const { return steps_; }
  long events() const { return events_; }
  bool is_within(long most_steps) const { return steps_ + steps_per_event * events_ <= most_steps; }

  // In checkpoints.
  static constexpr std::size_t size = 4;
  void append_to(std::vector<double>& numbers) const {
    numbers.insert(numbers.end(), {part_, static_cast<double>(steps_before_), static_cast<double>(events_before_),
                                   static_cast<double>(looks_)});
  }
  void take(std::span<const double> numbers) {
    part_ = numbers[0], steps_before_ = static_cast<long>(numbers[1]), events_before_ = static_cast<long>(numbers[2]);
    looks_ = static_cast<long>(numbers[3]);
  }

 private:
  double part_ = -1;
  long steps_before_ = 0, events_before_ = 0;
  long looks_ = 0;  ///< two for each step, more only if time does not advance
  long steps_ = 0, events_ = 0;
};

}  // namespace articula::simulate
