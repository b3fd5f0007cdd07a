// Inverse dynamics of elastic drives against reference numbers: Newton-Euler with gyrostats in Taylor arithmetic of 40 digits.

#include <articula/drives/elastic_inverse_dynamics.h>

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include <nlohmann/json.hpp>

#include <articula/articula.h>
#include <articula/solve/elastic_inverse_dynamics.h>

#include <articula/base/text.h>
#include <articula/joints/time_series.h>

#include "support/driven_tree.h"
#include "support/random_state.h"
#include "support/reference.h"

namespace articula::test {
namespace {

using namespace drives;

constexpr double agreement = 1e-9;  ///< relative, of each entry

/// A model with locked drives and with elastic ones.
struct BothMechanisms {
  explicit BothMechanisms(const Model& model)
      : locked(build_mechanism(model, {.drives = Drives::locked})),
        full(build_mechanism(model, {.drives = Drives::elastic})),
        mech(locked.mechanism),
        par(locked.parameters),
        chain(mech, par, full.mechanism, full.parameters) {}
  BothMechanisms(const BothMechanisms&) = delete;

  Built locked, full;
  const Mechanism& mech;
  const Parameters<double>& par;
  ElasticChain chain;
};

Model lbr_like() { return load(std::filesystem::path(ARTICULA_SOURCE_DIR) / "models/lbr_like.yaml"); }

/// The series of coordinate i from derivatives of all.
template <class T>
T series_of(const std::vector<std::vector<double>>& derivatives, std::size_t i) {
  T x = T::zero_of_order(static_cast<int>(derivatives.size()) - 1);
  double factorial = 1;
  for (int k = 0; k <= x.order; ++k, factorial *= k) x[k] = derivatives[static_cast<std::size_t>(k)][i] / factorial;
  return x;
}

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
  const BothMechanisms arm(lbr_like());
  std::vector<int> orders;
  for (const ElasticRotor& rotor : arm.chain.rotors) orders.push_back(rotor.order);
  EXPECT_EQ(orders, (std::vector<int>{2, 2, 4, 5, 6, 7, 8}));
  EXPECT_EQ(arm.chain.q_order, 10);
}

TEST(ElasticInverseDynamics, HasTheTorquesOfTheReference) {
  ARTICULA_NEEDS_REFERENCES();
  const BothMechanisms arm(lbr_like());
  const Mechanism& mech = arm.mech;
  const Parameters<double>& par = arm.par;
  const ElasticChain& chain = arm.chain;
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
        s.q[i] = series_of<T>(q, i);
      }
      elastic_inverse_dynamics<T, double>(mech, par, chain, s);
      for (std::size_t d = 0; d < 7; ++d) {
        const auto near = [&](double value, const char* name) {
          const double expected = state[name][d];
          EXPECT_NEAR(value, expected, agreement * std::abs(expected)) << name << " " << d;
        };
        near(motor_torque(mech, par, chain, s, d), "tau_full");
        near(s.u[d][0], "u");
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

std::string refusal(const Model& model) {
  try {
    ElasticInverseDynamics motors(model);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(ElasticChain, OfTooManyDrivesIsRefused) {
  Model model("parallel");
  std::string carrier = "world";
  for (int k = 0; k < 40; ++k) {
    const std::string body = concat("b", k), joint = concat("j", k);
    model.add(body, RigidBody{.mass = 1, .com = {0.2, 0, 0}, .inertia = SymMat3<double>::diagonal(0.1, 0.1, 0.1)});
    model.add(joint, Joint{.axis = z_axis}, at(carrier, {.xyz = {0.4, 0, 0}}), body);
    model.add(concat("d", k), Drive{.rotor_inertia = 1e-4, .gear = 50, .stiffness = 1e3}, joint, carrier);
    carrier = body;
  }
  EXPECT_EQ(
      refusal(model),
      "torques of the drives of \"parallel\" depend on time derivatives of q beyond order 64, which is the highest "
      "that is computed. Make some of the drives rigid.  [elastic-order]");
}

using Series = Jet<double, 16>;

/// A fast motion: positions and angles by harmonics, orientations by roll, pitch and yaw.
std::vector<Series> fast_series(const Mechanism& mech) {
  const auto harmonic = [](std::size_t i) { return series_of<Series>(fast_motion(i + 1, 16), i); };
  std::vector<Series> q(static_cast<std::size_t>(mech.nq));
  for (const Body& body : mech.bodies) {
    visit_joint(body.joint, [&]<class J>(J) {
      std::array<Series, 6> x, v, vdot;
      for (std::size_t k = 0; k < J::v.size(); ++k) x[k] = harmonic(static_cast<std::size_t>(body.v.first) + k);
      std::array<Series, 6> xdot, xddot;
      for (std::size_t k = 0; k < J::v.size(); ++k) xdot[k] = derivative(x[k]), xddot[k] = derivative(xdot[k]);
      JointSeries<J>::follow(x.data(), xdot.data(), xddot.data(), q.data() + body.q.first, v.data(), vdot.data());
    });
  }
  return q;
}

/// Forward dynamics, with rotors as bodies and springs as forces, gives back the motion.
TEST(ElasticInverseDynamics, IsInvertedByForwardDynamics) {
  int highest = 0, wrists = 0, damped = 0, quaternions = 0;
  for (std::uint32_t seed = 1; seed <= 200 && !HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    const DrivenTree tree(seed);
    const BothMechanisms both(tree.model);
    const Mechanism& mech = both.mech;
    const Parameters<double>& par = both.par;
    const ElasticChain& chain = both.chain;
    highest = std::max(highest, chain.q_order);
    ASSERT_LE(chain.q_order, Series::capacity);
    for (const ElasticGroup& group : chain.groups) wrists += group.rotors.size() > 1;
    damped += chain.has_damped_springs;
    quaternions += mech.nq > mech.nv;
    ElasticNewtonEuler<Series> s(mech, chain);
    s.q = fast_series(mech);
    for (Series& q : s.q) q = truncated(q, chain.q_order);
    elastic_inverse_dynamics<Series, double>(mech, par, chain, s);

    ForwardDynamics forward(tree.model, {.passive = true});
    const auto q_names = forward.q_names(), v_names = forward.v_names();
    const auto rotor_of = [&](const std::string& name) -> const ElasticRotor* {
      const auto found = std::find_if(chain.rotors.begin(), chain.rotors.end(), [&](const ElasticRotor& r) {
        return name == r.name + ".motor" || name == r.name + ".shaft";
      });
      return found == chain.rotors.end() ? nullptr : &*found;
    };
    const auto place = [](const std::vector<std::string>& names, const std::string& name) {
      return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
    };
    Numbers q, v, tau, expected;
    for (const std::string& name : q_names) {
      const ElasticRotor* rotor = rotor_of(name);
      q.push_back(rotor != nullptr ? s.theta[static_cast<std::size_t>(rotor - chain.rotors.data())][0]
                                   : s.q[place(mech.layout.q, name)][0]);
    }
    double size = 0;
    for (const std::string& name : v_names) {
      const ElasticRotor* rotor = rotor_of(name);
      const auto r = static_cast<std::size_t>(rotor == nullptr ? 0 : rotor - chain.rotors.data());
      const std::size_t dof = place(mech.layout.v, name);
      v.push_back(rotor != nullptr ? s.theta[r][1] : s.v[dof][0]);
      expected.push_back(rotor != nullptr ? 2 * s.theta[r][2] : s.v[dof][1]);
      size = std::max(size, std::abs(expected.back()));
      tau.push_back(0);
      if (rotor != nullptr) {
        tau.back() = motor_torque(mech, par, chain, s, r);
        continue;
      }
      // Along a joint: what its rigid drives do, or what it needs if nothing drives it.
      bool is_driven = false;
      for (const ElasticGroup& group : chain.groups) {
        for (std::size_t k = 0; k < group.shafts.size(); ++k) {
          if (group.shafts[k].dof != static_cast<int>(dof)) continue;
          is_driven = true;
          for (std::size_t i = 0; i < group.rotors.size() && !group.shafts[k].elastic; ++i) {
            tau.back() += group.R[i * group.shafts.size() + k] *
                          motor_torque(mech, par, chain, s, static_cast<std::size_t>(group.rotors[i]));
          }
        }
      }
      if (!is_driven) tau.back() = s.u[dof][0];
    }
    forward.update({.q = q, .v = v, .tau = tau});
    const VectorView a = forward.compute();
    for (std::size_t k = 0; k < v_names.size(); ++k) EXPECT_NEAR(a[k], expected[k], 1e-9 * size) << v_names[k];
  }
  EXPECT_GT(highest, 8);
  EXPECT_GT(wrists, 20);
  EXPECT_GT(damped, 20);
  EXPECT_GT(quaternions, 20);
}

/// S, C_rotor and C_carrier are blocks of mass matrix and bias of the mechanism with rotors as bodies.
TEST(RotorCoupling, AreBlocksOfTheMechanismWithRotorBodies) {
  for (std::uint32_t seed = 1; seed <= 50 && !HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    Model model("chain");
    std::string carrier = "world";
    for (int k = 0; k < 5; ++k) {
      const std::string body = concat("b", k), joint = concat("j", k);
      model.add(body, RigidBody{.mass = 3, .com = random.vec3(), .inertia = SymMat3<double>::diagonal(2, 2, 3)});
      model.add(
          joint,
          Joint{.kind = random.chance(0.2) ? JointKind::prismatic : JointKind::revolute, .axis = {random.direction()}},
          at(carrier, {.xyz = random.vec3(), .rpy = random.vec3()}), body);
      model.add(concat("d", k),
                Drive{.rotor_inertia = random.number(0.01, 0.2),
                      .gear = random.number(3, 30),
                      .stiffness = 100,
                      .rotor_axis = Direction{random.direction()}},
                joint, at(carrier, {.rpy = random.vec3()}));
      carrier = body;
    }
    ElasticInverseDynamics motors(model);
    const auto q = fast_motion(5, motors.order());
    motors.update(views(q));
    const auto torques = motors.compute();
    const auto& [S, C_rotor, C_carrier] = motors.couplings();

    const SolverOptions elastic{.passive = true, .build = {.drives = Drives::elastic}};
    MassMatrix mass(model, elastic);
    InverseDynamics inverse(model, elastic);
    const auto names = inverse.v_names();
    const auto at_name = [&](const std::string& name) {
      return static_cast<int>(std::find(names.begin(), names.end(), name) - names.begin());
    };
    std::vector<int> joints, rotors;
    for (int k = 0; k < 5; ++k)
      joints.push_back(at_name(concat("j", k))), rotors.push_back(at_name(concat("d", k, ".motor")));
    Numbers q_all(10), v_all(10), v_joints(10);
    for (std::size_t k = 0; k < 5; ++k) {
      const auto j = static_cast<std::size_t>(joints[k]), r = static_cast<std::size_t>(rotors[k]);
      q_all[j] = q[0][k], q_all[r] = torques.motor_position[k];
      v_all[j] = v_joints[j] = q[1][k], v_all[r] = torques.motor_velocity[k];
    }
    mass.update({.q = q_all});
    const MatrixView M = mass.compute();
    const auto bias = [&](const Numbers& v) {
      const Numbers zero(10);
      inverse.update({.q = q_all, .v = v, .vdot = zero});
      const VectorView tau = inverse.compute();
      return Numbers(tau.begin(), tau.end());
    };
    const Numbers moving = bias(v_all), links = bias(v_joints), still = bias(Numbers(10));
    double size = 0;
    for (const double x : moving) size = std::max(size, std::abs(x));
    for (int k = 0; k < 5; ++k) {
      const auto j = static_cast<std::size_t>(joints[static_cast<std::size_t>(k)]),
                 r = static_cast<std::size_t>(rotors[static_cast<std::size_t>(k)]);
      for (int i = 0; i < 5; ++i)
        EXPECT_NEAR(S(i, k), M(joints[static_cast<std::size_t>(i)], static_cast<int>(r)), 1e-12);
      EXPECT_NEAR(C_rotor[static_cast<std::size_t>(k)], moving[j] - links[j], 1e-12 * size);
      EXPECT_NEAR(C_carrier[static_cast<std::size_t>(k)], links[r] - still[r], 1e-12 * size);
    }
  }
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
  sticky.at<Joint>("elbow").friction = 0.3;
  sticky.add("motor", drive, "elbow");
  EXPECT_EQ(
      refusal(sticky),
      "joint \"elbow\" has Coulomb friction 0.3 behind the spring of its drive. That torque jumps with the "
      "direction of motion: it has no time derivatives. Set it to 0, or give it to the drive, whose friction acts "
      "on its rotor.  [elastic-friction]");
  Model pushed = arm;
  pushed.add("motor", drive, "elbow");
  pushed.add("k", Spring{.stiffness = 3}, "world", "upper");
  EXPECT_EQ(
      refusal(pushed),
      "spring \"k\" acts on the mechanism. Inverse dynamics of elastic drives computes gravity, elements on shafts and "
      "drives only. Remove it, or use InverseDynamics with rigid drives.  [elastic-forces]");
  Model twice = arm;
  twice.add("motor", drive, "elbow");
  twice.add("other", drive, "elbow");
  EXPECT_EQ(refusal(twice),
            "drive \"other\" is the second drive on joint \"elbow\". How two drives share a torque is not "
            "determined. Leave one of them out.  [elastic-drives]");
  Model unloaded = arm;
  unloaded.add("r", Rotor{.inertia = 1});
  EXPECT_EQ(
      refusal(unloaded),
      "rotor \"r\" is on a shaft without a joint, so that its angle does not follow from the joints. Connect it to a "
      "joint, or use InverseDynamics with rigid drives.  [elastic-gear]");
  Model soft = arm;
  soft.add("r", Rotor{.inertia = 1});
  soft.add("s", Spring{.form = Form::torsional, .stiffness = 0}, at("r", "shaft"), "elbow");
  EXPECT_EQ(
      refusal(soft),
      "spring \"s\": its stiffness is 0. An elastic drive needs a positive stiffness; omit it for a rigid drive.  "
      "[elastic-stiffness]");
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
  try {
    const std::vector<double> q{0.1};
    motors.update(std::vector<VectorView>{q, q, q, q, q}, q);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_STREQ(
        error.what(),
        "motor_position is given, but no drive of \"arm\" has a damped spring: the angles of the rotors follow "
        "from q and its time derivatives. Omit it.  [elastic-motor-position]");
  }
}

}  // namespace
}  // namespace articula::test
