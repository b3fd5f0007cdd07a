#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include <articula/build/shared_mechanism.h>
#include <articula/closure/computed.h>
#include <articula/dynamics/load.h>
#include <articula/model/model.h>
#include <articula/solve/views.h>
#include <articula/spatial/representation.h>

namespace articula::solve {

struct SolverOptions {
  RunAs run_as = RunAs::flat;
  Representation representation = Representation::body;  ///< of the recursion; results do not depend on it
  /// Whether springs, dampers, friction and the reflected inertia of drives are included, in addition to gravity and
  /// external forces.
  bool passive = false;
  /// The exposed joints and frames, in order. An empty list is the model's; if that is empty too, all independent
  /// joints, and the frames of all bodies. A joint that is not listed is locked at its start.
  ExteriorPorts exterior;
  BuildOptions build;
  std::optional<SharedMechanism> mechanism;  ///< of the model, if it is built already; `build` is then of no effect
};

/// The state of a mechanism and the forces on it: the argument of `update`. Each solver reads what it needs; empty
/// members are zero, except q.
struct State {
  VectorView q, v, vdot, tau;
  std::span<const Load> loads;
};

/// The outcome of the last computation.
struct Report {
  enum class Status {
    ready,  ///< nothing computed yet
    done,
    singular,  ///< a joint moves nothing that has inertia; the result is that of the last valid computation
  };
  Status status = Status::ready;
  std::string_view joint;  ///< that caused the failure

  bool ok() const { return status != Status::singular; }
};

/// A message: what happened, and what to do.
ARTICULA_EXPORT std::string to_text(const Report& report);

}  // namespace articula::solve
