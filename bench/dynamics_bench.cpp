/// Every algorithm of dynamics/ on one state of several robots; and how forward dynamics grows with the length of a
/// chain. Each time is that of one call from q to the result, sines and cosines included.
///
///     dynamics_bench [options of the benchmark library] [MODEL[:floating]]...

#include <memory>

#include <benchmark/benchmark.h>

#include "kernels.h"
#include "robots.h"

namespace {

using namespace articula::bench;
using namespace articula::bench;

/// Linear in the number of joints: `per_joint` hardly changes, as long as the caches hold what is read.
void forward_dynamics_of_chain(benchmark::State& state) {
  const auto n = static_cast<int>(state.range(0));
  const Built built = build_mechanism(chain(n));
  const Mechanism& mech = built.mechanism;
  Numbers numbers;
  const std::vector<double> q = numbers(n, 1.5), v = numbers(n, 0.1), tau = numbers(n, 10);
  std::vector<double> vdot(q.size());
  Velocities<double> kin(mech);
  ArticulatedBody<double> scratch(mech);
  for (auto _ : state) {
    positions<double, double>(mech, built.parameters, q, kin);
    velocities<double, double>(mech, built.parameters, q, v, kin);
    forward_dynamics<double, double>(mech, built.parameters, kin, tau, {}, scratch, vdot);
    benchmark::DoNotOptimize(vdot.data());
    benchmark::ClobberMemory();
  }
  state.counters["per_joint"] =
      benchmark::Counter(n, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}
BENCHMARK(forward_dynamics_of_chain)->RangeMultiplier(10)->Range(10, 10000);

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  for (const Robot& robot : robots_of(argc - 1, argv + 1)) {
    const auto w = std::make_shared<Workbench>(robot.model());
    for (const Kernel& kernel : kernels) {
      benchmark::RegisterBenchmark((std::string(kernel.name) + "/" + robot.name).c_str(),
                                   [w, &kernel](benchmark::State& state) {
                                     for (auto _ : state) {
                                       kernel.run(*w);
                                       benchmark::DoNotOptimize(w.get());
                                       benchmark::ClobberMemory();  // results count as read, inputs as new
                                     }
                                   });
    }
  }
  benchmark::RunSpecifiedBenchmarks();
}
