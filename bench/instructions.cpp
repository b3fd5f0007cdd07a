/// Runs every algorithm and every solver on every robot, one after another, for callgrind to count:
/// tools/count-instructions.
///
///     instructions <calls> [MODEL[:floating]]...
///
/// Prints which compiler made it, and then a line "algorithm robot" for each, in the order in which `counted` is called; a
/// solver is called "algorithm.solver".

#include <cstdio>
#include <cstdlib>

#include "robots.h"
#include "solvers.h"

namespace articula::bench {

/// What callgrind counts, with all that it calls; a dump of the counts is written whenever it returns.
extern "C" [[gnu::noinline]] void counted(void (*run)(void*), void* on, int calls) {
  for (int k = 0; k < calls; ++k) run(on);
}

/// Counts `run(bench)`. The first call may differ, since symbols are bound, and is not counted.
template <class Bench>
void count(void (*run)(Bench&), Bench& bench, int calls) {
  struct Call {
    void (*run)(Bench&);
    Bench& bench;
  } call{run, bench};
  run(bench);
  void (*volatile unknown)(void*) = [](void* c) {  // else the compiler makes a `counted` of its own for each
    static_cast<Call*>(c)->run(static_cast<Call*>(c)->bench);
  };
  counted(unknown, &call, calls);
}

}  // namespace articula::bench

int main(int argc, char** argv) {
  using namespace articula::bench;
  const int calls = argc > 1 ? std::atoi(argv[1]) : 1;
  std::printf("%s\n", __VERSION__);
  for (const Robot& robot : robots_of(argc - 2, argv + 2)) {
    Workbench w(robot.model());
    for (const Kernel& kernel : kernels) {
      count(kernel.run, w, calls);
      std::printf("%s %s\n", kernel.name, robot.name.c_str());
    }
    Solvers s(robot.model());
    for (const SolverRun& solver : solver_runs) {
      count(solver.run, s, calls);
      std::printf("%s.solver %s\n", solver.name, robot.name.c_str());
    }
  }
}
