#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <articula/control/block.h>
#include <articula/control/block_site.h>
#include <articula/dynamics/load.h>
#include <articula/integrate/problem.h>
#include <articula/model/model.h>
#include <articula/simulate/named_trajectory.h>

namespace articula::simulate {

/// The start of a run; omitted values are those of the model or block.
struct StartState {
  std::optional<std::vector<double>> q, v;
  double t = 0;
};

/// A mechanism with everything that drives it, as an initial-value problem:
///
///     y = [q, v, z]      q̇ = N(q)·v      v̇ = M⁻¹·(Σ tau − b)      ż = f(t, in, z)
///
/// with the states z of the blocks. The blocks compute in the order in which they depend on one another; a circle
/// without a state in it is an error that names it. What acts on a joint is the sum of all outputs that are declared
/// to, less those that another block takes as its `command`.
///
///     BlockSite site(robot);
///     System system(robot, {{"wave", {"joint1", "joint2"}, wave}}, make_blocks(specs, site));
///
/// A joint that is prescribed moves exactly as its trajectory says: its q, v and acceleration are those of the trajectory
/// at t, independent of y, and `tau` is the required force. Joints with friction stick or slide; which of both is
/// a mode, constant between the moments at which it changes (`modes`, `make_consistent`).
///
/// Quaternions are normalized before use. A system must not be used by two threads at the same time.
class ARTICULA_EXPORT System final : public Problem {
 public:
  /// Throws an Error with everything that is wrong.
  System(const Model& model, std::vector<NamedTrajectory> trajectories, std::vector<std::unique_ptr<Block>> blocks,
         const SystemOptions& options = {});
  /// The same, without building the mechanism again.
  System(const BlockSite& site, std::vector<NamedTrajectory> trajectories, std::vector<std::unique_ptr<Block>> blocks);
  ~System() override;

  std::span<const std::string> q_names() const;
  std::span<const std::string> v_names() const;
  std::span<const std::string> z_names() const;  ///< `block.state`

  /// y at the start: q and v as given or those of the model, and the initial states of blocks, in equilibrium if
  /// possible. Throws for invalid sizes, numbers and quaternions.
  std::vector<double> start(const StartState& state = {});

  /// All signals, with their units: q, v, a, tau, trajectories, outputs and states of blocks, energies, poses of the
  /// exterior frames.
  std::span<const Signal> signals() const;
  /// Their values at (t, y). False where the accelerations have no finite value; they are then NaN.
  bool signal_values(double t, std::span<const double> y, std::span<double> values);

  /// Model features that are not computed, blocks without effect, differences between start and prescribed motion.
  const Findings& findings() const;

  /// A limit of the model, which runs report when it is exceeded, see SimulationOptions::on_limit.
  struct Limit {
    enum class Of { position, speed, force, drive };
    Of of = Of::position;
    std::size_t dof = 0;  ///< in v_names; of a drive, in the list of those that are limited
    std::string name;     ///< of the degree of freedom
    double lower = 0, upper = 0;
    std::string unit;
  };
  std::span<const Limit> limits() const;
  /// What each of them bounds, at (t, y). Those of forces and drives cost an evaluation of the accelerations; without
  /// `forces`, they are zero.
  void limit_values(double t, std::span<const double> y, bool forces, std::span<double> values);

  /// Outputs that another block takes as its command, and that therefore do not act on joints themselves, as sentences.
  std::vector<std::string> wiring() const;

  /// A number that is another if anything is that a run within [begin, until] depends on: every number and name of the
  /// mechanism, exactly; what trajectories, blocks and rates of users compute, bit by bit, at many times and states.
  std::uint64_t fingerprint(double begin, double until);

  /// A message: the value at (t, y) that is not finite. Empty if all are finite.
  std::string what_is_not_finite(double t, std::span<const double> y);

  // The interface for integrators. None of these functions allocates.
  int size() const override;
  bool rate(double t, std::span<const double> y, std::span<double> ydot) override;
  bool jacobian(double t, std::span<const double> y, std::span<double> J) override;
  bool project(double t, std::span<double> y) override;
  void semi_implicit_step(double h, std::span<const double> ydot, std::span<double> y) override;
  int event_count() const override;
  void event_values(double t, std::span<const double> y, std::span<double> g) override;
  EventDirection event_direction(int k) const override;
  bool on_event(int k, double t, std::span<double> y) override;
  /// Whether each joint with friction slides (±1, the direction) or sticks (0).
  std::span<const double> modes() const override;
  void set_modes(std::span<const double> modes) override;
  /// Modes of friction. Tiny speeds of joints that come to rest become zero.
  void make_consistent(double t, std::span<double> y) override;
  /// Whether a joint slides against its mode.
  bool is_inconsistent(std::span<const double> y) const override;

  // Forces from outside: they act in addition to blocks, and are constant until they change. Simulation sets them.
  /// Along a degree of freedom. Returns whether this changes anything.
  bool set_force(std::string_view dof, double force);
  /// At a frame, in place of what was set there; zero removes it. Returns whether this changes anything.
  bool set_load(const Load& load);
  bool clear_forces();
  /// The index of a frame. Throws an Error that suggests names.
  int frame(const PortRef& name) const;
  /// All of them, as numbers for checkpoints; empty if there are none.
  std::vector<double> forces() const;
  void set_forces(std::span<const double> forces);

  // The interface for runs.
  /// Until the next call, times from `t` on count as just before it: an integrator that steps onto a jump must not see
  /// what is behind it. Infinity: all times count as they are.
  void end_before(double t);
  /// Whether a degree of freedom is prescribed by a trajectory.
  bool is_prescribed(std::size_t dof) const;
  /// Whether its acceleration is currently given: because it is prescribed, or because it sticks.
  bool is_given(std::size_t dof) const;
  /// Writes the prescribed motion at t into y.
  void follow(double t, std::span<double> y);
  /// Until `move_again`: prescribed joints are where their trajectories are at t, but at rest; there is no friction.
  /// Speeds in y become zero. For statics.
  void rest_at(double t, std::span<double> y);
  void move_again(double t, std::span<double> y);
  /// q̇ = N(q)·v, for y = [q, v, …].
  void position_rates(std::span<const double> y, std::span<double> qdot) const;
  /// Throws an Error if a prescribed velocity jumps in this interval.
  void require_smooth(double begin, double until) const;
  /// A message: the speed that diverges. Empty if none does.
  std::string what_diverges(std::span<const double> y) const;

  std::string event_name(int k) const;  ///< for messages
  /// Known times at which something jumps, ascending, in (begin, until).
  std::vector<double> breaks(double begin, double until) const;
  /// Called at such a time: states of blocks may jump.
  void on_break(double t, std::span<double> y);
  /// The first time after t at which a sampled block acts; infinity if there is none.
  double next_sample(double t) const;
  /// The sample whose time is t but for rounding, or else t.
  double nearest_sample(double t) const;
  /// Samples all blocks whose sampling time is t: their states jump. @return whether there were any
  bool sample(double t, std::span<double> y);

 private:
  struct Core;
  std::unique_ptr<Core> core_;
};

}  // namespace articula::simulate
