#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <articula/base/export.h>
#include <articula/base/modules.h>

namespace articula::study {

/// A table: the titles of its columns, and its rows.
struct ReferenceTable {
  std::vector<std::string> titles;
  std::vector<std::vector<std::string>> rows;
};

/// The properties of one kind of block, trajectory or task, from the `fields` that the reader uses.
struct KindTable {
  std::string name;           ///< its `type`
  std::string about;          ///< what it does
  std::string smooth;         ///< of trajectories: up to which derivative it is continuous
  ReferenceTable properties;  ///< key, value, default, meaning
  ReferenceTable signals;     ///< of blocks: signal, unit, meaning
};

/// In the order of the lists of kinds.
ARTICULA_EXPORT std::vector<KindTable> block_tables();
ARTICULA_EXPORT std::vector<KindTable> trajectory_tables();
ARTICULA_EXPORT std::vector<KindTable> task_tables();

/// The kinds themselves: type and what it does; of trajectories also how smooth it is.
ARTICULA_EXPORT ReferenceTable overview(const std::vector<KindTable>& kinds);

/// A column in the results of tasks. `<joint>` and other words in angle brackets are placeholders of names or numbers.
struct TaskSignal {
  std::string_view name, unit, tasks, meaning;
};

/// All columns of all tasks. Of several entries that match a name, the first one applies.
ARTICULA_EXPORT const std::vector<TaskSignal>& task_signals();
ARTICULA_EXPORT ReferenceTable signal_table();

}  // namespace articula::study
