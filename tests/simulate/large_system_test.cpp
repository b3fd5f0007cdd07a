// Long chains: what is square in the number of joints is not made before a Jacobian asks for it, and not beyond a bound.
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <articula/base/text.h>
#include <articula/simulate/simulation.h>
#include <articula/simulate/system.h>

#include "support/names.h"

namespace articula::test {
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

class Nowhere final : public RowSink {
 public:
  void columns(std::span<const Signal>) override {}
  void row(std::span<const double>) override {}
};

TEST(LargeSystem, ThatIsStiffSaysThatNoImplicitMethodTakesIt) {
  Model model("tables");
  for (int k = 0; k < 2001; ++k) {
    model.add(concat("b", k), RigidBody{.mass = 1, .inertia = {0.1, 0, 0, 0.1, 0, 0.1}});
    model.add(concat("j", k), Joint{.axis = z_axis, .damping = 1000}, "world", concat("b", k));
  }
  System system(model, {}, {}, {});
  Simulation simulation(system, {.until = 0.05, .output_every = 0.05, .signals = {"q.j0"}});
  Nowhere nowhere;
  const std::vector<double> v(2001, 0.1);
  const Outcome end = simulation.run(system.start({.v = v}), nowhere);
  EXPECT_TRUE(end.ok());
  EXPECT_EQ(end.method, Method::rk45);
  ASSERT_EQ(end.findings.size(), 1u);
  EXPECT_EQ(end.findings[0].code, "run-stiff");
  EXPECT_EQ(end.findings[0].severity, Severity::warning);
  EXPECT_THAT(end.findings[0].message,
              testing::EndsWith("Integrator \"auto\" takes many of them: with 4002 states it cannot change to \"bdf\", "
                                "which takes at most 4000. Soften what is stiff, or take a smaller model."));
}

}  // namespace
}  // namespace articula::test
