#pragma once

#include <memory>
#include <vector>

#include <articula/study/study.h>

namespace articula::study {

/// Usage of trajectories and blocks in a study.
struct Made {
  const Setup& setup;
  const BlockSite& site;
  const std::vector<NamedTrajectory>& trajectories;
  const std::vector<std::unique_ptr<Block>>& blocks;
};

/// Adds a warning for each trajectory that is not used in the study, and for each block that no task includes, or that
/// acts on nothing and is not read.
void find_unused(const Study& study, const Made& made, Findings& findings);

}  // namespace articula::study
