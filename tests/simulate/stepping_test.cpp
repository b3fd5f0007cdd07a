// A simulation that is advanced step by step, against runs to the end and closed forms.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <random>

#include "simulate/runs.h"

namespace articula::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr double infinity = std::numeric_limits<double>::infinity();

std::string name_of(Method method) { return std::string(method_names[static_cast<std::size_t>(method)]); }

SimulationOptions options(Method method, double until, double tolerance = 1e-6) {
  SimulationOptions chosen;
  chosen.integrator = {.method = method, .relative = tolerance, .absolute = tolerance};
  if (method == Method::rk4 || method == Method::semi_implicit) chosen.integrator.step = 1e-3;
  chosen.until = until;
  return chosen;
}

/// Rows that fall on no step, checkpoints, sampled control with a delay, stops, friction, a ball.
SimulationOptions swinging_options(Method method) {
  SimulationOptions chosen = options(method, 1.1);
  chosen.output_every = 0.013, chosen.checkpoint_every = 0.1;
  return chosen;
}
const StartState swinging_start{.q = std::vector<double>{0.1, 0, 0, 0, 1}};

TEST(Stepping, GivesTheRowsAndCheckpointsOfARunWhateverTheTimes) {
  std::mt19937 random(3);
  for (const Method method : every_method) {
    const auto whole_system = swinging_system();
    const Ran whole = run(*whole_system, swinging_start, swinging_options(method));
    ASSERT_EQ(whole.outcome.end, RunEnd::done) << name_of(method);
    for (const double tick : {1e-3, 0.0, 0.3}) {  // 0: random
      const auto system = swinging_system();
      Simulation simulation(*system, swinging_options(method));
      KeptRows rows;
      simulation.start(swinging_start, &rows);
      std::uniform_real_distribution<double> wait(0, 0.04);
      while (simulation.t() < 1.1) {
        const double t = std::min(1.1, simulation.t() + (tick > 0 ? tick : wait(random)));
        ASSERT_EQ(simulation.advance(t), RunEnd::done) << name_of(method);
        ASSERT_NEAR(simulation.t(), t, 1e-11);
      }
      const Outcome outcome = simulation.outcome();
      EXPECT_TRUE(same_bytes(outcome.y, whole.outcome.y)) << name_of(method) << " by " << tick;
      EXPECT_EQ(outcome.counts.rates, whole.outcome.counts.rates) << name_of(method) << " by " << tick;
      EXPECT_EQ(outcome.events, whole.outcome.events);
      EXPECT_EQ(outcome.rows, whole.outcome.rows);
      ASSERT_EQ(rows.rows.size(), whole.rows.rows.size()) << name_of(method) << " by " << tick;
      for (std::size_t k = 0; k < rows.rows.size(); ++k) {
        ASSERT_TRUE(same_bytes(rows.rows[k], whole.rows.rows[k])) << name_of(method) << " by " << tick << ", row " << k;
      }
      ASSERT_EQ(rows.checkpoints.size(), whole.rows.checkpoints.size());
      for (std::size_t k = 0; k < rows.checkpoints.size(); ++k) {
        EXPECT_TRUE(rows.checkpoints[k].bytes == whole.rows.checkpoints[k].bytes) << name_of(method) << " by " << tick;
      }
    }
  }
}

TEST(Stepping, TheStateAtATimeIsThatOfARowThere) {
  for (const Method method : every_method) {
    const auto system = swinging_system(), other = swinging_system();
    const SimulationOptions chosen = swinging_options(method);
    const Ran whole = run(*system, swinging_start, chosen);
    Simulation simulation(*other, chosen);
    simulation.start(swinging_start);
    for (std::size_t k = 0; k < whole.rows.rows.size(); ++k) {
      ASSERT_EQ(simulation.advance(std::min(chosen.until, 0.013 * static_cast<double>(k))), RunEnd::done);
      const std::span<const double> row(whole.rows.rows[k]), q = row.subspan(1, 5), v = row.subspan(6, 4);
      ASSERT_TRUE(same_bytes(simulation.signals(), row.subspan(1))) << name_of(method) << " row " << k;
      ASSERT_TRUE(same_bytes(simulation.v(), v)) << name_of(method) << " row " << k;
      ASSERT_EQ(simulation.q()[0], q[0]);
      ASSERT_EQ(simulation.signal("q.hinge"), q[0]);
    }
  }
}

TEST(Stepping, ContinuesBitByBitFromWhatWasSaved) {
  std::mt19937 random(5);
  for (const Method method : every_method) {
    const auto system = swinging_system(), other = swinging_system();
    Simulation simulation(*system, swinging_options(method)), restored(*other, swinging_options(method));
    simulation.start(swinging_start);
    for (int round = 0; round < 3; ++round) {
      const double t = simulation.t();
      if (round == 1) simulation.set_force("hinge", 0.7);
      if (round == 2)
        simulation.set_load({.frame = simulation.frame({"ball", ""}), .wrench = {{0.1, 0, 0}, {0, 1, 0}}});
      simulation.advance(t + 0.1 + 0.1 * std::generate_canonical<double, 53>(random));
      const std::vector<std::byte> saved = simulation.save();
      KeptRows rows;
      restored.restore(saved, &rows);
      EXPECT_EQ(restored.t(), simulation.t());
      EXPECT_TRUE(same_bytes(restored.state(), simulation.state())) << name_of(method);
      EXPECT_TRUE(same_bytes(restored.signals(), simulation.signals())) << name_of(method);
      for (const double step : {0.01, 0.017, 0.1}) {
        simulation.advance(simulation.t() + step), restored.advance(restored.t() + step);
        ASSERT_TRUE(same_bytes(restored.state(), simulation.state())) << name_of(method) << " at " << simulation.t();
      }
      EXPECT_TRUE(restored.save() == simulation.save()) << name_of(method);
    }
    // A run takes it, too, and the forces in it.
    const std::vector<std::byte> saved = simulation.save();
    KeptRows rows;
    const Outcome end = restored.resume(saved, rows);
    simulation.advance(1.1);
    EXPECT_TRUE(same_bytes(simulation.state(), end.y)) << name_of(method);
    EXPECT_EQ(rows.rows.back()[0], 1.1);
  }
}

TEST(Stepping, TakesTheCheckpointsOfRuns) {
  const auto system = swinging_system();
  const SimulationOptions chosen = swinging_options(Method::bdf);
  const Ran whole = run(*system, swinging_start, chosen);
  Simulation simulation(*system, chosen);
  simulation.restore(whole.rows.checkpoints[4].bytes);
  EXPECT_NEAR(simulation.t(), 0.5, 1e-12);
  while (simulation.t() < 1.1) simulation.advance(std::min(1.1, simulation.t() + 0.007));
  EXPECT_TRUE(same_bytes(simulation.state(), whole.outcome.y));
}

TEST(Stepping, AForceThatIsSetIsThatOfABlock) {
  // 0 until 0.3 s, then 1 N·m; on a pendulum, whose motion is not linear.
  for (const Method method : every_method) {
    const auto driven =
        make_system(pendulum(), {{"push", PrescribedTorque{.joints = {"hinge"}, .reference = "jump"}, {}}},
                    {{"jump", {"hinge"}, std::make_shared<Step>(0.3, 0, 1)}});
    const Ran ran = run(*driven, {}, options(method, 1));
    const auto system = make_system(pendulum(), {});
    Simulation simulation(*system, options(method, 1));
    simulation.start();
    simulation.set_force("hinge", 0);  // a force is set: the next step ends at 0.3 s
    simulation.advance(0.3);
    simulation.set_force("hinge", 1);
    EXPECT_EQ(simulation.signal("tau.hinge"), 1);
    EXPECT_NEAR(simulation.signal("a.hinge"), 1, 1e-12);
    simulation.advance(0.3);
    EXPECT_EQ(simulation.t(), 0.3);
    simulation.set_force("hinge", 1);
    for (const double t : {0.5, 0.71, 1.0}) EXPECT_EQ(simulation.advance(t), RunEnd::done);
    if (method == Method::rk4 || method == Method::semi_implicit) {
      EXPECT_NEAR(simulation.q()[0], ran.rows.last("q.hinge"), 1e-12) << name_of(method);
    } else {
      EXPECT_NEAR(simulation.q()[0], ran.rows.last("q.hinge"), 2e-5) << name_of(method);
    }
    // Without stops between, the steps are the same.
    simulation.start();
    simulation.set_force("hinge", 0);
    simulation.advance(0.3);
    simulation.set_force("hinge", 1);
    simulation.advance(1);
    EXPECT_TRUE(same_bytes(simulation.state(), ran.outcome.y)) << name_of(method);
  }
}

TEST(Stepping, ForcesMoveAWheelAsTheClosedFormSays) {
  // Inertia 2: between changes v is linear.
  const auto system = make_system(wheel(2), {});
  Simulation simulation(*system, options(Method::rk45, infinity, 1e-9));
  simulation.start();
  double q = 0, v = 0;
  std::mt19937 random(1);
  std::uniform_real_distribution<double> number(-1, 1);
  for (int k = 0; k < 50; ++k) {
    const double force = number(random), h = 0.01 * (1.5 + number(random));
    simulation.set_force("axle", force);
    for (const double part : {0.3, 0.7}) simulation.advance(simulation.t() + part * h);
    q += h * v + force / 2 * h * h / 2, v += force / 2 * h;
    ASSERT_NEAR(simulation.v()[0], v, 1e-12);
    ASSERT_NEAR(simulation.q()[0], q, 1e-12);
  }
  simulation.clear_forces();
  simulation.advance(simulation.t() + 2);
  EXPECT_NEAR(simulation.v()[0], v, 1e-12);
}

TEST(Stepping, LoadsActAtTheirFrameInTheirAxes) {
  Model model("box");
  model.add("b", RigidBody{.mass = 2, .inertia = SymMat3<double>::diagonal(1, 1, 1)});
  model.add("free", Joint{.kind = JointKind::free}, "world", "b");
  for (const Method method : {Method::rk45, Method::bdf, Method::semi_implicit}) {
    const auto system = make_system(model, {});
    Simulation simulation(*system, options(method, infinity, 1e-9));
    simulation.start();
    const int box = simulation.frame({"b", ""});
    // Its weight is carried, and 1 N pushes along x: x = t²/4.
    simulation.set_load({.frame = box, .wrench = {{}, {1, 0, 2 * 9.81}}});
    simulation.advance(1);
    const double tolerance = method == Method::semi_implicit ? 1e-3 : 1e-7;
    EXPECT_NEAR(simulation.signal("q.free.x"), 0.25, tolerance) << name_of(method);
    EXPECT_NEAR(simulation.signal("q.free.z"), 0, tolerance);
    // A torque of 1 N·m about the body's own z, in place of that: φ = s²/2.
    simulation.set_load({.frame = box, .wrench = {{0, 0, 1}, {0, 0, 2 * 9.81}}, .axes = box});
    simulation.advance(2);
    EXPECT_NEAR(2 * std::atan2(simulation.signal("q.free.qz"), simulation.signal("q.free.qw")), 0.5, tolerance);
    EXPECT_NEAR(simulation.signal("v.free.wz"), 1, 1e-9);
    // Without it, it falls.
    simulation.set_load({.frame = box});
    EXPECT_NEAR(simulation.signal("a.free.vz"), -9.81, 1e-12);
  }
}

/// The controller of a sampled block, closed around `advance`.
class Closed {
 public:
  Closed(const Model& model, BlockSpec spec, std::span<const Signal> signals) : site_(model) {
    block_ = std::move(make_blocks({{std::move(spec)}}, site_).front());
    for (const std::string& input : block_->inputs()) {
      for (std::size_t k = 0; k < signals.size(); ++k) {
        if (signals[k].name == input) places_.push_back(k);
      }
    }
  }
  double operator()(double t, std::span<const double> signals) {
    std::vector<double> in, out(1);
    for (const std::size_t k : places_) in.push_back(signals[k]);
    block_->compute(t, std::span<const double>(in), {}, out, {});
    return out[0];
  }

 private:
  BlockSite site_;
  std::unique_ptr<Block> block_;
  std::vector<std::size_t> places_;
};

TEST(Stepping, AControllerAroundItIsTheSampledBlockThatDoesTheSame) {
  const BlockSpec servo{"servo", PdControl{.reference = "wave", .stiffness = {40}, .damping = {3}}, {}};
  SampledBlock sampled;
  sampled.block = "servo", sampled.period = 0.01;
  const std::vector<NamedTrajectory> wave{{"wave", {"hinge"}, std::make_shared<Wave>(1, 0.6, 4.0, 0.3)}};
  for (const Method method : every_method) {
    const auto digital = make_system(pendulum(), {servo, {"digital", sampled, {}}}, wave);
    const Ran ran = run(*digital, {.q = std::vector<double>{0.2}}, options(method, 1, 1e-9));
    const auto system = make_system(pendulum(), {}, wave);
    Simulation simulation(*system, options(method, 1, 1e-9));
    Closed control(pendulum(), servo, system->signals());
    simulation.start(StartState{.q = std::vector<double>{0.2}});
    for (int k = 0; k < 100; ++k) {
      simulation.set_force("hinge", control(simulation.t(), simulation.signals()));
      ASSERT_EQ(simulation.advance((k + 1) * 0.01), RunEnd::done) << name_of(method);
    }
    if (method == Method::rk4 || method == Method::semi_implicit) {
      // No step is chosen by the error, which the held torque, a state of the block, has a part in.
      EXPECT_EQ(simulation.q()[0], ran.rows.last("q.hinge")) << name_of(method);
      EXPECT_EQ(simulation.v()[0], ran.rows.last("v.hinge")) << name_of(method);
    } else {
      EXPECT_NEAR(simulation.q()[0], ran.rows.last("q.hinge"), 1e-7) << name_of(method);
    }
  }
}

TEST(Stepping, ATimeNextToASampleIsTheSample) {
  SampledBlock sampled;
  sampled.block = "servo", sampled.period = 0.1;
  const auto system = make_system(
      pendulum(),
      {{"servo", PdControl{.reference = "wave", .stiffness = {40}, .damping = {3}}, {}}, {"digital", sampled, {}}},
      {{"wave", {"hinge"}, std::make_shared<Wave>(1, 0.6, 4.0, 0.3)}});
  Simulation simulation(*system, options(Method::rk45, infinity));
  simulation.start();
  double held = simulation.signal("digital.hinge");
  for (int k = 1; k <= 20; ++k) {
    simulation.advance(simulation.t() + 0.1);  // 0.30000000000000004, 0.7999999999999999, ...
    EXPECT_EQ(simulation.t(), k * 0.1);
    EXPECT_NE(simulation.signal("digital.hinge"), held) << k;
    held = simulation.signal("digital.hinge");
  }
}

TEST(Stepping, JointsStickAndSlideUnderForcesThatAreSet) {
  Model model = slider(2);
  model.at<Joint>("slide").friction = 3;
  for (const Method method : {Method::rk45, Method::bdf, Method::rk4}) {
    const auto system = make_system(model, {});
    Simulation simulation(*system, options(method, infinity, 1e-9));
    simulation.start();
    simulation.set_force("slide", 2);
    EXPECT_EQ(simulation.signal("joint.slide.slip"), 0);
    EXPECT_EQ(simulation.signal("joint.slide.friction"), -2);
    simulation.advance(0.5);
    EXPECT_EQ(simulation.q()[0], 0);
    simulation.set_force("slide", 5);  // a = 1
    EXPECT_EQ(simulation.signal("joint.slide.slip"), 1);
    EXPECT_NEAR(simulation.signal("a.slide"), 1, 1e-12);
    simulation.advance(1.5);
    EXPECT_NEAR(simulation.v()[0], 1, 1e-9);
    simulation.set_force("slide", 0);  // a = −1.5: it stops after 2/3 s and 1/3 m
    simulation.advance(3);
    EXPECT_EQ(simulation.v()[0], 0);
    EXPECT_NEAR(simulation.q()[0], 0.5 + 1.0 / 3, 1e-8) << name_of(method);
    EXPECT_EQ(simulation.outcome().events, 1);
  }
}

TEST(Stepping, ABlockEndsItOnceAndItCanContinue) {
  const auto system = make_system(slider(), {{"watch", StopWhen{.signal = "q.slide", .reaches = 1}, {}}});
  Simulation simulation(*system, options(Method::rk45, 5));
  simulation.start({.v = std::vector<double>{2}});
  EXPECT_EQ(simulation.advance(0.4), RunEnd::done);
  EXPECT_EQ(simulation.advance(0.6), RunEnd::event);
  EXPECT_NEAR(simulation.t(), 0.5, 1e-12);
  EXPECT_THAT(simulation.outcome().what, HasSubstr("block \"watch\": q.slide reaches 1."));
  EXPECT_EQ(simulation.advance(0.6), RunEnd::done);
  EXPECT_EQ(simulation.outcome().what, "");
  EXPECT_EQ(simulation.advance(5), RunEnd::done);
  EXPECT_NEAR(simulation.q()[0], 10, 1e-9);
  EXPECT_EQ(simulation.outcome().events, 1);
}

TEST(Stepping, LimitsAreReportedOnceAndMayEndIt) {
  Model model = wheel();
  model.at<Joint>("axle").limits = {{-1, 2}};
  model.at<Joint>("axle").speed_limit = {1.5};
  for (const LimitPolicy policy : {LimitPolicy::warn, LimitPolicy::stop}) {
    const auto system = make_system(model, {});
    SimulationOptions chosen = options(Method::rk45, 3, 1e-9);
    chosen.on_limit = policy;
    Simulation simulation(*system, chosen);
    simulation.start();
    simulation.set_force("axle", 1);
    std::vector<double> ends;
    while (simulation.t() < 3) {
      if (simulation.advance(std::min(3.0, simulation.t() + 0.01)) == RunEnd::event) ends.push_back(simulation.t());
    }
    const Findings findings = simulation.outcome().findings;
    ASSERT_EQ(findings.size(), 2u);
    EXPECT_THAT(findings[0].message, HasSubstr("the speed of joint \"axle\" passes its limit, 1.5 rad/s"));
    EXPECT_THAT(findings[1].message, HasSubstr("joint \"axle\" passes its upper limit, 2 rad"));
    if (policy == LimitPolicy::stop) {
      EXPECT_THAT(ends, ElementsAre(testing::DoubleNear(1.5, 1e-7), testing::DoubleNear(2, 1e-7)));
    } else {
      EXPECT_TRUE(ends.empty());
    }
  }
}

TEST(Stepping, AForceBeyondItsLimitIsReported) {
  Model model = wheel();
  model.at<Joint>("axle").force_limit = {5};
  const auto system = make_system(model, {});
  Simulation simulation(*system, options(Method::rk45, 3));
  simulation.start();
  simulation.advance(1);
  simulation.set_force("axle", -6);
  simulation.advance(2);
  const Findings findings = simulation.outcome().findings;
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_THAT(findings[0].message, HasSubstr("at t = 1 s the force along joint \"axle\" passes its limit, 5 N*m"));
}

TEST(Stepping, PrescribedJointsAreWhereTheirTrajectoryIs) {
  Model model = pendulum();
  model.at<Joint>("hinge").prescribed = true;
  const auto system = make_system(model, {}, {{"wave", {"hinge"}, std::make_shared<Wave>(1, 0.6, 4.0)}});
  Simulation simulation(*system, options(Method::rk45, infinity));
  simulation.start();
  for (const double t : {0.1, 0.37, 2.0}) {
    simulation.advance(t);
    EXPECT_EQ(simulation.q()[0], 0.6 * std::sin(4 * t));
    EXPECT_EQ(simulation.v()[0], 0.6 * 4 * std::cos(4 * t));
  }
  EXPECT_THROW(simulation.set_force("hinge", 1), Error);
}

TEST(Stepping, GoesOnWithoutAnEnd) {
  // A torque of 1 N·m from 3000 s on.
  const auto system = make_system(wheel(), {{"push", PrescribedTorque{.joints = {"axle"}, .reference = "jump"}, {}}},
                                  {{"jump", {"axle"}, std::make_shared<Step>(3000, 0, 1)}});
  Simulation simulation(*system, options(Method::rk45, infinity, 1e-9));
  simulation.start();
  EXPECT_EQ(simulation.advance(2999), RunEnd::done);
  EXPECT_EQ(simulation.v()[0], 0);
  EXPECT_EQ(simulation.advance(3000.5), RunEnd::done);
  EXPECT_NEAR(simulation.v()[0], 0.5, 1e-9);
  EXPECT_EQ(simulation.advance(1e5), RunEnd::done);
  EXPECT_NEAR(simulation.v()[0] / (1e5 - 3000), 1, 1e-9);
  KeptRows rows;
  try {
    simulation.run(system->start(), rows);
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "run: until is inf. A run needs a finite time; use start and advance instead.  [run-option]");
  }
}

TEST(Stepping, AnAdvanceThatMakesNoProgressEnds) {
  const auto system = make_system(pendulum(), {});
  SimulationOptions chosen = options(Method::rk4, infinity);
  chosen.integrator.step = 1e-3, chosen.most_steps = 100;
  Simulation simulation(*system, chosen);
  simulation.start({.q = std::vector<double>{1}});
  EXPECT_EQ(simulation.advance(0.09), RunEnd::done);
  EXPECT_EQ(simulation.advance(0.17), RunEnd::done);
  EXPECT_EQ(simulation.advance(1), RunEnd::stalled);
  EXPECT_THAT(simulation.outcome().what, HasSubstr("the run makes no progress: since t = 0.17 s, when it was advanced, "
                                                   "it took 101 steps, rejected ones included."));
  EXPECT_EQ(simulation.advance(simulation.t() + 0.05), RunEnd::done);
}

TEST(Stepping, CanBeCancelledAndContinued) {
  const auto system = make_system(pendulum(), {}), other = make_system(pendulum(), {});
  const StartState start{.q = std::vector<double>{1}};
  SimulationOptions chosen = options(Method::rk45, 5);
  const Ran whole = run(*other, start, chosen);
  std::atomic<bool> cancel = true;
  chosen.cancel = &cancel;
  Simulation simulation(*system, chosen);
  simulation.start(start);
  EXPECT_EQ(simulation.advance(5), RunEnd::cancelled);
  EXPECT_GT(simulation.t(), 0);
  EXPECT_LT(simulation.t(), 1);
  cancel = false;
  EXPECT_EQ(simulation.advance(5), RunEnd::done);
  EXPECT_TRUE(same_bytes(simulation.state(), whole.outcome.y));
}

TEST(Stepping, AFailureKeepsTheLastGoodStateAndCanBeTriedAgain) {
  // v̇ = 1e8·v passes all bounds soon; without the force that destabilizes, it goes on.
  const auto system = make_system(wheel(), {});
  Simulation simulation(*system, options(Method::rk45, infinity));
  simulation.start();
  simulation.set_force("axle", 1e9);
  EXPECT_EQ(simulation.advance(1), RunEnd::diverged);
  EXPECT_LT(simulation.t(), 1);
  EXPECT_LE(simulation.v()[0], 1e7);
  EXPECT_THAT(simulation.outcome().what, HasSubstr("the motion diverges: in the next step v.axle is"));
  const double v = simulation.v()[0];
  simulation.set_force("axle", 0);
  EXPECT_EQ(simulation.advance(1), RunEnd::done);
  EXPECT_EQ(simulation.v()[0], v);
}

TEST(Stepping, StartsAnewAsOftenAsItIsAsked) {
  const auto system = swinging_system();
  Simulation simulation(*system, swinging_options(Method::automatic));
  std::vector<double> first;
  for (int k = 0; k < 3; ++k) {
    simulation.start(swinging_start);
    EXPECT_EQ(simulation.t(), 0);
    for (double t = 0.01; t < 0.3; t += 0.01) simulation.advance(t);
    if (k == 0) first.assign(simulation.state().begin(), simulation.state().end());
    EXPECT_TRUE(same_bytes(simulation.state(), first));
    simulation.set_force("hinge", 3);  // the next start is without it
    simulation.advance(0.5);
  }
}

std::string error_of(auto&& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(Stepping, RefusesWrongUse) {
  const auto system = make_system(pendulum(), {});
  Simulation simulation(*system, options(Method::rk45, 5));
  EXPECT_EQ(error_of([&] { simulation.advance(1); }),
            "advance: the simulation has not been started. Call start or restore first.  [simulation-not-started]");
  EXPECT_THAT(error_of([&] { simulation.signal("q.hinge"); }), HasSubstr("[simulation-not-started]"));
  EXPECT_EQ(error_of([&] {
              simulation.start(std::vector<double>{1, 2, 3});
            }),
            "start: the state has 3 entries, but the system has 2. Ask the system for its start.  [state-size]");
  EXPECT_EQ(error_of([&] {
              simulation.start(std::vector<double>{1, std::nan("")});
            }),
            "start: entry 1 of the state is nan. Only finite numbers are allowed.  [state-not-finite]");
  simulation.start();
  simulation.advance(1);
  EXPECT_EQ(error_of([&] { simulation.advance(0.5); }),
            "advance: t is 0.5 s, but the simulation is at 1 s. Times must not decrease; restore a checkpoint to go "
            "back.  [advance-time]");
  EXPECT_EQ(error_of([&] { simulation.advance(6); }),
            "advance: t is 6 s, after until, 5 s. Make until later, or infinite.  [advance-time]");
  EXPECT_EQ(error_of([&] { simulation.advance(infinity); }),
            "advance: t is inf. It must be a finite time.  [advance-time]");
  EXPECT_EQ(simulation.t(), 1);
  EXPECT_THAT(error_of([&] { simulation.signal("q.hing"); }),
              HasSubstr("signal \"q.hing\" not found. Did you mean \"q.hinge\"? Signals: "));
  EXPECT_EQ(error_of([&] { simulation.set_force("hing", 1); }),
            "set_force: degree of freedom \"hing\" not found. Did you mean \"hinge\"? Degrees of freedom: hinge.  "
            "[no-such-joint]");
  EXPECT_EQ(error_of([&] { simulation.set_force("hinge", infinity); }),
            "set_force: the force along \"hinge\" is inf. Only finite numbers are allowed.  [state-not-finite]");
  EXPECT_EQ(error_of([&] { simulation.set_load({.frame = 99}); }),
            "set_load: the load acts at frame 99 in axes of frame 0, but there are frames 0 to " +
                std::to_string(simulation.frame({"bob", ""})) +
                ". Ask the simulation: frame({\"hand\", \"tip\"}).  [load-frame]");
  EXPECT_THAT(error_of([&] { simulation.frame({"bib", ""}); }), HasSubstr("[no-such-frame]"));
  EXPECT_THAT(error_of([&] { simulation.restore(std::vector<std::byte>(7)); }), HasSubstr("[checkpoint-damaged]"));

  Model moved = pendulum();
  moved.at<Joint>("hinge").prescribed = true;
  const auto given = make_system(moved, {}, {{"wave", {"hinge"}, std::make_shared<Wave>(1, 0.6, 4.0)}});
  Simulation prescribed(*given, options(Method::rk45, 5));
  prescribed.start();
  EXPECT_EQ(error_of([&] { prescribed.set_force("hinge", 1); }),
            "set_force: \"hinge\" is prescribed: it moves as its trajectory says, whatever acts on it. Set forces on "
            "other joints, or drive this one by a block instead of prescribing it.  [force-on-prescribed]");
}

}  // namespace
}  // namespace articula::test
