#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <articula/base/export.h>
#include <articula/control/block_kinds.h>
#include <articula/control/trajectory_kinds.h>
#include <articula/simulate/system.h>
#include <articula/study/overrides.h>
#include <articula/study/passage.h>
#include <articula/study/study_model.h>
#include <articula/text/file_reach.h>

namespace articula::study {

/// Something of a kind that a study writes in a section, with its name there.
template <class Kind>
struct Named {
  std::string name;
  Kind kind;
  Where where;
};

/// Where a study starts, as written: `{q: [...], v: {...}}`, with numbers, or a trajectory's name.
struct StartText {
  Passage q, v;
};

/// All that a task computes with: the model with its overrides, what moves and what drives it. A value: sweeps change
/// copies of it.
struct Setup {
  StudyModel model;
  std::vector<Named<TrajectoryKind>> trajectories;
  std::vector<BlockSpec> blocks;
  StartText start;
  std::filesystem::path folder;  ///< that tables are named from
  FileReach reach;               ///< through which they are read
};

/// Changes a property of the model, of a trajectory or of a block: `link7.mass`, `servo.stiffness`. Throws an Error.
ARTICULA_EXPORT void apply_override(const Override& one, Setup& setup);

/// The dimension of the numbers of such a property; nothing if it has none or there is no such property.
ARTICULA_EXPORT std::optional<Dimension> dimension_of(const std::string& path, const Setup& setup);

/// The trajectories of a setup, ready to be evaluated. Throws an Error with all that is wrong.
ARTICULA_EXPORT std::vector<NamedTrajectory> make_trajectories(const Setup& setup);
/// The same, without building the mechanism again.
ARTICULA_EXPORT std::vector<NamedTrajectory> make_trajectories(const Setup& setup, const BlockSite& site);

/// The names of blocks, and of those that they wrap. Throws an Error for one that the study does not have.
ARTICULA_EXPORT std::vector<std::string> block_names(const Setup& setup, std::vector<std::string> names);

/// The blocks of those names, with those that they wrap, in the order of the study; all of them if there are no names.
/// Throws likewise.
ARTICULA_EXPORT std::vector<BlockSpec> block_specs_of(const Setup& setup, const std::vector<std::string>& names = {});

}  // namespace articula::study
