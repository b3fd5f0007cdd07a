#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <articula/control/block_site.h>
#include <articula/control/trajectory.h>
#include <articula/integrate/ode.h>
#include <articula/model/model.h>
#include <articula/solve/options.h>

namespace articula {

/// A trajectory with its name in a study. Its coordinate k is called `coordinates[k]`, mostly a joint's name, so that
/// its signals are `name.q.elbow`, `name.v.elbow`, `name.a.elbow`.
struct NamedTrajectory {
  std::string name;
  std::vector<std::string> coordinates;
  std::shared_ptr<const Trajectory> motion;
};

/// Where a run starts; what is left out the model or the block says.
struct StartState {
  std::optional<std::vector<double>> q, v;
  double t = 0;
};

/// A mechanism with all that drives it, as an initial-value problem:
///
///     y = [q, v, z]      q̇ = N(q)·v      v̇ = M⁻¹·(Σ tau − b)      ż = f(t, in, z)
///
/// with the states z of the blocks. The blocks compute in the order in which they depend on one another; a circle
/// without a state in it is an error that names it. What acts on a joint is the sum of all outputs that are declared
/// to, less those that another block takes as its `command`.
class ARTICULA_EXPORT System final : public Ode {
 public:
  /// Throws an Error with all that is wrong.
  System(const Model& model, std::vector<NamedTrajectory> trajectories, std::vector<std::unique_ptr<Block>> blocks,
         const SystemOptions& options = {});
  ~System() override;

  std::span<const std::string> q_names() const;
  std::span<const std::string> v_names() const;
  std::span<const std::string> z_names() const;  ///< `block.state`

  /// y at the start: q and v as told or as the model says, the states of blocks as they begin, in balance where they
  /// can be. Throws for sizes, numbers and quaternions that are wrong.
  std::vector<double> start(const StartState& state = {});

  /// All signals, with their units: q, v, a, tau, trajectories, outputs and states of blocks, energies, poses.
  std::span<const Signal> signals() const;
  /// Their values at (t, y). False where the accelerations have no finite value; they are then NaN.
  bool signal_values(double t, std::span<const double> y, std::span<double> values);

  /// Outputs that another block takes as its command, and that therefore do not act on joints themselves: for users.
  std::vector<std::string> wiring() const;

  // As integrators see it.
  int size() const override;
  bool rate(double t, std::span<const double> y, std::span<double> ydot) override;
  bool jacobian(double t, std::span<const double> y, std::span<double> J) override;
  bool project(std::span<double> y) override;
  void semi_implicit_step(double h, std::span<const double> ydot, std::span<double> y) override;
  int event_count() const override;
  void event_values(double t, std::span<const double> y, std::span<double> g) override;

  // As runs see it.
  /// What prescribes or switches does so at `t` from the left, until the next call: an integrator that steps onto a jump
  /// must not see what is behind it.
  void end_before(double t);
  /// Event k was met: states of its block may jump. Whether the run is to end there, and what to call it.
  bool on_event(int k, double t, std::span<double> y);
  std::string event_name(int k) const;
  /// Known times at which something jumps, ascending, in (begin, until).
  std::vector<double> breaks(double begin, double until) const;
  /// The first time after t at which a sampled block acts; infinity if there is none.
  double next_sample(double t, double begin) const;
  /// Lets all blocks act whose time is t. Their states jump.
  void sample(double t, double begin, std::span<double> y);

 private:
  struct Core;
  std::unique_ptr<Core> core_;
};

}  // namespace articula
