#pragma once

#include <articula/study/internal/read_kinds.h>
#include <articula/study/tasks/task_kinds.h>

namespace articula::study {

/// Reads `{type: simulate, until: 1 s, override: {...}, ...}`; name and location are not changed.
bool read_task(const Spot& spot, NamedTask& task);

/// Gives one property of a task a new value. Throws an Error that begins with `what "path"`.
void set_task_property(TaskKind& task, std::string_view property, std::string_view what, const Override& one);

/// The dimension of the numbers of a property of a task; nothing if it has none.
std::optional<Dimension> task_dimension(const TaskKind& task, std::string_view property);

}  // namespace articula::study
