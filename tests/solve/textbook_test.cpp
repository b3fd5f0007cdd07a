/// Published numbers: PUMA 560 and the two-link arm of the textbooks (values of P. Corke's Robotics Toolbox, and the
/// same to 15 digits by two other computations), and the KUKA LWR 4+ of [LWR] under PD control.

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <numbers>
#include <sstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <articula/articula.h>

#include "support/random_state.h"
#include "support/reference.h"

namespace articula::test {
namespace {

using std::numbers::pi;

/// Normwise, relative, of numbers with 15 digits.
constexpr double agreement = 1e-10;
/// Of numbers that are published with four decimals.
constexpr double published = 1e-4;

Numbers copy(VectorView x) { return {x.begin(), x.end()}; }
Numbers copy(const MatrixView& x) { return {x.data(), x.data() + x.size()}; }

Numbers flat(const nlohmann::json& matrix) {
  Numbers all;
  for (const auto& row : matrix) {
    for (const double x : row) all.push_back(x);
  }
  return all;
}

class Textbook : public testing::Test {
 protected:
  nlohmann::json read(const std::string& name) {
    nlohmann::json json;
    std::ifstream(test::reference_file("textbook/" + name)) >> json;
    return json;
  }
  Model puma() { return load(ARTICULA_SOURCE_DIR "/models/puma560.yaml"); }
  Model puma_without_friction() {
    Model model = puma();
    for (int k = 1; k <= 6; ++k) {
      Drive& drive = model.at<Drive>("drive" + std::to_string(k));
      drive.friction = drive.viscous_friction = 0;
    }
    return model;
  }
  const SolverOptions passive{.passive = true};
  const Numbers qn{0, pi / 4, pi, 0, pi / 4, 0}, ones = Numbers(6, 1.0);
};

void expect_near(const Numbers& a, const Numbers& b, double tolerance) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t k = 0; k < a.size(); ++k) EXPECT_NEAR(a[k], b[k], tolerance) << "entry " << k;
}

TEST_F(Textbook, PumaHasTheTorquesMassesAndAccelerationsOfOtherComputations) {
  ARTICULA_NEEDS_REFERENCES();
  const nlohmann::json json = read("puma560.json");
  const Model model = puma_without_friction();
  InverseDynamics torques(model, passive);
  MassMatrix masses(model, passive);
  ForwardDynamics motion(model, passive);
  for (const auto& s : json["random_states_no_friction_with_reflected_inertia"]) {
    const Numbers q = s["q"], v = s["qd"], a = s["qdd"], tau = s["tau"];
    torques.update({.q = q, .v = v, .vdot = a});
    masses.update({.q = q});
    motion.update({.q = q, .v = v, .tau = tau});
    EXPECT_LT(distance(copy(torques.compute()), s["ID"]), agreement);
    EXPECT_LT(distance(copy(masses.compute()), flat(s["M"])), agreement);
    EXPECT_LT(distance(copy(motion.compute()), s["FD"]), agreement * 100);  // the condition of M is about 100
  }
}

TEST_F(Textbook, PumaHasThePublishedTorques) {
  InverseDynamics torques(puma(), passive);
  const auto at = [&](const Numbers& q, const Numbers& v, const Numbers& a) {
    torques.update({.q = q, .v = v, .vdot = a});
    return copy(torques.compute());
  };
  expect_near(at(qn, {}, {}), {0, 31.6399, 6.0351, 0, 0.0283, 0}, published);
  expect_near(at(qn, {}, ones), {3.35311, 36.0025, 7.42596, 0.190043, 0.203441, 0.194133}, published);
  expect_near(at(qn, ones, ones), {32.4952, 60.867, 17.7436, 1.45452, 1.29911, 0.713781}, published);
  expect_near(at(qn, ones, {}), {29.1421, 56.5044, 16.3528, 1.26448, 1.12392, 0.519648}, published);
  expect_near(at({0, pi / 4, -pi, 1, pi / 4, 0}, {}, {}), {0, 31.6334, 6.0286, -0.0119, 0.0218, 0}, published);
  expect_near(at({0, pi / 2, -pi, 1, pi / 2, 0}, {}, {}), {0, 7.7198, 8.7439, -0.0238, 0, 0}, published);
}

TEST_F(Textbook, PumaHasThePublishedCoriolisForces) {
  EquationsOfMotion equations(puma());
  const Numbers v{1, 2, 3, 1, 2, 3};
  equations.update({.q = qn, .v = v});
  const MatrixView& C = equations.compute().C;
  Numbers forces(6);
  for (int i = 0; i < 6; ++i) {
    for (int j = 0; j < 6; ++j) forces[static_cast<std::size_t>(i)] += C(i, j) * v[static_cast<std::size_t>(j)];
  }
  expect_near(forces, {-4.6346, 8.7258, -1.9267, 0.0021, 0.0190, 0.0001}, 6e-4);  // a matrix of four decimals times v
}

TEST_F(Textbook, TwoLinkArmHasItsClosedForm) {
  ARTICULA_NEEDS_REFERENCES();
  const nlohmann::json json = read("twolink.json");
  const Model model = load(ARTICULA_SOURCE_DIR "/models/two_link.yaml");
  InverseDynamics torques(model);
  MassMatrix masses(model);
  for (const auto& s : json["cases"]) {
    const Numbers q = s["q"], v = s["qd"], a = s["qdd"];
    torques.update({.q = q, .v = v, .vdot = a});
    masses.update({.q = q});
    EXPECT_LT(norm([&] {
                Numbers d = copy(torques.compute());
                for (std::size_t k = 0; k < 2; ++k) d[k] -= double(s["tau"][k]);
                return d;
              }()),
              1e-12);
    EXPECT_LT(distance(copy(masses.compute()), flat(s["M"])), agreement);
  }
}

TEST(KukaLwr4, AcceleratesAsPublishedUnderPdControl) {
  ARTICULA_NEEDS_REFERENCES();
  std::ifstream table(test::reference_file("kuka_lwr4/pd_forward_g9.81_cvode1e-12_mujoco.csv"));
  std::string line;
  std::getline(table, line);
  ForwardDynamics motion(load(ARTICULA_SOURCE_DIR "/models/kuka_lwr4.yaml"));
  const double stiffness[] = {10, 1000, 200, 100, 10, 10, 10}, damping[] = {1000, 10000, 1000, 1000, 10, 10, 10};
  int rows = 0;
  while (std::getline(table, line)) {
    std::stringstream fields(line);
    Numbers row;
    for (std::string field; std::getline(fields, field, ',');) row.push_back(std::stod(field));
    const double t = row[0], target = pi / 2 * std::cos(pi / 7 * t), rate = -pi * pi / 14 * std::sin(pi / 7 * t);
    const Numbers q(row.begin() + 1, row.begin() + 8), v(row.begin() + 8, row.begin() + 15),
        vdot(row.begin() + 15, row.end());
    Numbers tau(7);
    for (std::size_t k = 0; k < 7; ++k) tau[k] = stiffness[k] * (target - q[k]) + damping[k] * (rate - v[k]);
    motion.update({.q = q, .v = v, .tau = tau});
    // The table has 15 digits, of which damping times the inverse of a wrist's inertia takes five.
    EXPECT_LT(distance(copy(motion.compute()), vdot), 1e-8) << "t = " << t;
    ++rows;
  }
  EXPECT_GE(rows, 10);
}

}  // namespace
}  // namespace articula::test
