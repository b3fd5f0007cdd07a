/// Runs as `articula run` makes them: 14 s of the KUKA LWR 4+ under PD control [LWR, 4.3] at a tolerance of 1e-6, with
/// rows at 100 Hz. The counter is how many times faster than real time.

#include <numbers>

#include <benchmark/benchmark.h>

#include <articula/control/block_kinds.h>
#include <articula/control/trajectory_kinds.h>
#include <articula/formats/load.h>
#include <articula/simulate/simulation.h>

#include "names.h"

namespace articula::bench {
namespace {

constexpr double seconds = 14;

struct Count : RowSink {
  void columns(std::span<const Signal>) override {}
  void row(std::span<const double> values) override { sum += values.back(); }
  double sum = 0;
};

void kuka(benchmark::State& state, Method method) {
  const Model model = load(std::string(ARTICULA_SOURCE_DIR) + "/models/kuka_lwr4.yaml");
  const Built built = build_mechanism(model);
  const HarmonicMotion wave{
      .amplitude = {std::numbers::pi / 2}, .omega = {std::numbers::pi / 7}, .phase = {std::numbers::pi / 2}};
  JointTrajectory motion =
      wave.make({.mechanism = built.mechanism, .parameters = built.parameters, .name = "wave", .all = {}});
  PdControl servo;
  servo.reference = "wave";
  servo.stiffness = {10, 1000, 200, 100, 10, 10, 10};
  servo.damping = {1000, 10000, 1000, 1000, 10, 10, 10};
  const std::vector<BlockSpec> blocks{{"servo", servo, {}}};
  const BlockSite site(model);
  System system(site, {{"wave", motion.joints, std::shared_ptr<const Trajectory>(std::move(motion.motion))}},
                make_blocks(blocks, site));
  const std::vector<double> start =
      system.start({.q = std::vector<double>(7, std::numbers::pi / 2), .v = std::vector<double>(7, 0.0)});
  SimulationOptions options;
  options.integrator.method = method;
  options.until = seconds;
  Simulation simulation(system, options);
  Count rows;
  for (auto _ : state) benchmark::DoNotOptimize(simulation.run(start, rows).t);
  state.counters["times real time"] = benchmark::Counter(seconds, benchmark::Counter::kIsIterationInvariantRate);
}

BENCHMARK_CAPTURE(kuka, bdf, Method::bdf)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(kuka, dirk, Method::dirk)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace articula::bench
