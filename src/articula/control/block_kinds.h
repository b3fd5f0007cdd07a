#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <articula/control/block_site.h>
#include <articula/control/blocks/cascade_control.h>
#include <articula/control/blocks/computed_torque.h>
#include <articula/control/blocks/dc_motor.h>
#include <articula/control/blocks/feed_forward.h>
#include <articula/control/blocks/friction.h>
#include <articula/control/blocks/gravity_compensation.h>
#include <articula/control/blocks/hydraulic_cylinder.h>
#include <articula/control/blocks/ideal_actuator.h>
#include <articula/control/blocks/joint_stops.h>
#include <articula/control/blocks/pd_control.h>
#include <articula/control/blocks/pid_control.h>
#include <articula/control/blocks/prescribed_torque.h>
#include <articula/control/blocks/sampled_block.h>
#include <articula/control/blocks/spring_damper.h>
#include <articula/control/blocks/stop_when.h>
#include <articula/control/blocks/switched_block.h>

namespace articula::control {

/// All kinds of blocks that can be written in text. A new kind is a file and a line here.
///
/// A kind is a plain struct with
///
///     static constexpr std::string_view name;      its `type` in text
///     static constexpr std::string_view about;     what it does, for reference tables
///     static constexpr std::array<SignalRow, n> signals;
///     static void fields(self, field);             its properties, each with dimension and meaning, and with the default
///                                                  in words where the member's value does not say it
///     std::unique_ptr<Block> make(const BlockMaking&) const;
///
/// A kind that wraps another block has `wraps`, a property `block`, and `make` with that block. User-defined blocks
/// need none of this: any Block can be passed to a System.
using BlockKind = std::variant<PdControl, PidControl, ComputedTorque, GravityCompensation, FeedForward, CascadeControl,
                               PrescribedTorque, SampledBlock, SwitchedBlock, IdealActuator, DcMotor, SpringDamper,
                               HydraulicCylinder, Friction, JointStops, StopWhen>;

/// Whether a kind wraps another block.
template <class K>
inline constexpr bool is_wrapper = requires { K::wraps; };

/// A block as it is specified: its name, its kind with properties, and its location in the text.
struct BlockSpec {
  std::string name;
  BlockKind kind;
  Where where;

  friend bool operator==(const BlockSpec& a, const BlockSpec& b) { return a.name == b.name && a.kind == b.kind; }
};

/// The name of the block that it wraps; empty if none.
ARTICULA_EXPORT std::string wrapped_by(const BlockSpec& spec);

/// "pd", "pid", …, in the order of the kinds.
ARTICULA_EXPORT std::vector<std::string> block_kind_names();

/// A kind by name, with default properties. Throws an Error that lists the choices.
ARTICULA_EXPORT BlockKind make_block_kind(std::string_view name);

/// The blocks in the given order, without those that are wrapped by another. Throws an Error with everything that is
/// wrong.
ARTICULA_EXPORT std::vector<std::unique_ptr<Block>> make_blocks(std::span<const BlockSpec> specs,
                                                                const BlockSite& site);

}  // namespace articula::control
