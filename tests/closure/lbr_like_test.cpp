// The seven-axis arm with drives of models/lbr_like.yaml against reference numbers: Newton-Euler with gyrostats as rotors, in
// Taylor arithmetic of 40 digits.

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include <nlohmann/json.hpp>

#include <articula/articula.h>

#include "support/reference.h"

namespace articula::test {
namespace {

constexpr double agreement = 1e-9;  ///< relative, of each entry

/// In rad/s²: springs of 1e4 N·m/rad multiply the rounding of angles of 2 rad, and act on inertias down to 2e-4 kg·m².
constexpr double spring_rounding = 2e-8;

struct LbrLike : testing::Test {
  static constexpr std::size_t n = 7;

  /// Calls check(q, v, vdot, entry of the reference) for all states.
  template <class F>
  static void each(F&& check) {
    const nlohmann::json json =
        nlohmann::json::parse(std::ifstream(reference_file("elastic/lbr_like_elastic_inverse_dynamics.json")));
    for (const auto& s : json["times"]) {
      const auto all = [&](const char* name) { return std::vector<double>(n, s[name].get<double>()); };
      check(all("q"), all("qd"), all("qdd"), s);
    }
    for (const auto& s : json["random"]) check(list(s["q"]), list(s["qd"]), list(s["qdd"]), s);
  }
  static std::vector<double> list(const nlohmann::json& json) { return json.get<std::vector<double>>(); }
  static double gear(std::size_t k) { return k < 5 ? 100 : 160; }

  const Model model = load(std::filesystem::path(ARTICULA_SOURCE_DIR) / "models/lbr_like.yaml");
};

TEST_F(LbrLike, HasTheTorquesOfRigidDrives) {
  ARTICULA_NEEDS_REFERENCES();
  InverseDynamics torques(model, {.build = {.drives = Drives::rigid}});
  each([&](const auto& q, const auto& v, const auto& vdot, const auto& s) {
    torques.update({.q = q, .v = v, .vdot = vdot});
    const VectorView tau = torques.compute();
    for (std::size_t k = 0; k < n; ++k) {
      const double expected = gear(k) * s["tau_rigid-geared"][k].template get<double>();
      EXPECT_NEAR(tau[k], expected, agreement * std::abs(expected));
    }
  });
}

/// The reference gives the torques of the motors for a motion of the links; forward dynamics gives back that motion.
TEST_F(LbrLike, AcceleratesAsItsElasticDrivesAreDriven) {
  ARTICULA_NEEDS_REFERENCES();
  ForwardDynamics forward(model, {.passive = true});
  const auto names = forward.v_names();
  ASSERT_EQ(names.size(), 2 * n);
  const auto place = [&](const std::string& name) {
    return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
  };
  each([&](const auto& q, const auto& v, const auto& vdot, const auto& s) {
    std::vector<double> q_all(2 * n), v_all(2 * n), tau(2 * n);
    for (std::size_t k = 0; k < n; ++k) {
      const std::size_t joint = place("joint" + std::to_string(k + 1)),
                        motor = place("drive" + std::to_string(k + 1) + ".motor");
      q_all[joint] = q[k], v_all[joint] = v[k];
      q_all[motor] = s["theta"][k], v_all[motor] = s["thetad"][k], tau[motor] = s["tau_full"][k];
    }
    forward.update({.q = q_all, .v = v_all, .tau = tau});
    const VectorView a = forward.compute();
    for (std::size_t k = 0; k < n; ++k) {
      const double theta = s["thetadd"][k];
      EXPECT_NEAR(a[place("joint" + std::to_string(k + 1))], vdot[k], agreement * std::abs(vdot[k]) + spring_rounding);
      EXPECT_NEAR(a[place("drive" + std::to_string(k + 1) + ".motor")], theta,
                  agreement * std::abs(theta) + gear(k) * spring_rounding);
    }
  });
}

}  // namespace
}  // namespace articula::test
