#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include <articula/study/study.h>

namespace articula::study {

/// Adds errors in the checks of a study to `findings`, as far as they are known before computing: signals and
/// statistics that a task does not have, units that do not fit, tables that cannot be read or lack columns. `plans` are
/// those of the tasks; checks of a task without a plan are ignored.
void check_checks(const Study& study, const FileReach& reach, const std::vector<std::optional<TaskPlan>>& plans,
                  Findings& findings);

}  // namespace articula::study
