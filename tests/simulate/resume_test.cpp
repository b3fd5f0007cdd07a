// A run that is resumed at a checkpoint continues as if it had never stopped.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>

#include "simulate/runs.h"

namespace articula::test {
namespace {

using testing::HasSubstr;

SimulationOptions options(Method method) {
  SimulationOptions chosen;
  chosen.integrator.method = method;
  chosen.integrator.relative = chosen.integrator.absolute = 1e-6;
  if (method == Method::rk4 || method == Method::semi_implicit) chosen.integrator.step = 1e-3;
  chosen.until = 1.1, chosen.output_every = 0.013, chosen.checkpoint_every = 0.1;
  return chosen;
}

TEST(Resume, EveryLaterRowIsTheSameBitByBitFromEveryCheckpointForEveryMethod) {
  for (const Method method : every_method) {
    const std::string_view name = method_names[static_cast<std::size_t>(method)];
    const auto whole_system = swinging_system();
    const Ran whole = run(*whole_system, {.q = std::vector<double>{0.1, 0, 0, 0, 1}}, options(method));
    ASSERT_EQ(whole.outcome.end, RunEnd::done) << name << ": " << whole.outcome.what;
    ASSERT_EQ(whole.rows.checkpoints.size(), 11u) << name;
    EXPECT_GT(whole.outcome.events, 0) << name;
    for (const KeptRows::Kept& from : whole.rows.checkpoints) {
      const auto system = swinging_system();
      KeptRows rows;
      const Outcome outcome = Simulation(*system, options(method)).resume(from.bytes, rows);
      EXPECT_EQ(outcome.end, RunEnd::done);
      ASSERT_EQ(rows.rows.size(), whole.rows.rows.size() - from.rows) << name << " from " << from.t;
      for (std::size_t k = 0; k < rows.rows.size(); ++k) {
        ASSERT_TRUE(same_bytes(rows.rows[k], whole.rows.rows[from.rows + k]))
            << name << " from " << from.t << ", row " << k;
      }
      EXPECT_TRUE(same_bytes(outcome.y, whole.outcome.y)) << name;
      EXPECT_EQ(outcome.counts.rates, whole.outcome.counts.rates) << name << " from " << from.t;
      EXPECT_EQ(outcome.rows, whole.outcome.rows);
      EXPECT_EQ(outcome.events, whole.outcome.events);
      // Its own later checkpoints are the same, too.
      for (std::size_t k = 0; k < rows.checkpoints.size(); ++k) {
        const std::size_t skipped = whole.rows.checkpoints.size() - rows.checkpoints.size();
        EXPECT_TRUE(rows.checkpoints[k].bytes == whole.rows.checkpoints[skipped + k].bytes) << name;
      }
    }
  }
}

TEST(Resume, ACancelledRunGoesOnFromItsLastCheckpoint) {
  const auto whole_system = swinging_system(), system = swinging_system();
  const StartState start{.q = std::vector<double>{0.1, 0, 0, 0, 1}};
  const Ran whole = run(*whole_system, start, options(Method::rk45));
  std::atomic<bool> cancel = false;
  SimulationOptions chosen = options(Method::rk45);
  chosen.cancel = &cancel;
  chosen.progress = [&](const Progress& progress) { cancel = cancel || progress.t > 0.45; };
  const Ran cut = run(*system, start, chosen);
  EXPECT_EQ(cut.outcome.end, RunEnd::cancelled);
  EXPECT_THAT(cut.outcome.what, HasSubstr("the run was cancelled at t = 0.4"));
  ASSERT_EQ(cut.rows.checkpoints.size(), 4u);
  cancel = false;
  chosen.progress = {};
  KeptRows rest;
  const KeptRows::Kept& from = cut.rows.checkpoints.back();
  Simulation(*system, chosen).resume(from.bytes, rest);
  ASSERT_EQ(from.rows + rest.rows.size(), whole.rows.rows.size());
  EXPECT_TRUE(same_bytes(rest.rows.back(), whole.rows.rows.back()));
}

std::string error_of(System& system, const SimulationOptions& chosen, std::span<const std::byte> bytes) {
  KeptRows rows;
  try {
    Simulation(system, chosen).resume(bytes, rows);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(Resume, RefusesDamagedCheckpointsAndThoseOfOtherRuns) {
  const auto system = swinging_system();
  const Ran ran = run(*system, {}, options(Method::rk45));
  std::vector<std::byte> bytes = ran.rows.checkpoints.front().bytes;
  EXPECT_THAT(error_of(*system, options(Method::rk45), std::span(bytes).first(30)),
              HasSubstr("the checkpoint is cut short. Resume from an earlier one, or run anew.  [checkpoint-damaged]"));
  EXPECT_THAT(error_of(*system, options(Method::bdf), bytes), HasSubstr("[checkpoint-of-other-run]"));
  for (std::size_t k = 0; k < bytes.size(); k += 7) {
    std::vector<std::byte> flipped = bytes;
    flipped[k] ^= std::byte{4};
    EXPECT_THAT(error_of(*system, options(Method::rk45), flipped), HasSubstr("[checkpoint-damaged]")) << k;
  }
}

/// Every number that a run depends on, each of which may be another.
struct Problem {
  double mass = 2, gear = 3, damping = 0.1, stiffness = 20, amplitude = 0.2, closes = 0.2, stop = 0.5, gravity = 9.81;
  double inertia = 0.3, limit = 2, joint_limit = 3, period = 0.01, phase_of_wave = 0.3;

  std::unique_ptr<System> system() const {
    Model model("geared");
    model.environment.gravity = UniformGravity{{0, 0, -gravity}};
    model.add("arm", RigidBody{.mass = mass, .com = {0.1, 0, -0.2}});
    model.add("a", Joint{.axis = y_axis, .limits = {{-joint_limit, joint_limit}}, .damping = damping}, "world", "arm");
    model.add("disc", RigidBody{.mass = 1, .inertia = SymMat3<double>::diagonal(inertia, inertia, inertia)});
    model.add("b", Joint{.axis = z_axis}, "world", "disc");
    model.add("gear", Gear{.ratio = {{gear}}}, "b", "a");
    model.add("cart", RigidBody{.mass = 300});
    model.add("slide", Joint{.kind = JointKind::prismatic, .axis = x_axis}, "world", "cart");
    HydraulicCylinder oil;
    oil.joint = "slide", oil.x_0 = 0.25, oil.stroke = 0.5, oil.area_a = oil.area_b = 2e-3;
    oil.dead_volume_a = oil.dead_volume_b = 1e-4, oil.supply_pressure = 200e5, oil.nominal_flow = 5e-4;
    oil.close_at = closes, oil.closing_time = 0.05;
    PidControl pid;
    pid.joints = {"a"}, pid.reference = "wave", pid.stiffness = {stiffness}, pid.damping = {0.5}, pid.integral = {4};
    pid.limit = {limit};
    SampledBlock digital;
    digital.block = "pid", digital.period = period;
    const JointStops stops{.joints = {"a"}, .lower = {-0.4}, .upper = {stop}, .stiffness = {400}, .damping = {1}};
    return make_system(model, {{"ram", oil, {}}, {"pid", pid, {}}, {"digital", digital, {}}, {"stops", stops, {}}},
                       {{"wave", {"a"}, std::make_shared<Wave>(1, amplitude, 4.0, phase_of_wave)}});
  }
};

TEST(Resume, RefusesARunOfWhichAnyNumberIsAnother) {
  SimulationOptions chosen = options(Method::bdf);
  chosen.until = 0.3;
  const Ran ran = run(*Problem{}.system(), {}, chosen);
  const std::vector<std::byte>& bytes = ran.rows.checkpoints.front().bytes;
  EXPECT_EQ(error_of(*Problem{}.system(), chosen, bytes), "no error");
  const std::vector<std::pair<const char*, double Problem::*>> numbers{{"mass", &Problem::mass},
                                                                       {"gear", &Problem::gear},
                                                                       {"damping", &Problem::damping},
                                                                       {"stiffness", &Problem::stiffness},
                                                                       {"amplitude", &Problem::amplitude},
                                                                       {"closes", &Problem::closes},
                                                                       {"stop", &Problem::stop},
                                                                       {"gravity", &Problem::gravity},
                                                                       {"inertia", &Problem::inertia},
                                                                       {"limit", &Problem::limit},
                                                                       {"joint limit", &Problem::joint_limit},
                                                                       {"period", &Problem::period},
                                                                       {"phase", &Problem::phase_of_wave}};
  for (const auto& [name, number] : numbers) {
    Problem other;
    other.*number *= 1 + 1e-9;
    EXPECT_EQ(error_of(*other.system(), chosen, bytes),
              "the checkpoint is that of another run: a number of the mechanism, its blocks or trajectories, the "
              "integrator or the times are not the same. Resume with what the run began with, or run anew.  "
              "[checkpoint-of-other-run]")
        << name;
  }
  SimulationOptions other = chosen;
  other.signals = {"q.a"};
  EXPECT_THAT(error_of(*Problem{}.system(), other, bytes), HasSubstr("[checkpoint-of-other-run]"));
  other = chosen;
  other.integrator.relative *= 2;
  EXPECT_THAT(error_of(*Problem{}.system(), other, bytes), HasSubstr("[checkpoint-of-other-run]"));
}

TEST(Resume, CheckpointsCostLittleAndCanBeLeftOut) {
  const auto system = kuka_system();
  SimulationOptions chosen;
  chosen.integrator.method = Method::bdf, chosen.until = 14, chosen.output_every = 1;
  KeptRows none, some;
  const Outcome without = Simulation(*system, chosen).run(kuka_start(*system), none);
  chosen.checkpoint_every = 1;
  const Outcome with = Simulation(*system, chosen).run(kuka_start(*system), some);
  EXPECT_EQ(without.counts.restarts, 0);
  EXPECT_EQ(some.checkpoints.size(), 14u);
  EXPECT_GT(with.counts.rates, without.counts.rates);
  EXPECT_NEAR(none.last("q.joint2"), some.last("q.joint2"), 1e-4);
}

}  // namespace
}  // namespace articula::test
