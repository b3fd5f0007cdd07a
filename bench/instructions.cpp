/// Runs every algorithm on every robot, one after another, for callgrind to count: tools/count-instructions.
///
///     instructions <calls>
///
/// Prints which compiler made it, and then a line "algorithm robot" for each, in the order in which `counted` is called.

#include <cstdio>
#include <cstdlib>

#include "kernels.h"
#include "robots.h"

namespace articula::bench {

/// What callgrind counts, with all that it calls; a dump of the counts is written whenever it returns.
extern "C" [[gnu::noinline]] void counted(void (*run)(Workbench&), Workbench& w, int calls) {
  for (int k = 0; k < calls; ++k) run(w);
}

}  // namespace articula::bench

int main(int argc, char** argv) {
  using namespace articula::bench;
  const int calls = argc > 1 ? std::atoi(argv[1]) : 1;
  std::printf("%s\n", __VERSION__);
  for (const Robot& robot : robots) {
    Workbench w(robot.model());
    for (const Kernel& kernel : kernels) {
      kernel.run(w);  // the first call may differ: symbols are bound
      counted(kernel.run, w, calls);
      std::printf("%s %s\n", kernel.name, robot.name);
    }
  }
}
