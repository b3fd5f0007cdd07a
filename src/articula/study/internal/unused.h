#pragma once

#include <memory>
#include <vector>

#include <articula/study/study.h>

namespace articula {

/// What a study makes of its sections.
struct Made {
  const Setup& setup;
  const BlockSite& site;
  const std::vector<NamedTrajectory>& trajectories;
  const std::vector<std::unique_ptr<Block>>& blocks;
};

/// Adds a warning for each trajectory that nothing else in the study names, and for each block that no task includes or
/// that acts on nothing and nothing reads.
void find_unused(const Study& study, const Made& made, Findings& findings);

}  // namespace articula
