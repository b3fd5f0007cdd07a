// The pendulum of the IFToMM benchmarks (A01), against the solution in ARTICULA_REFERENCE and the energy it keeps.

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include <articula/formats/load.h>
#include <articula/simulate/simulation.h>

#include "support/reference.h"

namespace articula::test {
namespace {

constexpr double solution_error = 1e-9;  ///< over ten seconds, at the tolerance below
constexpr double tolerance = 1e-12;

struct Angles : RowSink {
  void columns(std::span<const Signal> signals) override {
    for (std::size_t k = 0; k < signals.size(); ++k)
      if (signals[k].name == "q.pivot") q = k;
  }
  void row(std::span<const double> values) override { angles.push_back(values[q]); }
  std::size_t q = 0;
  std::vector<double> angles;
};

TEST(Iftomm, pendulum_A01_moves_as_the_benchmark_says) {
  ARTICULA_NEEDS_REFERENCES();
  std::ifstream in(test::reference_file("iftomm/A01_pendulum.csv"));
  std::string line;
  std::getline(in, line);
  ASSERT_EQ(line, "t,x,y,vx,vy");

  System system(load(std::filesystem::path(ARTICULA_SOURCE_DIR) / "models" / "pendulum.yaml"), {}, {});
  SimulationOptions options;
  options.integrator = {.method = Method::rk45, .relative = tolerance, .absolute = tolerance};
  options.until = 10;
  options.output_every = 0.01;
  Simulation simulation(system, options);
  Angles rows;
  ASSERT_EQ(simulation.run(system.start({}), rows).end, RunEnd::done);

  std::size_t k = 0;
  double worst = 0;
  while (std::getline(in, line)) {
    double t = 0, x = 0, y = 0;
    char comma = 0;
    std::istringstream(line) >> t >> comma >> x >> comma >> y;
    ASSERT_LT(k, rows.angles.size());
    worst = std::max({worst, std::abs(std::cos(rows.angles[k]) - x), std::abs(std::sin(rows.angles[k]) - y)});
    ++k;
  }
  EXPECT_EQ(k, rows.angles.size());
  EXPECT_LE(worst, solution_error);
  RecordProperty("worst", std::to_string(worst));
}

}  // namespace
}  // namespace articula::test
