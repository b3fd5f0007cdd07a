// Long chains: what is square in the number of joints is not made before a Jacobian asks for it.
#include <fstream>

#include <gtest/gtest.h>

#include <articula/base/text.h>
#include <articula/simulate/system.h>

namespace articula {
namespace {

Model chain(int count) {
  Model model("chain");
  for (int k = 0; k < count; ++k) {
    model.add(concat("b", k), RigidBody{.mass = 1, .inertia = SymMat3<double>::identity()});
    model.add(concat("j", k), Joint{}, k == 0 ? std::string("world") : concat("b", k - 1), concat("b", k));
  }
  return model;
}

/// What the process has in memory, in bytes; 0 where nobody tells.
double memory() {
  std::ifstream file("/proc/self/statm");
  double pages = 0, resident = 0;
  file >> pages >> resident;
  return resident * 4096;
}

TEST(LargeSystem, OfALongChainTakesNoSquares) {
  constexpr int count = 3000;
  const Model model = chain(count);
  const double before = memory();
  System system(model, {}, {}, {});
  std::vector<double> y = system.start({}), ydot(y.size());
  EXPECT_TRUE(system.rate(0, y, ydot));
  EXPECT_LT(memory() - before, 150e6) << "one square takes 72 MB";
}

}  // namespace
}  // namespace articula
