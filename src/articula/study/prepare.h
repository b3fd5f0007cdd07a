#pragma once

#include <optional>
#include <vector>

#include <articula/base/export.h>
#include <articula/study/study.h>

namespace articula::study {

/// A study with all that it reads, and what its tasks will give. Whatever can be found before computing is in
/// `findings`.
struct PreparedStudy {
  Study study;
  Setup setup;                                 ///< what all tasks share
  std::vector<SourceText> texts;               ///< of the study, the model and the tables
  std::vector<std::optional<TaskPlan>> plans;  ///< of the tasks; nothing for one that cannot be computed
  Findings findings;
};

/// Reads the files that a study names, and checks everything that is known before it is computed: trajectories, blocks,
/// starts, options and names of every task; every value of sweeps; signals, figures, units and tables of checks; and
/// warns of trajectories and blocks that nothing uses. Throws nothing for bad input: it is in the findings.
ARTICULA_EXPORT PreparedStudy prepare_study(const Study& study);

/// A note for each file that was read outside of the study's folder, from the `first` on. They are not among the findings
/// of a PreparedStudy, but hold also if it has errors: its `setup.reach` knows them.
ARTICULA_EXPORT Findings notes_of_files_elsewhere(const FileReach& reach, std::size_t first = 0);

}  // namespace articula::study
