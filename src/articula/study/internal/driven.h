#pragma once

#include <memory>
#include <vector>

#include <articula/simulate/system.h>
#include <articula/study/internal/variables.h>

namespace articula {

/// A model with its trajectories and blocks, ready to be computed with.
struct Driven {
  Variables variables;
  std::vector<NamedTrajectory> trajectories;
  std::shared_ptr<const ExposedMechanism> mechanism;  ///< of the system
  std::unique_ptr<System> system;

  /// y where the study starts, at time t. Throws an Error.
  std::vector<double> start(const StartText& text, double t) const {
    return start_of(*system, text, variables, trajectories, t);
  }
};

/// Where the blocks of a setup go. Throws an Error if there is none, with all that is wrong with the trajectories too.
BlockSite site_of(const Setup& setup, const SystemOptions& options);

/// With the blocks of those names, all if there are none, and with `more`, if it is given. Throws an Error with
/// everything that is wrong with trajectories and blocks.
Driven make_driven(const Setup& setup, const SystemOptions& options, const std::vector<std::string>& blocks,
                   std::unique_ptr<Block> more = nullptr);

}  // namespace articula
