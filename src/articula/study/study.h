#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <articula/base/error.h>
#include <articula/base/export.h>
#include <articula/formats/options.h>
#include <articula/study/bounds.h>
#include <articula/study/checks.h>
#include <articula/study/setup.h>
#include <articula/study/tasks/task_kinds.h>

namespace articula::study {

/// What to compute with a model, and what is to come out: the content of a study file (docs/studies.md). A value; the
/// model is named, not yet read.
struct Study {
  std::string name, description;
  std::string model;  ///< a file, from the study's folder
  ReadOptions read;   ///< base, mimic, lock and snap: how it is read
  std::uint64_t seed = 0;
  std::vector<Override> overrides;
  StartText start;
  std::vector<Named<TrajectoryKind>> trajectories;
  std::vector<BlockSpec> blocks;
  std::vector<NamedTask> tasks;
  std::vector<Check> checks;

  /// What it may do if it comes from a stranger; otherwise it may do all.
  std::optional<StudyBounds> bounds;

  std::string file, text;                ///< what it was read from
  std::shared_ptr<const YamlTree> tree;  ///< of the text
  Where model_where;

  std::filesystem::path folder() const { return std::filesystem::path(file).parent_path(); }
};

/// The version of the form that is read.
inline constexpr int study_version = 1;

}  // namespace articula::study
