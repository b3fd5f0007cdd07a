#pragma once

#include <string>
#include <vector>

#include <articula/base/text.h>
#include <articula/control/block_site.h>
#include <articula/study/tasks/task.h>

namespace articula::study {

/// The options of the system that a task computes with: from its fields `passive`, `prescribe`, `ignore` and
/// `friction_speed`.
template <class Task>
SystemOptions system_options(const Task& task) {
  SystemOptions options;
  options.passive = task.passive;
  options.prescribe = task.prescribe;
  options.friction_speed = task.friction_speed;
  for (const std::string& what : task.ignore) {
    if (what != "contacts") {
      throw Error("ignore-unknown", {},
                  concat("ignore: ", quoted(what), " cannot be ignored.",
                         choices(what, "What can", std::vector<std::string>{"contacts"})));
    }
    options.ignore_contacts = true;
  }
  if (!(task.friction_speed >= 0)) {
    throw Error("value-range", {},
                concat("friction_speed is ", task.friction_speed,
                       ". It is 0, so that joints stick, or the speed over which friction is smoothed."));
  }
  return options;
}

/// Reports the findings of a computation to the user.
inline void tell_all(const TaskContext& context, const Findings& findings) {
  if (!context.tell) return;
  for (const Finding& finding : findings) context.tell(finding);
}

}  // namespace articula::study
