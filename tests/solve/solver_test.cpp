/// What all solvers promise: checked states, refresh, reconfigure, exterior ports, no allocation, clear refusals.

#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <Eigen/Dense>

#include <articula/articula.h>

#include "support/allocations.h"
#include "support/random_state.h"

namespace articula::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Model kuka() { return load(ARTICULA_SOURCE_DIR "/models/kuka_lwr4.yaml"); }
Model quadruped() { return load(ARTICULA_SOURCE_DIR "/models/quadruped.yaml"); }

Numbers copy(VectorView x) { return {x.begin(), x.end()}; }
Numbers copy(const MatrixView& x) { return {x.data(), x.data() + x.size()}; }

/// The text of the error that `f` throws.
template <class F>
std::string error_of(F&& f) {
  try {
    f();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

/// Some state of a solver: deterministic, without special angles.
struct SomeState {
  explicit SomeState(const Solver& solver) {
    const auto nv = static_cast<std::size_t>(solver.nv());
    q = neutral_configuration(solver.mechanism());
    q.resize(static_cast<std::size_t>(solver.nq()));
    const std::size_t quaternion = q.size() > nv ? 7 : 0;
    for (std::size_t k = quaternion; k < q.size(); ++k) q[k] = 0.3 * std::sin(1.0 + static_cast<double>(k));
    for (std::size_t k = 0; k < nv; ++k) {
      v.push_back(std::cos(2.0 * static_cast<double>(k)));
      vdot.push_back(std::sin(3.0 * static_cast<double>(k)));
    }
  }
  Numbers q, v, vdot, tau;
  operator State() const { return {.q = q, .v = v, .vdot = vdot, .tau = tau}; }  // NOLINT
};

TEST(Solver, RefusesAStateOfTheWrongSizeAndKeepsTheOldOne) {
  InverseDynamics torques(kuka());
  const SomeState state(torques);
  torques.update(state);
  const Numbers before = copy(torques.compute());
  const Numbers six(6, 0.1);
  EXPECT_THAT(error_of([&] { torques.update({.q = six}); }), HasSubstr("q has 6 entries, but there are 7: "));
  EXPECT_THAT(error_of([&] { torques.update({.q = state.q, .v = six}); }), HasSubstr("[state-size]"));
  EXPECT_THAT(error_of([&] { torques.update({}); }), HasSubstr("q has 0 entries, but there are 7"));
  EXPECT_EQ(copy(torques.compute()), before);
}

TEST(Solver, RefusesWhatIsNotFiniteAndKeepsTheOldState) {
  InverseDynamics torques(kuka());
  const SomeState state(torques);
  torques.update(state);
  const Numbers before = copy(torques.compute());
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    Numbers v = state.v;
    v[3] = bad;
    EXPECT_THAT(error_of([&] { torques.update({.q = Numbers(7, 1.0), .v = v}); }), HasSubstr("v[3], "));
    const Load load{.frame = torques.frame({"link7", ""}), .wrench = {{bad, 0, 0}, {}}};
    EXPECT_THAT(error_of([&] {
                  torques.update({.q = Numbers(7, 1.0), .loads = {&load, 1}});
                }),
                HasSubstr("[state-not-finite]"));
  }
  const Load nowhere{.frame = 1000};
  EXPECT_THAT(error_of([&] { torques.update({.q = state.q, .loads = {&nowhere, 1}}); }), HasSubstr("[load-frame]"));
  EXPECT_EQ(copy(torques.compute()), before);
}

TEST(Solver, RefusesAQuaternionThatIsNotOfUnitLength) {
  InverseDynamics torques(quadruped());
  Numbers q = neutral_configuration(torques.mechanism());
  q[6] = 1.1;
  EXPECT_THAT(error_of([&] { torques.update({.q = q}); }), HasSubstr("has length 1.1"));
}

/// Bodies turn as far as the direction of the quaternion says, whatever its length within what is allowed.
TEST(Solver, NormalizesQuaternionsThatAreNearlyOfUnitLength) {
  const Model robot = quadruped();
  InverseDynamics torques(robot);
  const SomeState state(torques);
  Numbers q = state.q;
  q[3] = 0.1, q[4] = -0.5, q[5] = 0.7, q[6] = 0.5;  // of length 1
  torques.update({.q = q, .v = state.v, .vdot = state.vdot});
  const Numbers exact = copy(torques.compute());
  for (const double length : {1 - 9e-7, 1 + 9e-7}) {
    Numbers near = q;
    for (std::size_t k = 3; k < 7; ++k) near[k] *= length;
    for (const RunAs run_as : {RunAs::flat, RunAs::network}) {
      InverseDynamics solver(robot, {.run_as = run_as});
      solver.update({.q = near, .v = state.v, .vdot = state.vdot});
      EXPECT_LT(distance(copy(solver.compute()), exact), 1e-14);
    }
  }
}

TEST(Solver, WarnsOfContactWhereForcesMatter) {
  const Model robot = quadruped();
  const auto codes = [](const Solver& solver) {
    std::vector<std::string> all;
    for (const Finding& finding : solver.findings()) all.push_back(finding.code);
    return all;
  };
  EXPECT_THAT(codes(InverseDynamics(robot)), ElementsAre("contact-not-computed"));
  EXPECT_THAT(codes(ForwardDynamics(robot)), ElementsAre("contact-not-computed"));
  EXPECT_THAT(codes(MassMatrix(robot)), testing::IsEmpty());
  EXPECT_THAT(
      to_text(InverseDynamics(robot).findings().front()),
      HasSubstr("contact is not computed yet, and no contact force is part of the result. Give contact forces as "
                "loads.  [contact-not-computed]"));
}

TEST(Solver, RefusesLoopsRatherThanIgnoreThem) {
  EXPECT_THAT(error_of([] { InverseDynamics(load(ARTICULA_SOURCE_DIR "/models/four_bar.yaml")); }),
              HasSubstr("closes a loop"));
}

TEST(Solver, RefusesByNameWhatDoesNotRunYet) {
  EXPECT_THAT(error_of([] { CenterOfMass(kuka(), {.run_as = RunAs::generated}); }),
              HasSubstr("it does not run as \"generated\" yet. It runs as \"flat\"."));
  EXPECT_THAT(error_of([] { MassMatrix(kuka(), {.run_as = RunAs::network}); }),
              HasSubstr("It runs as \"flat\" and \"generated\"."));
  Model orbit = kuka();
  orbit.environment.gravity = CentralGravity{{0, 0, -6371e3}, 3.986e14};
  EXPECT_THAT(error_of([&] { EquationsOfMotion solver(orbit); }), HasSubstr("[gravity-not-uniform]"));
}

TEST(Solver, RefusesAJointThatMovesNothing) {
  Model arm = kuka();
  RigidBody& tip = arm.at<RigidBody>("link7");
  tip.mass = 0, tip.inertia = {}, tip.com = {};
  EXPECT_THAT(error_of([&] { ForwardDynamics motion(arm); }), HasSubstr("moves nothing that has inertia"));
  InverseDynamics torques(arm);  // which does not mind
  torques.update({.q = Numbers(7, 0.1)});
  EXPECT_TRUE(std::isfinite(torques.compute()[0]));
}

TEST(Solver, KeepsTheLastGoodResultWhereAJointBecomesSingular) {
  // A point mass on the axis of the second joint when it is stretched out, and nowhere else.
  Model arm("arm");
  arm.add("near", RigidBody{.mass = 1, .com = {0.5, 0, 0}, .inertia = SymMat3<double>::diagonal(0.1, 0.1, 0.1)});
  arm.add("bar", RigidBody{});
  arm.add("far", RigidBody{.mass = 1});
  arm.add("first", Joint{.axis = z_axis}, "world", "near");
  arm.add("second", Joint{.axis = x_axis}, at("near", {.xyz = {1, 0, 0}}), "bar");
  arm.add("third", Joint{.axis = z_axis, .start = {1.0}}, "bar", at("far", {.xyz = {-1, 0, 0}}));
  ForwardDynamics motion(arm);
  motion.update({.q = Numbers{0, 0, 1}, .tau = Numbers{1, 2, 3}});
  const Numbers good = copy(motion.compute());
  EXPECT_TRUE(motion.report().ok());
  motion.update({.q = Numbers{0, 0, 0}, .tau = Numbers{1, 2, 3}});
  EXPECT_EQ(copy(motion.compute()), good);
  EXPECT_FALSE(motion.report().ok());
  EXPECT_THAT(to_text(motion.report()), HasSubstr("moves nothing that has inertia"));

  MassMatrix masses(arm);
  masses.update({.q = Numbers{0, 0, 1}});
  const Numbers good_inverse = copy(masses.compute_inverse());
  masses.update({.q = Numbers{0, 0, 0}});
  EXPECT_EQ(copy(masses.compute_inverse()), good_inverse);
  EXPECT_FALSE(masses.report().ok());

  Derivatives changes(arm, Derivatives::Of::forward_dynamics);
  changes.update({.q = Numbers{0, 0, 1}, .tau = Numbers{1, 2, 3}});
  const Numbers good_dq = copy(changes.compute().dq), good_du = copy(changes.compute().du);
  changes.update({.q = Numbers{0, 0, 0}, .tau = Numbers{1, 2, 3}});
  for (int k = 0; k < 2; ++k) {
    EXPECT_EQ(copy(changes.compute().dq), good_dq);
    EXPECT_EQ(copy(changes.compute().du), good_du);
    EXPECT_FALSE(changes.report().ok());
  }
}

// --- new numbers, new structure ------------------------------------------------------------------------------------

TEST(Solver, RefreshesToTheNumbersOfAFreshOne) {
  Model robot = quadruped();
  InverseDynamics torques(robot);
  const SomeState state(torques);
  torques.update(state);
  const Numbers before = copy(torques.compute());
  robot.at<RigidBody>(torques.mechanism().provenance.constituents.front().name).mass *= 1.5;
  torques.refresh(robot);
  InverseDynamics fresh(robot);
  fresh.update(state);
  EXPECT_NE(copy(torques.compute()), before);
  EXPECT_EQ(copy(torques.compute()), copy(fresh.compute()));
}

TEST(Solver, RefreshesOneMassWithoutAllocating) {
  Model robot = quadruped();
  InverseDynamics torques(robot);
  RigidBody& body = robot.at<RigidBody>(torques.mechanism().provenance.constituents.front().name);
  body.mass = 11;
  torques.refresh(robot);
  body.mass = 12;
  const std::size_t before = allocations();
  torques.refresh(robot);
  EXPECT_EQ(allocations(), before);
}

TEST(Solver, RefreshesNothingWhenANumberIsBad) {
  Model robot = kuka();
  InverseDynamics torques(robot);
  const SomeState state(torques);
  torques.update(state);
  const Numbers before = copy(torques.compute());
  robot.at<RigidBody>("link3").mass = -1;
  EXPECT_THAT(error_of([&] { torques.refresh(robot); }), HasSubstr("link3"));
  EXPECT_EQ(copy(torques.compute()), before);
}

TEST(Solver, ReconfiguresToANewStructureAndKeepsTheStateOfWhatStays) {
  Model robot = kuka();
  ForwardKinematics where(robot, {.exterior = {.frames = {{"link7", ""}}}});
  const SomeState state(where);
  where.update(state);
  const Pose<double> X_before = where.compute()[0].X_WF;
  robot.add("gripper", RigidBody{.mass = 0.5, .inertia = SymMat3<double>::diagonal(1e-3, 1e-3, 1e-3)});
  robot.add("wrist", Joint{.axis = x_axis}, "link7", "gripper");
  where.reconfigure(robot);
  EXPECT_EQ(where.nv(), 8);
  EXPECT_EQ(where.compute()[0].X_WF, X_before);
}

// --- exterior ports ------------------------------------------------------------------------------------------------

TEST(Exterior, ReordersVariables) {
  const Model robot = kuka();
  InverseDynamics plain(robot);
  std::vector<std::string> joints(plain.v_names().rbegin(), plain.v_names().rend());
  InverseDynamics backwards(robot, {.exterior = {.joints = joints}});
  const SomeState state(plain);
  plain.update(state);
  const auto reversed = [](Numbers x) {
    std::reverse(x.begin(), x.end());
    return x;
  };
  backwards.update({.q = reversed(state.q), .v = reversed(state.v), .vdot = reversed(state.vdot)});
  EXPECT_EQ(reversed(copy(backwards.compute())), copy(plain.compute()));
  MassMatrix masses(robot), masses_backwards(robot, {.exterior = {.joints = joints}});
  masses.update({.q = state.q});
  masses_backwards.update({.q = reversed(state.q)});
  const Numbers M = copy(masses.compute());
  EXPECT_EQ(reversed(copy(masses_backwards.compute())), M);
}

TEST(Exterior, HoldsJointsThatAreNotShownWhereTheyStart) {
  const Model robot = kuka();
  InverseDynamics all(robot);
  const std::string third(all.v_names()[2]);
  ForwardDynamics one(robot, {.exterior = {.joints = {third}}});
  EXPECT_EQ(one.nv(), 1);
  one.update({.q = Numbers{0.4}, .v = Numbers{0.5}, .tau = Numbers{2}});
  const double vdot = one.compute()[0];
  // The same motion of all joints needs just that torque at the one shown.
  Numbers q = all.parameters().q_start, v(7), a(7);
  q[2] = 0.4, v[2] = 0.5, a[2] = vdot;
  all.update({.q = q, .v = v, .vdot = a});
  EXPECT_NEAR(all.compute()[2], 2, 1e-12);
}

TEST(Exterior, IsTheModelsOwnUnlessTheSolverIsTold) {
  Model robot = kuka();
  InverseDynamics all(robot);
  robot.exterior.joints = {std::string(all.v_names()[4]), std::string(all.v_names()[1])};
  EXPECT_THAT(copy(VectorView(Numbers{})), testing::IsEmpty());
  InverseDynamics two(robot);
  ASSERT_EQ(two.nv(), 2);
  EXPECT_EQ(two.v_names()[0], all.v_names()[4]);
}

TEST(Exterior, RefusesJointsThatAreNotThereOrTwice) {
  EXPECT_THAT(error_of([] { InverseDynamics(kuka(), {.exterior = {.joints = {"joint"}}}); }),
              HasSubstr("[no-such-joint]"));
  const std::string name(InverseDynamics(kuka()).v_names()[0]);
  EXPECT_THAT(error_of([&] {
                InverseDynamics(kuka(), {.exterior = {.joints = {name, name}}});
              }),
              HasSubstr("[exterior-twice]"));
  const PortRef frame = ForwardKinematics(kuka()).frames()[1];
  EXPECT_THAT(error_of([&] {
                ForwardKinematics(kuka(), {.exterior = {.frames = {frame, frame}}});
              }),
              HasSubstr(concat("exterior frame ", quoted(to_text(frame)),
                               " is listed twice. Each frame may be exposed once.  [exterior-twice]")));
}

// --- nothing is allocated --------------------------------------------------------------------------------------------

template <class MakeSolver, class Compute>
void expect_no_allocation(MakeSolver&& make, Compute&& compute) {
  for (const Model& model : {kuka(), quadruped()}) {
    auto solver = make(model);
    SomeState state(solver);
    state.tau = state.v;
    solver.update(state);
    compute(solver);
    const std::size_t before = allocations();
    solver.update(state);
    compute(solver);
    EXPECT_EQ(allocations(), before) << model.name;
  }
}

TEST(Solver, AllocatesNothingInATick) {
  const std::size_t before = allocations();
  const auto counted = std::make_unique<double>(1);
  asm volatile("" : : "g"(counted.get()) : "memory");  // else compilers may leave it out
  ASSERT_GT(allocations(), before) << "the counter must count";
  expect_no_allocation([](const Model& m) { return ForwardKinematics(m); }, [](auto& s) { s.compute(); });
  expect_no_allocation([](const Model& m) { return MassMatrix(m); }, [](auto& s) { s.compute(), s.compute_inverse(); });
  expect_no_allocation([](const Model& m) { return CenterOfMass(m); }, [](auto& s) { s.compute(); });
  expect_no_allocation([](const Model& m) { return EquationsOfMotion(m); }, [](auto& s) { s.compute(); });
  expect_no_allocation([](const Model& m) { return Regressor(m); }, [](auto& s) { s.compute(); });
  expect_no_allocation(
      [](const Model& m) {
        const std::string body = InverseDynamics(m).mechanism().provenance.constituents.back().name;
        return Jacobian(m, {body, ""}, JacobianFrame::local);
      },
      [](auto& s) { s.compute(), s.compute_rate(); });
  for (const auto of : {Derivatives::Of::inverse_dynamics, Derivatives::Of::forward_dynamics}) {
    expect_no_allocation([&](const Model& m) { return Derivatives(m, of); }, [](auto& s) { s.compute(); });
  }
  for (const bool passive : {false, true}) {
    for (const auto in : {Representation::body, Representation::inertial, Representation::absolute}) {
      const SolverOptions options{.representation = in, .passive = passive};
      expect_no_allocation([&](const Model& m) { return InverseDynamics(m, options); }, [](auto& s) { s.compute(); });
      expect_no_allocation([&](const Model& m) { return ForwardDynamics(m, options); }, [](auto& s) { s.compute(); });
    }
  }
  const SolverOptions network{.run_as = RunAs::network};
  expect_no_allocation([&](const Model& m) { return InverseDynamics(m, network); }, [](auto& s) { s.compute(); });
  expect_no_allocation([&](const Model& m) { return ForwardDynamics(m, network); }, [](auto& s) { s.compute(); });
}

}  // namespace
}  // namespace articula::test
