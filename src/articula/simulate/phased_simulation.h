#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include <articula/control/block_kinds.h>
#include <articula/simulate/simulation.h>

namespace articula {

/// A joint that opens or closes during a run.
struct StructureChange {
  static constexpr std::array<std::string_view, 1> required{"at"};

  double at = 0;           ///< when
  std::string disconnect;  ///< the joint that lets go, or
  std::string connect;     ///< the joint that takes hold: as the model has it, unless `from` and `to` are given
  Joint joint{.kind = JointKind::fixed};
  PortRef from, to;
  double gap = 1e-6, gap_angle = 1e-6;  ///< how far a body may be from where it is held then, m and rad

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
/// At a change every body keeps its pose, and what lets go its velocity; where a body is caught, velocities jump as in an
/// inelastic impact, with the momentum that the joints allow conserved (solve/internal/state_transfer.h). States of blocks
/// stay. A block whose joints, frames or signals a phase does not have is left out of that phase.
///
/// A row has the signals of all phases, NaN where a phase lacks one. The row at the time of a change shows the state after
/// it; rows and checkpoints follow at multiples of their distance from there. Bit by bit the same when it is resumed.
class ARTICULA_EXPORT PhasedSimulation {
 public:
  /// Throws an Error for changes that cannot be made, and for blocks that fit no phase.
  PhasedSimulation(const Model& model, std::vector<NamedTrajectory> trajectories, std::vector<BlockSpec> blocks,
                   const SystemOptions& system, std::vector<StructureChange> changes, SimulationOptions options);
  ~PhasedSimulation();

  /// The system at the beginning.
  System& first();
  std::span<const Signal> columns() const;

  Outcome run(std::span<const double> y, RowSink& sink);
  Outcome resume(std::span<const std::byte> checkpoint, RowSink& sink);

  /// Blocks that are left out of phases, and what was lost in catches.
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

}  // namespace articula
