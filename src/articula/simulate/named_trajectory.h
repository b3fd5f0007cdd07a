#pragma once

#include <memory>
#include <string>
#include <vector>

#include <articula/control/trajectory.h>

namespace articula::simulate {

/// A trajectory with its name in a study. Its coordinate k is called `coordinates[k]`, mostly a joint's name, so that
/// its signals are `name.q.elbow`, `name.v.elbow`, `name.a.elbow`.
struct NamedTrajectory {
  std::string name;
  std::vector<std::string> coordinates;
  std::shared_ptr<const Trajectory> motion;
};

}  // namespace articula::simulate
