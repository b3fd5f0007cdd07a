#pragma once

#include <optional>

#include <articula/base/export.h>
#include <articula/build/port_graph.h>
#include <articula/mechanism/mechanism.h>
#include <articula/model/model.h>

namespace articula::build {

struct CheckOptions {
  bool strict = false;           ///< defects of imported files are errors instead of warnings
  std::optional<Drives> drives;  ///< rotors of drives; by default locked, or as the model says where passive forces act
};

/// The options, with the default of `drives` that applies where passive forces act or do not act.
inline CheckOptions with_drives(CheckOptions options, bool passive) {
  if (!options.drives) options.drives = passive ? Drives::elastic : Drives::locked;
  return options;
}

/// Checks the properties of each entity: values out of range, sizes that do not fit.
ARTICULA_EXPORT void check_properties(const Model& flat, Findings& findings);

/// Checks ports and connections: open ports, duplicate frames, unknown names.
ARTICULA_EXPORT void check_structure(const Model& flat, const PortGraph& graph, Findings& findings);

/// Checks mass and inertia of each body, and of the bodies that move after merging. Findings less severe than `least`
/// are not computed.
ARTICULA_EXPORT void check_physics(const Model& flat, const Model& merged, const CheckOptions& options,
                                   Findings& findings, Severity least = Severity::note);

}  // namespace articula::build
