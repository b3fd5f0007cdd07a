// Torques of motors behind springs in a loop of 1 kHz, and how long a tick takes.
//
//     example_feed_forward [SECONDS]
//
// The joints follow waves, whose time derivatives of any order are known; trajectories of a controller come from filters or
// polynomials that give them as well. For figures that count, run it on an idle machine with real-time priority:
// chrt -f 80 example_feed_forward 60

#include <time.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <numbers>
#include <vector>

#include <articula/articula.h>

namespace {

double now() {
  timespec t{};
  clock_gettime(CLOCK_MONOTONIC, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

}  // namespace

int main(int argc, char** argv) {
  const double duration = argc > 1 ? std::atof(argv[1]) : 0.5;
  const auto ticks = static_cast<std::size_t>(std::max(1.0, duration * 1000));
  const articula::Model robot = articula::load("models/lbr_like.yaml");
  articula::ElasticInverseDynamics motors(robot);
  std::printf("torques depend on q and its time derivatives up to order %d\n", motors.order());

  // All memory is there before the loop begins.
  const std::size_t n = motors.q_names().size(), orders = static_cast<std::size_t>(motors.order()) + 1;
  std::vector<std::vector<double>> q(orders, std::vector<double>(n));
  const std::vector<articula::VectorView> views(q.begin(), q.end());
  std::vector<double> took(ticks);
  double work = 0;

  timespec next{};
  clock_gettime(CLOCK_MONOTONIC, &next);
  for (std::size_t tick = 0; tick < ticks; ++tick) {
    next.tv_nsec += 1'000'000;
    if (next.tv_nsec >= 1'000'000'000) next.tv_nsec -= 1'000'000'000, ++next.tv_sec;
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &next, nullptr);
    const double begin = now(), t = 1e-3 * static_cast<double>(tick);
    for (std::size_t i = 0; i < n; ++i) {
      const double w = 1 + 0.2 * static_cast<double>(i);
      double amplitude = 0.4;
      for (std::size_t k = 0; k < orders; ++k, amplitude *= w)
        q[k][i] = amplitude * std::sin(w * t + static_cast<double>(k) * std::numbers::pi / 2);
    }
    motors.update(views);
    const auto& torques = motors.compute();
    for (std::size_t d = 0; d < n; ++d)  // here the motors would get their torques
      work += 1e-3 * torques.motor_torque[d] * torques.motor_velocity[d];
    took[tick] = now() - begin;
  }
  std::sort(took.begin(), took.end());
  const auto at = [&](double share) {
    return 1e6 * took[static_cast<std::size_t>(share * static_cast<double>(ticks - 1))];
  };
  std::printf("%zu ticks of 1 ms: p50 %.1f us, p99.99 %.1f us, max %.1f us; work of the motors %.3f J\n", ticks,
              at(0.5), at(0.9999), at(1), work);
  return std::isfinite(work) ? 0 : 1;
}
