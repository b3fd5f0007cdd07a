#pragma once

#include <memory>
#include <vector>

#include <articula/simulate/system.h>
#include <articula/study/internal/variables.h>

namespace articula::study {

/// A model with its trajectories and blocks, ready for computing.
struct Driven {
  Variables variables;
  std::vector<NamedTrajectory> trajectories;
  std::shared_ptr<const ExposedMechanism> mechanism;  ///< of the system
  std::unique_ptr<System> system;

  /// y at the start of the study, at time t. Throws an Error if there is none.
  std::vector<double> start(const StartText& text, double t) const {
    return start_of(*system, text, variables, trajectories, t);
  }
};

/// The context for the blocks of a setup. Throws an Error with everything that is wrong, also with trajectories.
BlockSite site_of(const Setup& setup, const SystemOptions& options);

/// With the named blocks, or all if the list is empty, and with `more`, if given. Throws an Error with
/// everything that is wrong with trajectories and blocks.
Driven make_driven(const Setup& setup, const SystemOptions& options, const std::vector<std::string>& blocks,
                   std::unique_ptr<Block> more = nullptr);

}  // namespace articula::study
