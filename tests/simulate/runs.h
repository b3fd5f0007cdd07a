#pragma once

#include <cmath>
#include <cstring>
#include <map>
#include <memory>
#include <numbers>
#include <span>
#include <string>
#include <vector>

#include <articula/control/block_kinds.h>
#include <articula/formats/load.h>
#include <articula/simulate/simulation.h>

#include "support/names.h"

/// What tests of runs share: a sink in memory, a few motions, and the KUKA robot of [LWR].
namespace articula::test {

/// Keeps everything.
class KeptRows : public RowSink {
 public:
  void columns(std::span<const Signal> columns) override { signals.assign(columns.begin(), columns.end()); }
  void row(std::span<const double> values) override { rows.emplace_back(values.begin(), values.end()); }
  void checkpoint(double t, std::span<const std::byte> bytes) override {
    checkpoints.push_back({t, rows.size(), {bytes.begin(), bytes.end()}});
  }

  std::size_t place(const std::string& name) const {
    for (std::size_t k = 0; k < signals.size(); ++k) {
      if (signals[k].name == name) return k;
    }
    throw std::out_of_range("no signal " + name);
  }
  std::vector<double> column(const std::string& name) const {
    std::vector<double> all;
    for (const auto& row : rows) all.push_back(row[place(name)]);
    return all;
  }
  double last(const std::string& name) const { return rows.back()[place(name)]; }

  struct Kept {
    double t;
    std::size_t rows;
    std::vector<std::byte> bytes;
  };
  std::vector<Signal> signals;
  std::vector<std::vector<double>> rows;
  std::vector<Kept> checkpoints;
};

/// offset + amplitude·sin(omega·t + phase), the same for all coordinates.
class Wave : public Trajectory {
 public:
  Wave(int size, double amplitude, double omega, double phase = 0, double offset = 0)
      : size_(size), amplitude_(amplitude), omega_(omega), phase_(phase), offset_(offset) {}

  int size() const override { return size_; }
  void evaluate(double t, int order, std::span<double> x) const override {
    double factor = amplitude_;
    const double s = std::sin(omega_ * t + phase_), c = std::cos(omega_ * t + phase_);
    for (int k = 0; k <= order; ++k) {
      const double value = factor * (k % 4 == 0 ? s : k % 4 == 1 ? c : k % 4 == 2 ? -s : -c) + (k == 0 ? offset_ : 0);
      for (int i = 0; i < size_; ++i) x[static_cast<std::size_t>(k * size_ + i)] = value;
      factor *= omega_;
    }
  }

 private:
  int size_;
  double amplitude_, omega_, phase_, offset_;
};

/// One value until a time, another from it on.
class Step : public Trajectory {
 public:
  Step(double at, double before, double after) : at_(at), before_(before), after_(after) {}
  int size() const override { return 1; }
  void evaluate(double t, int order, std::span<double> x) const override {
    x[0] = t < at_ ? before_ : after_;
    for (int k = 1; k <= order; ++k) x[static_cast<std::size_t>(k)] = 0;
  }
  std::vector<double> breaks(double until) const override {
    return at_ <= until ? std::vector<double>{at_} : std::vector<double>{};
  }

 private:
  double at_, before_, after_;
};

inline const std::vector<std::string>& kuka_joints() {
  static const std::vector<std::string> names{"joint1", "joint2", "joint3", "joint4", "joint5", "joint6", "joint7"};
  return names;
}

/// q_d = π/2·cos(π/7·t) for all joints.  [LWR (28)]
inline NamedTrajectory kuka_wave() {
  constexpr double pi = std::numbers::pi;
  return {"wave", kuka_joints(), std::make_shared<Wave>(7, pi / 2, pi / 7, pi / 2)};
}

/// The gains of [LWR (33), (34)].
inline BlockSpec kuka_servo() {
  PdControl pd;
  pd.reference = "wave";
  pd.stiffness = {10, 1000, 200, 100, 10, 10, 10};
  pd.damping = {1000, 10000, 1000, 1000, 10, 10, 10};
  return {"servo", pd, {}};
}

inline Model kuka() { return load(std::string(ARTICULA_SOURCE_DIR) + "/models/kuka_lwr4.yaml"); }

inline std::unique_ptr<System> kuka_system(std::vector<BlockSpec> specs = {kuka_servo()}) {
  const BlockSite site(kuka());
  return std::make_unique<System>(site, std::vector{kuka_wave()}, make_blocks(specs, site));
}

inline std::vector<double> kuka_start(System& system) {
  return system.start({.q = std::vector<double>(7, std::numbers::pi / 2), .v = std::vector<double>(7, 0.0)});
}

/// A point mass on a massless rod that turns about y, hanging along −z at q = 0: a pendulum.
inline Model pendulum(double mass = 1, double length = 1) {
  Model model("pendulum");
  model.add("bob", RigidBody{.mass = mass, .com = {0, 0, -length}});
  model.add("hinge", Joint{.axis = y_axis}, "world", "bob");
  return model;
}

/// A mass on a horizontal slide.
inline Model slider(double mass = 1) {
  Model model("slider");
  model.add("mass", RigidBody{.mass = mass});
  model.add("slide", Joint{.kind = JointKind::prismatic, .axis = x_axis}, "world", "mass");
  return model;
}

/// A disc that spins about z: gravity does nothing.
inline Model wheel(double inertia = 1) {
  Model model("wheel");
  model.add("disc", RigidBody{.mass = 1, .inertia = SymMat3<double>::diagonal(inertia, inertia, inertia)});
  model.add("axle", Joint{.axis = z_axis}, "world", "disc");
  return model;
}

struct Ran {
  Outcome outcome;
  KeptRows rows;
};

inline Ran run(System& system, const StartState& start, const SimulationOptions& options) {
  Ran ran;
  Simulation simulation(system, options);
  ran.outcome = simulation.run(system.start(start), ran.rows);
  return ran;
}

inline std::unique_ptr<System> make_system(const Model& model, const std::vector<BlockSpec>& specs,
                                           std::vector<NamedTrajectory> motions = {}) {
  const BlockSite site(model);
  return std::make_unique<System>(site, std::move(motions), make_blocks(specs, site));
}

/// A pendulum with a ball on it, driven by a sampled controller with a delay, between stops.
inline Model swinging() {
  Model model = pendulum(1, 0.5);
  model.add("ball",
            RigidBody{.mass = 0.3, .com = {0, 0.05, 0.1}, .inertia = SymMat3<double>::diagonal(0.02, 0.03, 0.04)});
  model.add("socket", Joint{.kind = JointKind::spherical}, at("bob", {.xyz = {0, 0, -0.5}}), "ball");
  return model;
}

inline std::unique_ptr<System> swinging_system() {
  PidControl pid;
  pid.joints = {"hinge"}, pid.reference = "wave", pid.stiffness = {20}, pid.damping = {0.5}, pid.integral = {4};
  pid.limit = {6};
  SampledBlock digital;
  digital.block = "pid", digital.period = 0.015, digital.delay = 0.004, digital.position_step = 1e-3;
  const JointStops stops{.joints = {"hinge"}, .lower = {-0.4}, .upper = {0.5}, .stiffness = {400}, .damping = {1}};
  Friction friction;
  friction.joints = {"hinge"}, friction.viscous = {0.05}, friction.coulomb = {0.02}, friction.smoothing = 0.1;
  return make_system(swinging(),
                     {{"pid", pid, {}}, {"digital", digital, {}}, {"stops", stops, {}}, {"friction", friction, {}}},
                     {{"wave", {"hinge"}, std::make_shared<Wave>(1, 0.6, 4.0, 0.3)}});
}

inline const std::vector<Method> every_method{Method::rk4,          Method::rk23,          Method::rk45,
                                              Method::kutta_merson, Method::bdf,           Method::adams,
                                              Method::dirk,         Method::semi_implicit, Method::automatic};

inline bool same_bytes(std::span<const double> a, std::span<const double> b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

}  // namespace articula::test
