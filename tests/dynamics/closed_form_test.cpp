#include <articula/dynamics/closed_form.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <articula/formats/load.h>

#include "support/sample.h"
#include "support/seeded.h"

namespace articula::test {
namespace {

using test::gap, test::masses, test::Numbers, test::Random, test::torques;
using testing::HasSubstr;

/// Normwise: sums over a dozen links in World coordinates against a recursion in body coordinates.
constexpr double agreement = 1e-11;

/// An open chain with random placements, inertias, gravity and joints, some of them written backwards.
Built random_chain(std::uint32_t seed, int links) {
  Random random(seed);
  Built chain;
  Mechanism& mech = chain.mechanism;
  Parameters<double>& par = chain.parameters;
  par.gravity_W = 10 * random.vec3();
  for (int i = 0; i <= links; ++i) {
    Body body;
    body.beyond = links + 1;
    body.v_beyond = links;
    if (i > 0) {
      body.parent = i - 1;
      body.joint = random.chance(0.3) ? JointKind::prismatic : JointKind::revolute;
      body.q = body.v = {i - 1, 1};
      body.reversed = random.chance(0.3);
      mech.body_of_dof.push_back(i);
    }
    mech.bodies.push_back(body);
    par.X_PF.push_back(random.pose());
    par.placement.push_back(PoseForm::general);
    par.axis_sign.push_back(1);
    reset(par.joint.emplace_back(), mech.bodies.back().joint);
    const Vec3<double> com = random.vec3(), J = random.vec3();
    const SymMat3<double> J_c = SymMat3<double>::diagonal(2 + J.x, 2 + J.y, 2 + J.z);
    par.M_B.push_back(inertia_about_origin(random.number(0.1, 3), com, J_c));
    if (random.chance(0.1)) par.M_B.back() = Inertia<double>::zero();
    par.internal_momentum.push_back(random.chance(0.3) ? random.vec3() : Vec3<double>::zero());
  }
  mech.nq = mech.nv = links;
  mech.has_armature = true;
  for (int k = 0; k < links; ++k) par.armature.push_back(random.chance(0.3) ? random.number(0, 2) : 0);
  return chain;
}

/// The equations of a chain at a state.
template <class T>
ClosedForm<T> closed_form(const Built& built, const std::vector<T>& q, const std::vector<T>& v) {
  Positions<T> kin(built.mechanism);
  ClosedForm<T> chain(built.mechanism);
  positions<T, double>(built.mechanism, built.parameters, q, kin);
  closed_form_positions<T, double>(built.mechanism, built.parameters, kin, chain);
  closed_form_velocities<T>(v, chain);
  return chain;
}

Numbers numbers(Random& random, int count) {
  Numbers x;
  for (int k = 0; k < count; ++k) x.push_back(random.number());
  return x;
}

void expect_the_forces_of_inverse_dynamics(const Built& built, std::uint32_t seed) {
  Random random(seed);
  const int n = built.mechanism.nv;
  const Numbers q = numbers(random, n), v = numbers(random, n), vdot = numbers(random, n), none(vdot.size());
  std::vector<Force<double>> F_applied_B;
  for (int i = 0; i <= n; ++i) F_applied_B.push_back({random.vec3(), random.vec3()});
  const ClosedForm<double> chain = closed_form(built, q, v);
  Numbers M, H, G, tau;
  for (int j = 1; j <= n; ++j) {
    for (int k = 1; k <= n; ++k) M.push_back(closed_form_mass(chain, j, k));
    H.push_back(closed_form_bias(chain, j));
    G.push_back(-closed_form_gravity(chain, j));
    tau.push_back(closed_form_torque<double>(chain, j, vdot, F_applied_B));
  }
  EXPECT_LT(gap(tau, torques<double>(built, q, v, vdot, F_applied_B)), agreement) << "seed " << seed;
  EXPECT_LT(gap(M, masses(built, q)), agreement) << "seed " << seed;
  EXPECT_LT(gap(G, torques(built, q, none, none)), agreement) << "seed " << seed;
  for (std::size_t k = 0; k < H.size(); ++k) H[k] += G[k];
  EXPECT_LT(gap(H, torques(built, q, v, none)), agreement) << "seed " << seed;
}

TEST(ClosedForm, GivesTheForcesOfInverseDynamicsOfRandomChains) {
  for (std::uint32_t seed = 1; seed <= 40; ++seed) {
    expect_the_forces_of_inverse_dynamics(random_chain(seed, 1 + static_cast<int>(seed % 12)), seed);
  }
}

class ClosedFormOf : public testing::TestWithParam<const char*> {};

TEST_P(ClosedFormOf, RobotGivesTheForcesOfInverseDynamics) {
  const Built built = build_mechanism(load(std::string(ARTICULA_SOURCE_DIR "/models/") + GetParam() + ".yaml"));
  for (std::uint32_t seed = 1; seed <= 10; ++seed) expect_the_forces_of_inverse_dynamics(built, seed);
}

INSTANTIATE_TEST_SUITE_P(Robots, ClosedFormOf,
                         testing::Values("two_link", "kuka_lwr4", "puma560", "six_axis", "ur5_like",
                                         "hydraulic_manipulator"),
                         [](const auto& test) { return std::string(test.param); });

TEST(ClosedForm, RunsWithDuals) {
  const Built built = random_chain(7, 6);
  Random random(7);
  const Numbers q = numbers(random, 6), v = numbers(random, 6), vdot = numbers(random, 6), dq = numbers(random, 6);
  const auto moving = test::seeded_q(built.mechanism, q, dq);
  const auto chain = closed_form(built, moving, test::constant(v));
  std::vector<Dual> tau;
  for (int j = 1; j <= 6; ++j) tau.push_back(closed_form_torque<Dual>(chain, j, test::constant(vdot), {}));
  EXPECT_LT(
      gap(test::derivatives(tau), test::derivatives(torques(built, moving, test::constant(v), test::constant(vdot)))),
      agreement);
}

std::string complaint(const char* model) {
  try {
    ClosedForm<double> chain(build_mechanism(load(std::string(ARTICULA_SOURCE_DIR "/models/") + model)).mechanism);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(ClosedForm, NamesTheJointThatMakesNoChain) {
  EXPECT_EQ(complaint("quadruped.yaml"),
            "joint \"base\" is free. The closed-form equations are those of an open chain of revolute and prismatic "
            "joints; use inverse_dynamics for any other mechanism.  [chain-needed]");
  EXPECT_THAT(complaint("four_bar.yaml"), HasSubstr("begins a branch"));
}

}  // namespace
}  // namespace articula::test
