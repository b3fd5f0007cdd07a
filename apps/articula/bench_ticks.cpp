#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>

#include <algorithm>
#include <vector>

#include "bench.h"

namespace articula::program {
namespace {

long interruptions() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_nivcsw;
}

/// The time of a clock, in nanoseconds.
double now(clockid_t clock) {
  timespec t{};
  clock_gettime(clock, &t);
  return 1e9 * static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec);
}

/// Measures each tick with a clock, one state after another.
void time_ticks(const Work& work, clockid_t clock, std::vector<float>& took) {
  const double begin = now(clock);  // the offset keeps digits
  int state = 0;
  for (float& each : took) {
    const double from = now(clock) - begin;
    work.tick(state);
    each = static_cast<float>(now(clock) - begin - from);
    if (++state == work.states) state = 0;
  }
}

}  // namespace

TickTimes measure_ticks(const Work& work, int ticks) {
  std::vector<float> took(static_cast<std::size_t>(ticks), 0.0f);  // written once, to map its pages
  for (int k = 0; k < work.states; ++k) work.tick(k);              // loads the code into memory
  const bool locked = mlockall(MCL_CURRENT) == 0;                  // if the system allows it
  const long before = interruptions();
  time_ticks(work, CLOCK_MONOTONIC, took);
  TickTimes times;
  times.interruptions = interruptions() - before;
  std::sort(took.begin(), took.end());
  const auto at = [&](double share) {
    return static_cast<double>(took[static_cast<std::size_t>(share * static_cast<double>(took.size() - 1))]);
  };
  times.median = at(0.5), times.rarely = at(0.9999), times.worst = at(1);
  times.long_ones = took.end() - std::upper_bound(took.begin(), took.end(), static_cast<float>(2 * times.median));
  time_ticks(work, CLOCK_THREAD_CPUTIME_ID, took);
  times.worst_alone = static_cast<double>(*std::max_element(took.begin(), took.end()));
  if (locked) munlockall();
  return times;
}

}  // namespace articula::program
