#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include <articula/control/block_kinds.h>
#include <articula/simulate/simulation.h>

namespace articula::simulate {

/// A joint that opens or closes during a run.
struct StructureChange {
  static constexpr std::array<std::string_view, 1> required{"at"};

  double at = 0;           ///< time of the change
  std::string disconnect;  ///< the joint to open, or
  std::string connect;     ///< the joint to close: that of the model, unless `from` and `to` are given
  Joint joint{.kind = JointKind::fixed};
  PortRef from, to;
  double gap = 1e-6, gap_angle = 1e-6;  ///< tolerances for the position of the connected frames, m and rad

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& field) {
    field("at", self.at, dimension::time);
    field("disconnect", self.disconnect, dimension::none);
    field("connect", self.connect, dimension::none);
    field("type", self.joint.kind, dimension::none);
    field("axis", self.joint.axis, dimension::none);
    field("from", self.from, dimension::none);
    field("to", self.to, dimension::none);
    field("gap", self.gap, dimension::length);
    field("gap_angle", self.gap_angle, dimension::angle);
  }
};

/// A motion during which joints open and close: one System and one Simulation for each phase between changes.
///
///     PhasedSimulation run(robot, trajectories, blocks, {}, {{.at = 2, .disconnect = "grip"}}, {.until = 5});
///     const Outcome outcome = run.run(run.first().start(), sink);
///
/// At a change every body keeps its pose. When a joint opens, velocities are kept; when one closes, they jump as in an
/// inelastic impact that conserves the momentum along the free motions (solve/internal/state_transfer.h). States of
/// blocks are kept. A block whose joints, frames or signals do not exist in a phase is omitted there.
///
/// A row has the signals of all phases; a missing one is NaN. The row at the time of a change is that of the state
/// after it; from there, rows and checkpoints follow at multiples of their intervals. A resumed run is bit-identical.
class ARTICULA_EXPORT PhasedSimulation {
 public:
  /// Throws an Error for changes that cannot be made, and for blocks that fit no phase.
  PhasedSimulation(const Model& model, std::vector<NamedTrajectory> trajectories, std::vector<BlockSpec> blocks,
                   const SystemOptions& system, std::vector<StructureChange> changes, SimulationOptions options);
  ~PhasedSimulation();

  /// The system of the first phase.
  System& first();
  std::span<const Signal> columns() const;

  Outcome run(std::span<const double> y, RowSink& sink);
  Outcome resume(std::span<const std::byte> checkpoint, RowSink& sink);

  /// Blocks that are omitted in phases, and energy losses at changes.
  const Findings& findings() const;

 private:
  struct Phase;
  class Sink;
  class Run;

  void make_blocks_of(Phase& phase, const std::vector<BlockSpec>& specs, std::vector<bool>& fits);
  void collect_columns();
  std::uint64_t fingerprint() const;

  std::vector<NamedTrajectory> trajectories_;
  std::vector<StructureChange> changes_;
  SimulationOptions options_;
  std::vector<Phase> phases_;
  std::vector<Signal> columns_;
  Findings findings_;
};

}  // namespace articula::simulate
