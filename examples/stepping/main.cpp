// A controller around a simulation: the arm follows a wave at 1 kHz; its flange is pushed, and then the same time is
// simulated again without the push, from a checkpoint.
//
//     example_stepping

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <vector>

#include <articula/articula.h>

using namespace articula;

namespace {

constexpr double tick = 1e-3;

/// The motion to follow, the same for all joints.
double wave(double t) { return 0.4 * std::sin(2 * t); }
double wave_rate(double t) { return 0.8 * std::cos(2 * t); }
double wave_second_rate(double t) { return -1.6 * std::sin(2 * t); }

/// Computed torque:  tau = M(q)·(a_r + 40·(v_r − v) + 400·(q_r − q)) + b(q, v)
class Controller {
 public:
  explicit Controller(const Model& robot) : inverse_(robot), vdot_(static_cast<std::size_t>(inverse_.nv())) {}

  void control(Simulation& simulation) {
    const double t = simulation.t();
    const std::span<const double> q = simulation.q(), v = simulation.v();
    for (std::size_t k = 0; k < vdot_.size(); ++k)
      vdot_[k] = wave_second_rate(t) + 40 * (wave_rate(t) - v[k]) + 400 * (wave(t) - q[k]);
    inverse_.update({.q = q, .v = v, .vdot = vdot_});
    const VectorView tau = inverse_.compute();
    for (std::size_t k = 0; k < vdot_.size(); ++k) simulation.set_force(inverse_.v_names()[k], tau[k]);
  }

 private:
  InverseDynamics inverse_;
  std::vector<double> vdot_;
};

/// The largest error of a joint on the way to t_end; infinite if the simulation fails.
double follow(Simulation& simulation, Controller& controller, double t_end) {
  double largest = 0;
  while (simulation.t() < t_end - tick / 2) {
    controller.control(simulation);
    if (simulation.advance(simulation.t() + tick) != RunEnd::done) {
      std::printf("%s\n", simulation.outcome().what.c_str());
      return std::numeric_limits<double>::infinity();
    }
    for (const double q : simulation.q()) largest = std::max(largest, std::abs(q - wave(simulation.t())));
  }
  return largest;
}

}  // namespace

int main() {
  const Model robot = load("models/kuka_lwr4.yaml");
  SystemOptions bare;
  bare.passive = false;  // no friction: the controller does not know it
  System system(robot, {}, {}, bare);
  Simulation simulation(system, {.integrator = {.method = Method::rk45, .relative = 1e-8, .absolute = 1e-8},
                                 .until = std::numeric_limits<double>::infinity()});
  Controller controller(robot);
  const std::size_t joints = system.v_names().size();
  simulation.start({.q = std::vector<double>(joints, wave(0)), .v = std::vector<double>(joints, wave_rate(0))});

  const double undisturbed = follow(simulation, controller, 2);
  const std::vector<std::byte> checkpoint = simulation.save();

  simulation.set_load({.frame = simulation.frame({"link7", "flange"}), .wrench = {{}, {0, 0, -5}}});
  const double pushed = follow(simulation, controller, 2.2);
  simulation.clear_forces();
  const double returned = (follow(simulation, controller, 3.2), follow(simulation, controller, 3.5));

  simulation.restore(checkpoint);
  const double again = follow(simulation, controller, 2.2);

  std::printf("largest error of a joint, rad: %.1e until 2 s, %.1e under a push of 5 N, %.1e a second later\n",
              undisturbed, pushed, returned);
  std::printf("from the checkpoint, without the push: %.1e\n", again);
  return undisturbed < 3e-3 && pushed > 10 * undisturbed && returned < 3e-3 && again < 3e-3 ? 0 : 1;
}
