/// The solvers as users call them: update and compute, all checks included.
///
///     solvers_bench [options of the benchmark library] [MODEL[:floating]]...

#include <memory>

#include <benchmark/benchmark.h>

#include "robots.h"
#include "solvers.h"

int main(int argc, char** argv) {
  using namespace articula::bench;
  benchmark::Initialize(&argc, argv);
  for (const Robot& robot : robots_of(argc - 1, argv + 1)) {
    const auto solvers = std::make_shared<Solvers>(robot.model());
    for (const SolverRun& solver : solver_runs) {
      benchmark::RegisterBenchmark((std::string(solver.name) + "/" + robot.name).c_str(),
                                   [solvers, &solver](benchmark::State& state) {
                                     for (auto _ : state) {
                                       solver.run(*solvers);
                                       benchmark::DoNotOptimize(solvers->result);
                                       benchmark::ClobberMemory();
                                     }
                                   });
    }
  }
  benchmark::RunSpecifiedBenchmarks();
}
