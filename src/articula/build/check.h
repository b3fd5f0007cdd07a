#pragma once

#include <articula/base/export.h>
#include <articula/build/port_graph.h>
#include <articula/model/model.h>

namespace articula {

struct CheckOptions {
  bool strict = false;  ///< defects of imported files that are usually warned of become errors
};

/// What is wrong with the properties of each entity by itself: values out of range, sizes that do not fit.
ARTICULA_EXPORT void check_properties(const Model& flat, Findings& findings);

/// What is wrong with ports and connections: open ports, duplicate frames, names that lead nowhere.
ARTICULA_EXPORT void check_structure(const Model& flat, const PortGraph& graph, Findings& findings);

/// Mass and inertia of each body, and of the bodies that move after merging. Findings milder than `least` are left
/// out, and cost nothing.
ARTICULA_EXPORT void check_physics(const Model& flat, const Model& merged, const CheckOptions& options,
                                   Findings& findings, Severity least = Severity::note);

}  // namespace articula
