// Inverse dynamics of elastic drives against reference numbers: Newton-Euler with gyrostats in Taylor arithmetic of 40 digits.

#include <articula/drives/elastic_inverse_dynamics.h>

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include <nlohmann/json.hpp>

#include <articula/articula.h>
#include <articula/solve/elastic_inverse_dynamics.h>

#include "support/random_model.h"
#include "support/reference.h"

namespace articula::test {
namespace {

using namespace drives;

constexpr double agreement = 1e-9;  ///< relative, of each entry

Model lbr_like() { return load(std::filesystem::path(ARTICULA_SOURCE_DIR) / "models/lbr_like.yaml"); }

/// The derivatives of q_i(t) = Σ A·sin(W·t + P), or those that the reference gives for all joints.
std::vector<std::vector<double>> derivatives_of(const nlohmann::json& s, int order) {
  std::vector<std::vector<double>> q(static_cast<std::size_t>(order) + 1, std::vector<double>(7));
  for (std::size_t k = 0; k < q.size(); ++k) {
    for (std::size_t i = 0; i < 7; ++i) {
      if (s.contains("q_derivs_0_16")) {
        q[k][i] = s["q_derivs_0_16"][k];
        continue;
      }
      for (std::size_t h = 0; h < s["A"][i].size(); ++h) {
        const double A = s["A"][i][h], W = s["W"][i][h], P = s["P"][i][h];
        q[k][i] += A * std::pow(W, k) * std::sin(W * 0.7 + P + static_cast<double>(k) * M_PI / 2);
      }
    }
  }
  return q;
}

TEST(ElasticChain, FindsTheOrdersOfTheSevenAxisArm) {
  const Built built = build_mechanism(lbr_like());
  const ElasticChain chain(built.mechanism, built.parameters);
  std::vector<int> orders;
  for (const ElasticDrive& drive : chain.drives) orders.push_back(drive.order);
  EXPECT_EQ(orders, (std::vector<int>{2, 2, 4, 5, 6, 7, 8}));
  EXPECT_EQ(chain.q_order, 10);
}

TEST(ElasticInverseDynamics, HasTheTorquesOfTheReference) {
  ARTICULA_NEEDS_REFERENCES();
  const Built built = build_mechanism(lbr_like());
  const Mechanism& mech = built.mechanism;
  const Parameters<double>& par = built.parameters;
  const ElasticChain chain(mech, par);
  using T = Jet<double, 10>;
  ElasticNewtonEuler<T> s(mech, chain);
  const nlohmann::json json =
      nlohmann::json::parse(std::ifstream(reference_file("elastic/lbr_like_elastic_inverse_dynamics.json")));
  int states = 0;
  for (const char* kind : {"times", "random"}) {
    for (const auto& state : json[kind]) {
      SCOPED_TRACE(states++);
      const auto q = derivatives_of(state, 10);
      for (std::size_t i = 0; i < 7; ++i) {
        double factorial = 1;
        for (int k = 0; k <= 10; ++k, factorial *= k) s.q[i][k] = q[static_cast<std::size_t>(k)][i] / factorial;
      }
      elastic_inverse_dynamics<T, double>(mech, par, chain, s);
      for (std::size_t d = 0; d < 7; ++d) {
        const auto near = [&](double value, const char* name) {
          const double expected = state[name][d];
          EXPECT_NEAR(value, expected, agreement * std::abs(expected)) << name << " " << d;
        };
        near(motor_torque(mech, par, chain, s, d), "tau_full");
        near(s.u[static_cast<std::size_t>(chain.drives[d].joint)][0], "u");
        near(s.theta[d][0], "theta"), near(s.theta[d][1], "thetad"), near(2 * s.theta[d][2], "thetadd");
      }
    }
  }
  EXPECT_EQ(states, 12);
}

/// q and its derivatives as views.
std::vector<VectorView> views(const std::vector<std::vector<double>>& q) { return {q.begin(), q.end()}; }

std::vector<std::vector<double>> fast_motion(std::size_t joints, int order) {
  std::vector<std::vector<double>> q(static_cast<std::size_t>(order) + 1, std::vector<double>(joints));
  for (std::size_t k = 0; k < q.size(); ++k) {
    for (std::size_t i = 0; i < joints; ++i) {
      const double w = 5 + 0.7 * static_cast<double>(i), phase = 0.4 + static_cast<double>(i);
      q[k][i] = 0.6 * std::pow(w, k) * std::sin(phase + static_cast<double>(k) * M_PI / 2);
    }
  }
  return q;
}

TEST(ElasticInverseDynamics, ApproachesRigidDrivesAsTheInverseOfTheStiffness) {
  const auto torques = [](double factor) {
    Model model = lbr_like();
    for (int k = 1; k <= 7; ++k) *model.at<Drive>("drive" + std::to_string(k)).stiffness *= factor;
    ElasticInverseDynamics motors(model);
    const auto q = fast_motion(7, motors.order());
    motors.update(views(q));
    const VectorView tau = motors.compute().motor_torque;
    return std::vector<double>(tau.begin(), tau.end());
  };
  const Model model = lbr_like();
  InverseDynamics rigid(model, {.build = {.drives = Drives::rigid}});
  const auto q = fast_motion(7, 2);
  rigid.update({.q = q[0], .v = q[1], .vdot = q[2]});
  const VectorView tau = rigid.compute();
  double before = 0;
  for (const double factor : {1e3, 1e4, 1e5, 1e6}) {
    const std::vector<double> elastic = torques(factor);
    double square = 0;
    for (std::size_t k = 0; k < 7; ++k) square += std::pow(elastic[k] - tau[k] / (k < 5 ? 100 : 160), 2);
    const double gap = std::sqrt(square);
    if (before > 0) {
      EXPECT_NEAR(before / gap, 10, 0.1) << factor;
    }
    before = gap;
  }
}

/// Each drive's series is needed to its order, and no further.
TEST(ElasticInverseDynamics, DependsOnDerivativesUpToItsOrder) {
  ElasticInverseDynamics motors(lbr_like());
  ASSERT_EQ(motors.order(), 10);
  const auto torque_of = [&](const std::vector<std::vector<double>>& q) {
    motors.update(views(q));
    const VectorView tau = motors.compute().motor_torque;
    return std::vector<double>(tau.begin(), tau.end());
  };
  auto q = fast_motion(7, 12);
  const auto all = torque_of(q);
  q[11].assign(7, 1e9), q[12].assign(7, 1e9);
  EXPECT_EQ(torque_of(q), all);
  q[10][6] *= 1e40;  // of joint 7, the tenth: far from its torque, and multiplied by J/K again and again
  const auto changed = torque_of(q);
  EXPECT_NE(changed[0], all[0]);
  for (std::size_t d = 2; d < 7; ++d) EXPECT_EQ(changed[d], all[d]) << d;
}

TEST(ElasticChain, OfParallelAxesNeedsTwoOrdersMoreForEachDrive) {
  Model model("parallel");
  std::string carrier = "world";
  for (int k = 1; k <= 3; ++k) {
    const std::string body = "b" + std::to_string(k), joint = "j" + std::to_string(k);
    model.add(body, RigidBody{.mass = 1, .com = {0.2, 0, 0}, .inertia = SymMat3<double>::diagonal(0.1, 0.1, 0.1)});
    model.add(joint, Joint{.axis = z_axis}, at(carrier, {.xyz = {k == 1 ? 0.0 : 0.4, 0, 0}}), body);
    model.add("d" + std::to_string(k), Drive{.rotor_inertia = 1e-4, .gear = 50, .stiffness = 1e3}, joint,
              carrier == "world" ? Attachment() : Attachment(carrier));
    carrier = body;
  }
  const ElasticInverseDynamics motors(model);
  EXPECT_EQ(std::vector<int>(motors.drive_orders().begin(), motors.drive_orders().end()), (std::vector<int>{2, 4, 6}));
  EXPECT_EQ(motors.order(), 8);
}

/// A random tree of revolute and prismatic joints, with drives whose rotors have any axis on any body between their joint
/// and World.
Model random_driven(std::uint32_t seed) {
  Random random(seed);
  Model model("driven");
  std::vector<std::string> bodies{"world"};
  std::vector<std::vector<std::string>> carriers{{"world"}};  // of each body, those that carry it, and itself
  for (int k = 0; k < 5; ++k) {
    const std::string body = "b" + std::to_string(k), joint = "j" + std::to_string(k);
    const auto parent = random.chance(0.7)
                            ? bodies.size() - 1
                            : static_cast<std::size_t>(random.number(0, 0.99) * static_cast<double>(bodies.size()));
    model.add(body, RigidBody{.mass = random.number(3, 5),
                              .com = random.vec3() * 0.2,
                              .inertia = SymMat3<double>::diagonal(random.number(2, 3), random.number(2, 3),
                                                                   random.number(2, 3))});
    const bool slides = random.chance(0.2);
    model.add(joint, Joint{.kind = slides ? JointKind::prismatic : JointKind::revolute, .axis = {random.direction()}},
              at(bodies[parent], {.xyz = random.vec3(), .rpy = random.vec3()}), body);
    Drive drive{.rotor_inertia = random.number(0.001, 0.02),
                .gear = (random.chance(0.5) ? 1 : -1) * random.number(3, 30),
                .rotor_axis = Direction{random.direction()}};
    if (random.chance(0.8)) drive.stiffness = random.number(500, 2000);
    model.add("d" + std::to_string(k), drive, joint,
              at(random.one_of(carriers[parent]), {.xyz = random.vec3(), .rpy = random.vec3()}));
    bodies.push_back(body);
    carriers.push_back(carriers[parent]);
    carriers.back().push_back(body);
  }
  return model;
}

/// Forward dynamics, with rotors as bodies and springs as forces, gives back the motion.
TEST(ElasticInverseDynamics, IsInvertedByForwardDynamics) {
  int highest = 0;
  for (std::uint32_t seed = 1; seed <= 100 && !HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    const Model model = random_driven(seed);
    const Built built = build_mechanism(model);
    const ElasticChain chain(built.mechanism, built.parameters);
    highest = std::max(highest, chain.q_order);
    using T = Jet<double, 12>;
    ASSERT_LE(chain.q_order, 12);
    ElasticNewtonEuler<T> s(built.mechanism, chain);
    const auto q = fast_motion(5, 12);
    for (std::size_t i = 0; i < 5; ++i) {
      double factorial = 1;
      for (int k = 0; k <= 12; ++k, factorial *= k) s.q[i][k] = q[static_cast<std::size_t>(k)][i] / factorial;
    }
    elastic_inverse_dynamics<T, double>(built.mechanism, built.parameters, chain, s);

    ForwardDynamics forward(model, {.passive = true});
    const auto names = forward.v_names();
    std::vector<double> q_all(names.size()), v_all(names.size()), tau(names.size()), expected(names.size());
    for (std::size_t k = 0; k < names.size(); ++k) {
      const auto i = static_cast<std::size_t>(names[k][1] - '0');
      const auto& layout = built.mechanism.layout.q;
      const auto joint = std::find(layout.begin(), layout.end(), "j" + std::to_string(i)) - layout.begin();
      const T x = names[k].ends_with(".motor") ? s.theta[i] : s.q[static_cast<std::size_t>(joint)];
      q_all[k] = x[0], v_all[k] = x[1], expected[k] = 2 * x[2];
      const bool rigid = !chain.drives[i].elastic;
      if (names[k].ends_with(".motor")) tau[k] = motor_torque(built.mechanism, built.parameters, chain, s, i);
      if (rigid)
        tau[k] = motor_torque(built.mechanism, built.parameters, chain, s, i) * built.parameters.rotors[i].gear;
    }
    forward.update({.q = q_all, .v = v_all, .tau = tau});
    const VectorView a = forward.compute();
    double size = 0;
    for (const double x : expected) size = std::max(size, std::abs(x));
    for (std::size_t k = 0; k < names.size(); ++k) EXPECT_NEAR(a[k], expected[k], 1e-9 * size) << names[k];
  }
  EXPECT_GT(highest, 8);
}

std::string refusal(const Model& model) {
  try {
    ElasticInverseDynamics motors(model);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(ElasticInverseDynamics, RefusesWhatHasNoTorques) {
  Model arm("arm");
  arm.add("upper", RigidBody{.mass = 1, .inertia = SymMat3<double>::diagonal(0.1, 0.1, 0.1)});
  arm.add("elbow", Joint{.axis = z_axis}, "world", "upper");
  const Drive drive{.rotor_inertia = 1e-4, .gear = 50, .stiffness = 1e3};
  Model moved = arm;
  moved.add("motor", drive, "elbow", "upper");
  EXPECT_EQ(
      refusal(moved),
      "drive \"motor\" is mounted on a body that its own joint moves, directly or through other drives. Its torque "
      "then depends on its own acceleration, and is the solution of a differential equation. Mount it on the other "
      "side of its joint, or take its inertia as part of that body.  [elastic-order]");
  Model sticky = arm;
  Drive with_friction = drive;
  with_friction.friction = 0.3;
  sticky.add("motor", with_friction, "elbow");
  EXPECT_EQ(
      refusal(sticky),
      "drive \"motor\" has Coulomb friction 0.3, whose torque jumps with the direction of motion: it has no time "
      "derivatives. Set its friction to 0, and add the friction torque to that of the motor.  [elastic-friction]");
  Model damped = arm;
  Drive with_damping = drive;
  with_damping.damping = 3;
  damped.add("motor", with_damping, "elbow");
  EXPECT_EQ(refusal(damped),
            "drive \"motor\" has a damping of 3 N*m*s/rad parallel to its spring. The angle of its rotor is then the "
            "solution of a differential equation, which is not computed. Set its damping to 0.  [elastic-damping]");
  Model pushed = arm;
  pushed.add("motor", drive, "elbow");
  pushed.add("k", Spring{.stiffness = 3}, "world", "upper");
  EXPECT_EQ(
      refusal(pushed),
      "spring \"k\" acts on the mechanism. Inverse dynamics of elastic drives computes gravity, joint damping and "
      "drives only. Remove it, or use InverseDynamics with rigid drives.  [elastic-forces]");
  Model twice = arm;
  twice.add("motor", drive, "elbow");
  twice.add("other", drive, "elbow");
  EXPECT_EQ(refusal(twice),
            "drive \"other\" is the second drive on joint \"elbow\". How two drives share a torque is not "
            "determined. Leave one of them out.  [elastic-drives]");
  Model good = arm;
  good.add("motor", drive, "elbow");
  ElasticInverseDynamics motors(good);
  EXPECT_EQ(motors.order(), 4);
  try {
    const std::vector<double> q{0.1};
    motors.update({q, q});
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_STREQ(
        error.what(),
        "q_derivatives has 2 entries, q and 1 time derivatives. The torques of motor depend on derivatives up to "
        "order 4. Give all of them; the trajectory must be that smooth.  [elastic-derivatives]");
  }
}

}  // namespace
}  // namespace articula::test
