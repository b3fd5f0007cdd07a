#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <articula/simulate/system.h>

#include "simulate/runs.h"
#include "support/allocations.h"
#include "support/findings.h"
#include "support/random_model.h"

namespace articula::test {
namespace {

using testing::HasSubstr;

/// Differences of fourth order against the analytic Jacobian, relative to the size of the row.
double jacobian_error(System& system, double t, std::vector<double> y) {
  const auto n = static_cast<std::size_t>(system.size());
  std::vector<double> J(n * n), D(n * n), rate(n);
  if (!system.jacobian(t, y, J)) return INFINITY;
  for (std::size_t j = 0; j < n; ++j) {
    const double at = y[j], h = 2e-4 * std::max(1.0, std::abs(at));
    for (const auto& [shift, factor] : {std::pair{-2.0, 1.0}, {-1.0, -8.0}, {1.0, 8.0}, {2.0, -1.0}}) {
      y[j] = at + shift * h;
      if (!system.rate(t, y, rate)) return INFINITY;
      for (std::size_t i = 0; i < n; ++i) D[i * n + j] += factor * rate[i] / (12 * h);
    }
    y[j] = at;
  }
  double worst = 0;
  for (std::size_t i = 0; i < n; ++i) {
    double size = 1, error = 0;
    for (std::size_t j = 0; j < n; ++j) {
      size = std::max(size, std::abs(J[i * n + j]));
      error = std::max(error, std::abs(J[i * n + j] - D[i * n + j]));
    }
    worst = std::max(worst, error / size);
  }
  return worst;
}

constexpr double by_differences = 1e-7;

/// A random state, with quaternions that are not quite on their sphere.
std::vector<double> random_y(System& system, std::uint32_t seed) {
  Random random(seed);
  std::vector<double> y(static_cast<std::size_t>(system.size()));
  for (double& each : y) each = random.number();
  return y;
}

TEST(System, JacobianIsThatOfTheRatesForTreesOfAllJoints) {
  int plain = 0, with_elements = 0;
  for (std::uint32_t seed = 1; seed <= 40; ++seed) {
    RandomModelOptions options;
    options.moving_frames = 0, options.chained = 0, options.bodies = 6;
    options.elements = seed % 3 == 0 ? 4 : 0;
    const Model model = random_model(seed, options);
    std::unique_ptr<System> system;
    try {
      SystemOptions ignoring;
      ignoring.ignore_contacts = true;
      system = std::make_unique<System>(model, std::vector<NamedTrajectory>{}, std::vector<std::unique_ptr<Block>>{},
                                        ignoring);
    } catch (const Error& error) {
      if (error.code() == "drive-not-computed" || error.code() == "loop-not-computed" ||
          error.code() == "joint-inertia-singular")
        continue;
      throw;
    }
    EXPECT_LT(jacobian_error(*system, 0, random_y(*system, seed)), by_differences) << "seed " << seed;
    ++(options.elements > 0 ? with_elements : plain);
  }
  EXPECT_GE(plain, 20);
  EXPECT_GE(with_elements, 3);
}

TEST(System, AQuaternionOffItsSphereCountsAsItsDirection) {
  Model model("ball");
  model.add("b", RigidBody{.mass = 2, .com = {0.1, 0.2, 0.3}, .inertia = SymMat3<double>::diagonal(1, 2, 2.5)});
  model.add("free", Joint{.kind = JointKind::free}, "world", "b");
  const auto system = make_system(model, {});
  std::vector<double> y{1, 2, 3, 0.5, 0.5, -0.5, 0.5, 1, 2, 3, 4, 5, 6}, longer = y, a(13), b(13);
  for (std::size_t k = 3; k < 7; ++k) longer[k] *= 1.25;
  ASSERT_TRUE(system->rate(0, y, a));
  ASSERT_TRUE(system->rate(0, longer, b));
  for (std::size_t k = 7; k < 13; ++k) EXPECT_NEAR(a[k], b[k], 1e-12);
  EXPECT_TRUE(system->project(0, longer));
  for (std::size_t k = 0; k < y.size(); ++k) EXPECT_NEAR(longer[k], y[k], 1e-15);
}

/// A base that floats, a ball, joints that turn and slide.
Model zoo() {
  Model model("zoo");
  const auto body = [](double m) {
    return RigidBody{.mass = m, .com = {0.1, 0.05, 0.2}, .inertia = SymMat3<double>::diagonal(0.3, 0.4, 0.5)};
  };
  for (const char* name : {"base", "ball", "upper", "fore", "rod", "hand"}) model.add(name, body(2));
  model.add("free", Joint{.kind = JointKind::free}, "world", "base");
  model.add("socket", Joint{.kind = JointKind::spherical}, at("base", {.xyz = {0, 0, 0.3}}), "ball");
  model.add("shoulder", Joint{.axis = z_axis}, at("base", {.xyz = {0.2, 0, 0}}), "upper");
  model.add("elbow", Joint{.axis = y_axis}, at("upper", {.xyz = {0.4, 0, 0}}), "fore");
  model.add("slide", Joint{.kind = JointKind::prismatic, .axis = x_axis}, at("fore", {.xyz = {0.3, 0, 0}}), "rod");
  model.add("wrist", Joint{.axis = x_axis}, at("rod", {.xyz = {0.1, 0, 0}}), "hand");
  return model;
}

/// A block of a program's own: a magnet that pulls towards the middle of the slide, with flux as its state.
class Magnet : public BlockOf<Magnet> {
 public:
  Magnet() { name = "magnet"; }
  std::vector<std::string> inputs() const override { return {"q.slide", "servo.elbow"}; }
  std::vector<Signal> outputs() const override { return {{"pull", "N"}}; }
  std::vector<Action> actions() const override { return {{0, "slide"}}; }
  std::vector<Signal> states() const override { return {{"flux", "V*s"}}; }

  template <class T>
  void evaluate(double, std::span<const T> in, std::span<const T> z, std::span<T> out, std::span<T> zdot) const {
    using std::sin;
    out[0] = -z[0] * z[0] * sin(in[0]);
    zdot[0] = in[1] * 0.1 - z[0];
  }
};

std::vector<BlockSpec> every_kind() {
  std::vector<BlockSpec> specs;
  const auto add = [&](std::string name, BlockKind kind) { specs.push_back({std::move(name), std::move(kind), {}}); };
  const std::vector<std::string> turning{"shoulder", "elbow", "wrist"};
  add("servo", PdControl{.joints = {"shoulder", "elbow"}, .reference = "wave", .stiffness = {30, 20}, .damping = {3}});
  add("limiter", IdealActuator{.joints = {"shoulder", "elbow"}, .command = "servo", .limit = {1000}});
  PidControl pid;
  pid.joints = {"wrist"}, pid.reference = "wave", pid.stiffness = {5}, pid.damping = {1}, pid.integral = {2};
  pid.limit = {100};
  add("pid", pid);
  add("computed", ComputedTorque{.joints = turning, .reference = "wave"});
  add("carry", GravityCompensation{.joints = {"all"}});
  add("ahead", FeedForward{.joints = turning, .reference = "wave"});
  CascadeControl cascade;
  cascade.joint = "wrist", cascade.reference = "wave", cascade.position_gain = 5, cascade.speed_gain = 2;
  cascade.speed_time = 0.2, cascade.motor = "motor", cascade.torque_per_current = 3, cascade.current_gain = 2;
  cascade.current_time = 0.05;
  add("cascade", cascade);
  DcMotor motor;
  motor.joint = "wrist", motor.command = "cascade.voltage", motor.resistance = 1.5, motor.inductance = 0.02;
  motor.torque_constant = 0.03, motor.gear = 100, motor.amplifier_time = 0.01;
  add("motor", motor);
  add("push", PrescribedTorque{.joints = {"free"}, .reference = "", .value = {1}});
  std::get<PrescribedTorque>(specs.back().kind).joints = {"free.wx"};
  add("sampled_pd", PdControl{.joints = {"elbow"}, .reference = "wave", .stiffness = {1}, .damping = {1}});
  SampledBlock sampled;
  sampled.block = "sampled_pd", sampled.period = 0.01, sampled.delay = 0.004;
  add("digital", sampled);
  add("late_pd", PdControl{.joints = {"elbow"}, .reference = "wave", .stiffness = {1}, .damping = {1}});
  add("late", SwitchedBlock{.block = "late_pd", .from = 0, .until = 5});
  add("shut", SpringDamper{.joints = {"shoulder"}, .stiffness = {50}, .damping = {2}, .rest = {0.1}});
  HydraulicCylinder oil;
  oil.joint = "slide", oil.x_0 = 2, oil.stroke = 4, oil.area_a = 2e-3, oil.area_b = 1e-3, oil.dead_volume_a = 1e-4;
  oil.dead_volume_b = 1e-4, oil.damping = 10, oil.leakage = 1e-12, oil.bulk_modulus = 1e6, oil.supply_pressure = 2e5;
  oil.nominal_flow = 1e-3, oil.opening = 0.3, oil.nominal_drop = 1e5;
  add("ram", oil);
  oil.joint = "elbow", oil.lever = 0.3, oil.opening = -0.4;
  add("lever", oil);
  oil.joint.clear(), oil.from = "base", oil.to = "hand", oil.command = "servo.shoulder";
  add("line", oil);
  Friction friction;
  friction.joints = turning, friction.viscous = {0.4}, friction.coulomb = {0.5, 1, 2}, friction.breakaway = {2.5};
  friction.smoothing = 0.3;
  add("friction", friction);
  add("stops", JointStops{.joints = {"elbow"}, .lower = {-0.01}, .upper = {0.01}, .stiffness = {100}, .damping = {5}});
  add("watch", StopWhen{.signal = "q.elbow", .reaches = 100});
  return specs;
}

std::unique_ptr<System> full_system(const Model& model = zoo()) {
  const BlockSite site(model);
  auto blocks = make_blocks(every_kind(), site);
  blocks.push_back(std::make_unique<Magnet>());
  std::vector<NamedTrajectory> motions{{"wave", {"shoulder", "elbow", "wrist"}, std::make_shared<Wave>(3, 0.7, 2.0)}};
  return std::make_unique<System>(site, std::move(motions), std::move(blocks));
}

std::vector<double> full_state(System& system, std::uint32_t seed) {
  std::vector<double> y = random_y(system, seed);
  // Pressures of some bar, elbow beyond a stop, nothing at a kink.
  const std::size_t first = system.q_names().size() + system.v_names().size();
  for (std::size_t k = 0; k < system.z_names().size(); ++k) {
    if (system.z_names()[k].find("pressure") != std::string::npos) y[first + k] = 1e5 * (1 + 0.5 * y[first + k]);
  }
  return y;
}

TEST(System, JacobianIsThatOfTheRatesWithEveryKindOfBlock) {
  const auto system = full_system();
  EXPECT_EQ(block_kind_names().size(), 16u) << "a kind that is not listed in every_kind()?";
  for (std::uint32_t seed = 1; seed <= 12; ++seed) {
    std::vector<double> y = full_state(*system, seed);
    // Differences of pressures are taken in steps of some Pa, those of what they drive in steps of 1e-4.
    EXPECT_LT(jacobian_error(*system, 0.3, y), by_differences) << "seed " << seed;
  }
}

/// Whose torque does not change with the state any more.
TEST(System, JacobianIsThatOfTheRatesWithSaturatedDrives) {
  Model model = zoo();
  model.add("first", Drive{.gear = 3, .torque_limit = 400}, "shoulder");
  model.add("second", Drive{.rotor_inertia = 1e-2, .gear = 10, .torque_limit = 200}, "elbow");
  const auto system = full_system(model);
  const std::vector<Signal> signals(system->signals().begin(), system->signals().end());
  int saturated = 0;
  for (std::uint32_t seed = 1; seed <= 12; ++seed) {
    const std::vector<double> y = full_state(*system, seed);
    EXPECT_LT(jacobian_error(*system, 0.3, y), by_differences) << "seed " << seed;
    std::vector<double> values(signals.size());
    system->signal_values(0.3, y, values);
    for (std::size_t k = 0; k < signals.size(); ++k) {
      if (signals[k].name.ends_with(".saturated")) saturated += values[k] != 0;
    }
  }
  EXPECT_GT(saturated, 10);
  EXPECT_LT(saturated, 24);
}

TEST(System, RatesAndJacobiansAllocateNothing) {
  const auto system = full_system();
  const std::vector<double> y = full_state(*system, 3);
  const auto n = y.size();
  std::vector<double> rate(n), J(n * n), g(static_cast<std::size_t>(system->event_count())),
      values(system->signals().size());
  const std::size_t before = allocations();
  system->rate(0.1, y, rate);
  system->jacobian(0.1, y, J);
  system->event_values(0.1, y, g);
  system->signal_values(0.1, y, values);
  EXPECT_EQ(allocations() - before, 0u);
}

/// A state without finite accelerations, as a step that is too long tries, leaves nothing behind.
TEST(System, ForgetsWhatWasNotFinite) {
  Model model("geared");
  for (const char* name : {"a", "b", "c"}) {
    model.add(name, RigidBody{.mass = 1, .com = {0.4, 0, 0}, .inertia = SymMat3<double>::identity()});
    model.add(concat("j", name), Joint{.axis = {0, 1, 0}},
              name[0] == 'a' ? at("world", {}) : at("a", {.xyz = {1, 0, 0.2}}), name);
  }
  model.add("gear", Gear{.ratio = {{2}}}, "ja", "jb");
  System system(model, {}, {}, SystemOptions{.exterior = {.joints = {"jb"}}});  // jc is locked
  const std::vector<double> good{0.3, 0.5};
  std::vector<double> before(2), huge(2), after(2);
  ASSERT_TRUE(system.rate(0, good, before));
  EXPECT_FALSE(system.rate(0, std::vector<double>{0.3, 1e300}, huge));
  ASSERT_TRUE(system.rate(0, good, after));
  EXPECT_EQ(after, before);
}

TEST(System, SaysWhichOutputsAreCommands) {
  const auto system = full_system();
  EXPECT_THAT(system->wiring(),
              testing::Contains("servo.elbow commands \"limiter\" and does not act on \"elbow\" itself"));
}

std::string error_of(const std::function<void()>& f) {
  try {
    f();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(System, NamesWhatIsWrong) {
  const BlockSite site(zoo());
  const auto with = [&](std::vector<BlockSpec> specs) {
    return error_of([&] {
      System(site, {{"wave", {"elbow"}, std::make_shared<Wave>(1, 1, 1)}}, make_blocks(specs, site));
    });
  };
  const PdControl pd{.joints = {"elbow"}, .reference = "wave", .stiffness = {1}, .damping = {1}};
  PdControl misspelt = pd;
  misspelt.reference = "wavy";
  EXPECT_THAT(with({{"servo", misspelt, {"s.yaml", 4}}}),
              HasSubstr("s.yaml:4: block \"servo\": it reads \"wavy.q.elbow\", which nothing gives. Did you mean "
                        "\"wave.q.elbow\"?"));
  EXPECT_THAT(with({{"wave", pd, {}}}), HasSubstr("[name-duplicate]"));
  EXPECT_THAT(with({{"watch", StopWhen{.signal = "a.elbow"}, {}}}),
              HasSubstr("it reads \"a.elbow\", which depends on what acts at the same moment."));
  const IdealActuator first{.joints = {"elbow"}, .command = "two"}, second{.joints = {"elbow"}, .command = "one"};
  EXPECT_THAT(
      with({{"one", first, {}}, {"two", second, {}}}),
      HasSubstr("blocks go around in a circle: \"one\" reads \"two\" reads \"one\". Each would need the other's "
                "output first."));
  EXPECT_THAT(error_of([&] {
                System(site, {{"w", {"a", "b"}, std::make_shared<Wave>(1, 1, 1)}}, {});
              }),
              HasSubstr("trajectory \"w\" moves 1 coordinates, but 2 are named."));
  System system(site, {}, {});
  EXPECT_THAT(error_of([&] { system.start({.q = std::vector<double>(3)}); }), HasSubstr("[state-size]"));
  EXPECT_THAT(error_of([&] { system.start({.v = std::vector<double>(13, NAN)}); }), HasSubstr("[state-not-finite]"));
}

TEST(System, SampledBlocksBreakACircle) {
  const BlockSite site(zoo());
  SampledBlock sampled;
  sampled.block = "a", sampled.period = 0.1;
  const std::vector<BlockSpec> specs{{"a", IdealActuator{.joints = {"elbow"}, .command = "b"}, {}},
                                     {"b", IdealActuator{.joints = {"elbow"}, .command = "digital"}, {}},
                                     {"digital", sampled, {}}};
  EXPECT_NO_THROW(System(site, {}, make_blocks(specs, site)));
}

TEST(System, JacobianHoldsWithForcesFromOutside) {
  const auto system = full_system();
  const std::vector<double> y = full_state(*system, 4);
  system->set_force("elbow", 3);
  system->set_load({.frame = system->frame({"hand", ""}), .wrench = {{1, 2, 3}, {20, -10, 30}}});
  system->set_load(
      {.frame = system->frame({"ball", ""}), .wrench = {{2, 0, 1}, {5, 4, -3}}, .axes = system->frame({"upper", ""})});
  EXPECT_LT(jacobian_error(*system, 0.3, y), by_differences);
}

TEST(System, SteppingTakesNothingFromTheHeap) {
  // bdf, adams and dirk allocate where they restart.
  for (const Method method :
       {Method::rk4, Method::rk23, Method::rk45, Method::kutta_merson, Method::semi_implicit, Method::bdf}) {
    const auto system = swinging_system();
    SimulationOptions options;
    options.integrator = {.method = method,
                          .step = method == Method::rk4 || method == Method::semi_implicit ? 1e-3 : 0};
    options.until = 5;
    Simulation simulation(*system, options);
    simulation.start({.q = std::vector<double>{0.1, 0, 0, 0, 1}});
    const int ball = simulation.frame({"ball", ""});
    simulation.set_load({.frame = ball, .wrench = {{}, {0, 0, 1}}});
    simulation.advance(0.014);
    double sum = 0;
    const bool controls = method != Method::bdf;
    // The next sample, which restarts bdf, is at 0.015 s.
    const std::size_t before = allocations();
    for (int k = 0; k < (controls ? 300 : 8); ++k) {
      if (controls) {
        simulation.set_force("hinge", -0.1 * simulation.v()[0]);
        simulation.set_load({.frame = ball, .wrench = {{}, {0, 0, 1e-3 * k}}});
      }
      simulation.advance(simulation.t() + (controls ? 1e-3 : 1e-4));
      sum += simulation.signal("q.hinge") + simulation.signals()[3] + simulation.state()[0];
    }
    EXPECT_EQ(allocations() - before, 0u) << method_names[static_cast<std::size_t>(method)];
    EXPECT_TRUE(std::isfinite(sum));
  }
}

}  // namespace
}  // namespace articula::test
