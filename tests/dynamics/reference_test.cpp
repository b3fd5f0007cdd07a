/// Torques, mass matrices and accelerations of real robots against numbers that other engines computed: MuJoCo, DART
/// and a Newton-Euler program of its own for the URDF robots; MuJoCo and the paper's equations for the KUKA.

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <articula/articula.h>
#include <articula/dynamics/forward_dynamics.h>
#include <articula/dynamics/inverse_dynamics.h>
#include <articula/dynamics/mass_matrix.h>

#include "support/reference.h"

namespace articula::test {
namespace {

using Numbers = std::vector<double>;

/// Normwise, relative.
constexpr double agreement = 1e-10;

double norm(const Numbers& x) {
  double square = 0;
  for (const double e : x) square += e * e;
  return std::sqrt(square);
}

double distance(const Numbers& a, const Numbers& b) {
  EXPECT_EQ(a.size(), b.size());
  Numbers d(a.size());
  for (std::size_t k = 0; k < d.size(); ++k) d[k] = a[k] - b[k];
  return norm(d) / norm(b);
}

Numbers inverse(const Built& built, const Numbers& q, const Numbers& v, const Numbers& vdot) {
  const Mechanism& mech = built.mechanism;
  Positions<double> kin(mech);
  NewtonEuler<double> scratch(mech);
  Numbers tau(vdot.size());
  positions<double, double>(mech, built.parameters, q, kin);
  inverse_dynamics<double, double>(mech, built.parameters, kin, q, v, vdot, {}, scratch, tau);
  return tau;
}

Numbers forward(const Built& built, const Numbers& q, const Numbers& v, const Numbers& tau) {
  const Mechanism& mech = built.mechanism;
  Velocities<double> kin(mech);
  ArticulatedBody<double> scratch(mech);
  Numbers vdot(tau.size());
  positions<double, double>(mech, built.parameters, q, kin);
  velocities<double, double>(mech, built.parameters, q, v, kin);
  forward_dynamics<double, double>(mech, built.parameters, kin, tau, {}, scratch, vdot);
  return vdot;
}

Numbers masses(const Built& built, const Numbers& q) {
  const Mechanism& mech = built.mechanism;
  Positions<double> kin(mech);
  CompositeBody<double> scratch(mech);
  Numbers M(static_cast<std::size_t>(mech.nv) * static_cast<std::size_t>(mech.nv));
  positions<double, double>(mech, built.parameters, q, kin);
  mass_matrix<double, double>(mech, built.parameters, kin, scratch, M);
  return M;
}

class ReferenceRobot : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    ARTICULA_NEEDS_REFERENCES();
    std::ifstream(test::reference_file("urdf/" + GetParam() + ".json")) >> json;
    floating = json["floating_base"];
    const ReadOptions options{.base = floating ? ReadOptions::Base::floating : ReadOptions::Base::fixed,
                              .mimic = ReadOptions::Mimic::independent};
    built = build_mechanism(load(test::reference_file("urdf/" + GetParam() + ".urdf"), nullptr, options));
  }

  nlohmann::json json;
  bool floating = false;
  Built built;
};

TEST_P(ReferenceRobot, HasTheTorquesOfOtherEngines) {
  for (const auto& state : json["states"]) {
    const auto& s = floating ? state["pinocchio_style"] : state;
    const Numbers tau = inverse(built, s["q"], s["v"], s["a"]);
    EXPECT_LT(distance(tau, s[floating ? "tau_ID" : "ID"]), agreement);
  }
}

TEST_P(ReferenceRobot, HasTheAccelerationsOfOtherEngines) {
  const double condition = json["cond_M_max"];
  for (const auto& state : json["states"]) {
    const auto& s = floating ? state["pinocchio_style"] : state;
    EXPECT_LT(distance(forward(built, s["q"], s["v"], s["tau_fd"]), s["FD"]), agreement * condition);
  }
}

TEST_P(ReferenceRobot, HasTheMassMatrixOfOtherEngines) {
  if (floating) GTEST_SKIP() << "given in other base coordinates, in which tests/cli/eval_test.cpp compares it";
  for (const auto& state : json["states"]) {
    Numbers expected;
    for (const auto& row : state["M"]) {
      for (const double entry : row) expected.push_back(entry);
    }
    EXPECT_LT(distance(masses(built, state["q"]), expected), agreement);
  }
}

INSTANTIATE_TEST_SUITE_P(Urdf, ReferenceRobot, testing::Values("ur5", "panda", "anymal_c", "simple_humanoid"),
                         [](const auto& test) { return test.param; });

TEST(Kuka, HasTheTorquesOfThePaper) {
  ARTICULA_NEEDS_REFERENCES();
  std::ifstream table(test::reference_file("kuka_lwr4/inverse_dynamics_torques.csv"));
  std::string line;
  std::getline(table, line);
  int rows = 0;
  while (std::getline(table, line)) {
    std::stringstream fields(line);
    Numbers row;
    for (std::string field; std::getline(fields, field, ',');) row.push_back(std::stod(field));
    Model kuka = load(ARTICULA_SOURCE_DIR "/models/kuka_lwr4.yaml");
    kuka.environment.gravity = UniformGravity{{0, -row[0], 0}};
    const Numbers q(7, row[2]), v(7, row[3]), vdot(7, row[4]), expected(row.begin() + 5, row.end());
    EXPECT_LT(distance(inverse(build_mechanism(kuka), q, v, vdot), expected), agreement) << "t = " << row[1];
    ++rows;
  }
  EXPECT_GE(rows, 45);
}

}  // namespace
}  // namespace articula::test
