// Generated code in a loop of 1 kHz: torques that track a motion, and how punctual they are.
//
//     example_controller_1khz [SECONDS]
//
// It prints how late ticks begin and how long a tick takes: half of them, all but one in ten thousand, the worst. For
// figures that count, run it on an idle machine with real-time priority: chrt -f 80 example_controller_1khz 60

#include <time.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <articula/articula.h>

namespace {

double seconds_of(const timespec& t) { return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec); }

double now() {
  timespec t{};
  clock_gettime(CLOCK_MONOTONIC, &t);
  return seconds_of(t);
}

void print(const char* what, std::vector<double> times) {
  std::sort(times.begin(), times.end());
  const auto at = [&](double share) {
    return 1e6 * times[static_cast<std::size_t>(share * static_cast<double>(times.size() - 1))];
  };
  std::printf("%-24s p50 %8.3f us   p99.99 %8.3f us   max %8.3f us\n", what, at(0.5), at(0.9999), at(1));
}

}  // namespace

int main(int argc, char** argv) {
  const double duration = argc > 1 ? std::atof(argv[1]) : 0.5;
  const long period = 1'000'000;  // nanoseconds
  const auto ticks = static_cast<std::size_t>(std::max(1.0, duration * 1000));

  const articula::Model robot = articula::load("models/kuka_lwr4.yaml");
  articula::SolverOptions options;
  options.run_as = articula::RunAs::generated;
  articula::InverseDynamics torques(robot, options);
  for (const articula::Finding& finding : torques.findings()) std::printf("%s\n", articula::to_text(finding).c_str());

  // All memory is there before the loop begins.
  const auto n = static_cast<std::size_t>(torques.nv());
  std::vector<double> q(n), v(n), vdot(n), late(ticks), took(ticks);
  double work = 0;

  timespec next{};
  clock_gettime(CLOCK_MONOTONIC, &next);
  for (std::size_t tick = 0; tick < ticks; ++tick) {
    next.tv_nsec += period;
    if (next.tv_nsec >= 1'000'000'000) next.tv_nsec -= 1'000'000'000, ++next.tv_sec;
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &next, nullptr);
    const double begin = now();

    // Where the robot shall be: a slow wave in every joint.
    const double t = 1e-3 * static_cast<double>(tick);
    for (std::size_t k = 0; k < n; ++k) {
      const double w = 1 + 0.2 * static_cast<double>(k);
      q[k] = 0.4 * std::sin(w * t), v[k] = 0.4 * w * std::cos(w * t), vdot[k] = -0.4 * w * w * std::sin(w * t);
    }
    torques.update({.q = q, .v = v, .vdot = vdot});
    const articula::VectorView tau = torques.compute();
    for (std::size_t k = 0; k < n; ++k) work += 1e-3 * tau[k] * v[k];  // here the drives would get tau

    late[tick] = begin - seconds_of(next);
    took[tick] = now() - begin;
  }
  std::printf("%zu ticks of 1 ms, seven axes, run as %s; work done %.3f J\n", ticks,
              torques.run_as() == articula::RunAs::generated ? "generated" : "flat", work);
  print("a tick begins late by", late);
  print("a tick takes", took);
  return std::isfinite(work) ? 0 : 1;
}
