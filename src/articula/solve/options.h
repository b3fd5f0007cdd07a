#pragma once

#include <span>
#include <string>
#include <vector>

#include <articula/build/build.h>
#include <articula/closure/computed.h>
#include <articula/dynamics/load.h>
#include <articula/model/model.h>
#include <articula/solve/views.h>
#include <articula/spatial/representation.h>

namespace articula {

struct SolverOptions {
  RunAs run_as = RunAs::flat;
  Representation representation = Representation::body;  ///< of the recursion; results do not depend on it
  /// Whether springs, dampers, friction and the reflected inertia of drives act too; without it, the bare rigid bodies
  /// do, with gravity and external forces.
  bool passive = false;
  /// Which joints' variables and which frames are exposed, and in which order; each list left empty is the model's own,
  /// and where that is empty too, all joints that move independently, and the own frames of all bodies. A joint that
  /// is left out is held where it starts.
  ExteriorPorts exterior;
  BuildOptions build;
};

/// Where a mechanism is, how it moves and what acts on it: what `update` takes. Each solver reads what it needs; what
/// is left empty is zero, except q.
struct State {
  VectorView q, v, vdot, tau;
  std::span<const Load> loads;
};

/// What became of the last computation.
struct Report {
  enum class Status {
    ready,  ///< nothing computed yet
    done,
    singular,  ///< a joint moves nothing that has inertia here; the result is that of the last good computation
  };
  Status status = Status::ready;
  std::string_view joint;  ///< that made it fail

  bool ok() const { return status != Status::singular; }
};

/// For people: what happened, and what to do.
ARTICULA_EXPORT std::string to_text(const Report& report);

}  // namespace articula
