// Joints that open and close during a run: closed forms, momentum, resumption, messages.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include <articula/simulate/phased_simulation.h>

#include "simulate/runs.h"

namespace articula::test {
namespace {

using testing::ElementsAre;

SimulationOptions options(double until, double every, Method method = Method::rk45) {
  return {
      .integrator = {.method = method, .relative = 1e-10, .absolute = 1e-10}, .until = until, .output_every = every};
}

/// A pendulum whose bob has its frame at its centre of mass, on a rod of length 1.5.
Model swing() {
  Model model("swing");
  model.add("bob", RigidBody{.mass = 2, .inertia = SymMat3<double>::diagonal(0.1, 0.1, 0.1)});
  model.add("hinge", Joint{.axis = y_axis}, "world", at("bob", {.xyz = {0, 0, 1.5}}));
  return model;
}

std::string error_of(const std::function<void()>& f) {
  try {
    f();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(PhasedSimulation, AReleasedBobFliesAlongAParabola) {
  PhasedSimulation run(swing(), {}, {}, {}, {{.at = 0.4, .disconnect = "hinge"}}, options(1, 0.05));
  KeptRows rows;
  const Outcome outcome = run.run(run.first().start({.q = std::vector<double>{1.2}}), rows);
  ASSERT_EQ(outcome.end, RunEnd::done) << outcome.what;
  EXPECT_EQ(rows.rows.size(), 21u);
  EXPECT_EQ(outcome.rows, 21);
  EXPECT_EQ(outcome.t, 1);
  // The pendulum alone gives where it is released.
  const auto whole = make_system(swing(), {});
  const Ran until = test::run(*whole, {.q = std::vector<double>{1.2}}, options(0.4, 0.05));
  const double q = until.rows.last("q.hinge"), w = until.rows.last("v.hinge");
  for (std::size_t k = 0; k < rows.rows.size(); ++k) {
    const double t = rows.rows[k][0];
    EXPECT_DOUBLE_EQ(t, 0.05 * static_cast<double>(k));
    if (k < 8) {
      EXPECT_EQ(rows.rows[k][rows.place("q.hinge")], until.rows.rows[k][1]);
      EXPECT_TRUE(std::isnan(rows.rows[k][rows.place("q.bob.x")]));
      continue;
    }
    const double s = t - 0.4;
    EXPECT_TRUE(std::isnan(rows.rows[k][rows.place("q.hinge")]));
    EXPECT_NEAR(rows.rows[k][rows.place("q.bob.x")], -1.5 * (std::sin(q) + w * std::cos(q) * s), 1e-8);
    EXPECT_NEAR(rows.rows[k][rows.place("q.bob.z")], -1.5 * (std::cos(q) - w * std::sin(q) * s) - 9.81 * s * s / 2,
                1e-8);
    EXPECT_NEAR(rows.rows[k][rows.place("v.bob.wy")], w, 1e-9) << "it keeps turning";
  }
  EXPECT_TRUE(run.findings().empty());
}

/// A cart on a slide, and a ball that flies towards it.
Model cart_and_ball() {
  Model model("cart");
  model.environment.gravity = UniformGravity{{0, 0, 0}};
  model.add("cart", RigidBody{.mass = 3})
      .add("ball", RigidBody{.mass = 1, .inertia = SymMat3<double>::diagonal(1, 1, 1)});
  model.add("slide", Joint{.kind = JointKind::prismatic, .axis = x_axis}, "world", "cart");
  model.add("flight", Joint{.kind = JointKind::free}, "world", "ball");
  return model;
}
StartState start_of_cart() {
  return {.q = std::vector<double>{-2, 0, 0, 0, 0, 0, 1, 0}, .v = std::vector<double>{5, 0, 0, 0, 0, 0, 1}};
}
StructureChange caught_at(double t) {
  return {.at = t, .connect = "grip", .joint = {.kind = JointKind::fixed}, .from = {"cart", ""}, .to = {"ball", ""}};
}

TEST(PhasedSimulation, ACatchIsInelasticAndAReleaseAfterItLosesNothing) {
  // They meet at t = 0.5, x = 0.5; together they move with (3·1 + 1·5)/4 = 2.
  SimulationOptions chosen = options(2, 0.1);
  PhasedSimulation run(cart_and_ball(), {}, {}, {}, {caught_at(0.5), {.at = 1, .disconnect = "grip"}}, chosen);
  KeptRows rows;
  // The free joint that carries the ball in the end has its name.
  const Outcome outcome = run.run(run.first().start(start_of_cart()), rows);
  ASSERT_EQ(outcome.end, RunEnd::done) << outcome.what;
  EXPECT_NEAR(rows.rows[5][rows.place("v.slide")], 2, 1e-12) << "the row at the change shows what comes after it";
  EXPECT_NEAR(rows.last("v.slide"), 2, 1e-12);
  EXPECT_NEAR(rows.last("v.ball.vx"), 2, 1e-12);
  EXPECT_NEAR(rows.last("q.ball.x"), 0.5 + 2 * 1.5, 1e-9);
  ASSERT_EQ(run.findings().size(), 1u);
  // ½·μ·Δv² with μ = 3/4 and Δv = 4.
  EXPECT_EQ(run.findings()[0].code, "catch-energy");
  EXPECT_EQ(run.findings()[0].message,
            "at t = 0.5 s, connect \"grip\": an inelastic catch, 6 J of kinetic energy are lost.");
}

TEST(PhasedSimulation, RotorsAndGearsTakePartInACatch) {
  // The rotor adds gear²·inertia = 2 kg to the cart; a second cart follows it with half of its speed, and adds 4/4 kg.
  Model model = cart_and_ball();
  model.add("other", RigidBody{.mass = 4});
  model.add("second", Joint{.kind = JointKind::prismatic, .axis = x_axis}, "world", "other");
  model.add("motor", Drive{.rotor_inertia = 0.02, .gear = 10}, "slide");
  model.add("belt", Gear{.ratio = {{0.5}}}).connect({{"belt", "in1"}, {"second", "shaft"}});
  model.connect({{"belt", "out1"}, {"slide", "shaft"}});
  PhasedSimulation run(model, {}, {}, {}, {caught_at(0.5)}, options(1, 0.1));
  KeptRows rows;
  ASSERT_EQ(run.run(run.first().start(start_of_cart()), rows).end, RunEnd::done);
  const double m = 3 + 2 + 1;
  EXPECT_NEAR(rows.last("v.slide"), (m * 1 + 5) / (m + 1), 1e-9);
  ASSERT_EQ(run.findings().size(), 1u);
  EXPECT_THAT(run.findings()[0].message, testing::HasSubstr(" 6.857 J "));  // ½·(6·1/7)·4²
}

TEST(PhasedSimulation, WhatTheGroundCatchesStops) {
  Model model = cart_and_ball();
  model.at<ReferenceFrame>("world").frames.push_back({"wall", to_pose({.xyz = {3, 0, 0}})});
  PhasedSimulation run(model, {}, {}, {},
                       {{.at = 1, .connect = "stick", .from = {"world", "wall"}, .to = {"ball", ""}}}, options(2, 0.5));
  KeptRows rows;
  ASSERT_EQ(run.run(run.first().start(start_of_cart()), rows).end, RunEnd::done);
  EXPECT_NEAR(rows.last("q.slide"), 2, 1e-9) << "the cart goes on";
  EXPECT_THAT(run.findings().at(0).message, testing::HasSubstr(" 12.5 J "));  // ½·1·5²
}

TEST(PhasedSimulation, IsResumedBitByBitFromEveryCheckpoint) {
  PidControl pid;
  pid.form = Form::translational, pid.joints = {"slide"}, pid.reference = "wave", pid.stiffness = {20};
  pid.damping = {0.5}, pid.integral = {4};
  SampledBlock digital;
  digital.block = "pid", digital.period = 0.05, digital.delay = 0.01;
  const std::vector<BlockSpec> blocks{{"pid", pid, {}}, {"digital", digital, {}}};
  const std::vector<NamedTrajectory> motions{{"wave", {"slide"}, std::make_shared<Wave>(1, 0.2, 3.0)}};
  StructureChange loose = caught_at(0.5);
  loose.gap = 1;
  for (const Method method : {Method::rk45, Method::bdf}) {
    SimulationOptions chosen = options(1.5, 0.03, method);
    chosen.integrator.relative = chosen.integrator.absolute = 1e-6, chosen.checkpoint_every = 0.2;
    const auto make = [&] {
      return std::make_unique<PhasedSimulation>(cart_and_ball(), motions, blocks, SystemOptions{},
                                                std::vector<StructureChange>{loose, {.at = 1, .disconnect = "grip"}},
                                                chosen);
    };
    KeptRows whole;
    const auto first = make();
    const Outcome all = first->run(first->first().start(start_of_cart()), whole);
    ASSERT_EQ(all.end, RunEnd::done) << all.what;
    ASSERT_GE(whole.checkpoints.size(), 5u);
    for (const KeptRows::Kept& from : whole.checkpoints) {
      KeptRows rest;
      const Outcome again = make()->resume(from.bytes, rest);
      EXPECT_EQ(again.rows, all.rows);
      EXPECT_EQ(again.counts.steps, all.counts.steps);
      ASSERT_EQ(from.rows + rest.rows.size(), whole.rows.size()) << from.t;
      for (std::size_t k = 0; k < rest.rows.size(); ++k) {
        const auto &a = rest.rows[k], &b = whole.rows[from.rows + k];
        ASSERT_EQ(std::memcmp(a.data(), b.data(), a.size() * sizeof(double)), 0) << from.t << " " << k;
      }
    }
  }
}

TEST(PhasedSimulation, LeavesOutBlocksWhoseJointsAreGone) {
  const PrescribedTorque push{.joints = {"hinge"}, .value = {0.5}};
  PhasedSimulation run(swing(), {}, {{"push", push, {}}}, {}, {{.at = 0.4, .disconnect = "hinge"}}, options(1, 0.1));
  ASSERT_EQ(run.findings().size(), 1u);
  EXPECT_EQ(
      to_text(run.findings()[0]),
      "block \"push\" is left out from t = 0.4 s (disconnect \"hinge\"): joint \"hinge\" not found among those that "
      "move. Joints: bob.  [block-left-out]");
  KeptRows rows;
  ASSERT_EQ(run.run(run.first().start(), rows).end, RunEnd::done);
  EXPECT_EQ(rows.rows[2][rows.place("push.hinge")], 0.5);
  EXPECT_TRUE(std::isnan(rows.last("push.hinge")));
}

TEST(PhasedSimulation, SaysWhatIsWrongWithChanges) {
  const auto error = [](std::vector<StructureChange> changes) {
    return error_of([&] {
      PhasedSimulation run(cart_and_ball(), {}, {}, {}, changes, options(2, 0.1));
      KeptRows rows;
      run.run(run.first().start(start_of_cart()), rows);
    });
  };
  EXPECT_EQ(error({{.at = 3, .disconnect = "slide"}}),
            "changes: disconnect \"slide\" is at 3 s, outside of the run, 0 to 2 s. Give a time inside it.  "
            "[structure-change]");
  EXPECT_EQ(error({{.at = 1}}),
            "changes: the change at 1 s needs either `disconnect` or `connect`, with the name of a joint.  "
            "[structure-change]");
  EXPECT_EQ(error({{.at = 1, .disconnect = "slide"}, {.at = 0.5, .connect = "slide"}}),
            "changes: connect \"slide\" at 0.5 s comes after a change at 1 s. Write them in their order.  "
            "[structure-change]");
  EXPECT_EQ(error({caught_at(0.25)}),
            "at t = 0.25 s, connect \"grip\": body \"ball\" is 1 m and 0 rad away from where it would be held rigidly. "
            "Allowed are 1e-06 m and 1e-06 rad. Move it there first, or allow a larger gap.  [frames-apart]");
}

}  // namespace
}  // namespace articula::test
