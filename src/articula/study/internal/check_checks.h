#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include <articula/study/study.h>

namespace articula {

/// Adds what is wrong with the checks of a study to `findings`, as far as that can be known before computing: signals
/// and figures that a task does not give, units that do not fit, tables that cannot be read or lack columns.
/// `plans` are those of the tasks; checks of a task that has none are not looked at.
void check_checks(const Study& study, const FileReach& reach, const std::vector<std::optional<TaskPlan>>& plans,
                  Findings& findings);

}  // namespace articula
