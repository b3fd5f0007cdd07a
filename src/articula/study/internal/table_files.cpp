#include <articula/study/internal/table_files.h>

#include <algorithm>
#include <set>

#include <articula/study/internal/set_property.h>

namespace articula::study {
namespace {

/// The table whose file is set by a path such as `wave.file`; null for other paths.
const TableMotion* table_at(const std::string& path, const Study& study) {
  const std::size_t dot = path.find('.');
  if (dot == std::string::npos || path.substr(dot + 1) != "file") return nullptr;
  for (const auto& trajectory : study.trajectories) {
    if (trajectory.name == path.substr(0, dot)) return std::get_if<TableMotion>(&trajectory.kind);
  }
  return nullptr;
}

class Chosen {
 public:
  explicit Chosen(const Study& study) : study_(study) {
    for (const NamedTask& task : study.tasks) add(task);
  }

  ChosenTables tables;

 private:
  void add(const NamedTask& task) {
    for (const Override& one : task.overrides) add(one);
    const auto* const sweep = std::get_if<SweepTask>(&task.kind);
    if (sweep == nullptr) return;
    for (const SweepAxis& axis : sweep->over) {
      if (table_at(axis.path, study_) == nullptr) continue;
      const std::size_t read = std::min(axis.values.size(), ChosenTables::most);
      for (std::size_t k = 0; k < read; ++k) add(Override{axis.path, axis.values[k]});
      tables.count += axis.values.size() - read;
    }
    add(*sweep->task);
  }

  /// A value that cannot be read is reported by the task.
  void add(const Override& one) {
    const TableMotion* const table = table_at(one.path, study_);
    if (table == nullptr) return;
    std::variant<TableMotion> changed = *table;
    try {
      set_property(changed, "file", "override", one);
    } catch (const Error&) {
      return;
    }
    const std::string& file = std::get<TableMotion>(changed).file;
    if (!met_.insert(file).second) return;
    ++tables.count;
    if (tables.files.size() < ChosenTables::most) tables.files.push_back(file);
  }

  const Study& study_;
  std::set<std::string> met_;
};

}  // namespace

std::vector<std::string> tables_of_trajectories(const Study& study) {
  std::vector<std::string> files;
  for (const auto& trajectory : study.trajectories) {
    const auto* const table = std::get_if<TableMotion>(&trajectory.kind);
    if (table != nullptr && std::find(files.begin(), files.end(), table->file) == files.end())
      files.push_back(table->file);
  }
  return files;
}

ChosenTables chosen_tables(const Study& study) { return Chosen(study).tables; }

}  // namespace articula::study
