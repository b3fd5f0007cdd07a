// HDF5. Each task is a group with one data set of doubles per signal. Attributes: `name` and `unit` of each data set,
// counts of the group, and the provenance of the root; the texts of study and models are in the group `provenance`. A
// slash in a name becomes a bar in the path; the attribute keeps the name. The file may be larger than memory.

#include <algorithm>
#include <set>

#include <articula/base/text.h>
#include <articula/store/exports/internal/formats.h>

#include "internal/hdf5_file.h"

namespace articula::store {
namespace {

using Object = Hdf5File::Object;

/// A unique name that is valid in a path.
class PathNames {
 public:
  std::string operator()(const std::string& name) {
    std::string path = name.empty() ? "_" : name;
    std::replace(path.begin(), path.end(), '/', '|');
    std::replace(path.begin(), path.end(), '\0', '_');
    if (path == "." || path == "..") path += '_';
    const std::string first = path;
    for (int k = 2; !taken_.insert(path).second; ++k) path = concat(first, "_", k);
    return path;
  }

 private:
  std::set<std::string> taken_;
};

void add_provenance(Hdf5File& out, const StoredRun& run) {
  const RunOrigin& p = run.provenance;
  out.attribute(Hdf5File::root, "run", run.id);
  out.attribute(Hdf5File::root, "status", to_text(run.status));
  out.attribute(Hdf5File::root, "study", p.study);
  out.attribute(Hdf5File::root, "articula_version", p.version);
  out.attribute(Hdf5File::root, "host", p.host);
  out.attribute(Hdf5File::root, "created", p.created);
  out.attribute(Hdf5File::root, "seed", std::to_string(p.seed));
  const Object group = out.group(Hdf5File::root, "provenance");
  PathNames names;
  out.text(group, names("command"), p.command);
  for (const NamedText& option : p.options) {
    const Object set = out.text(group, names("option " + option.name), option.value);
    out.attribute(set, "name", option.name);
  }
  for (const SourceText& text : p.texts) {
    const Object set = out.text(group, names(text.role + " " + text.path), text.text);
    out.attribute(set, "role", text.role);
    out.attribute(set, "path", text.path);
  }
}

/// The columns of a task in a file.
struct Table {
  const StoredTask* task = nullptr;
  std::uint64_t rows = 0;
  std::vector<Object> columns;
};

Table add_task(Hdf5File& out, const Store& store, const StoredTask& task, const std::string& path, Findings& findings) {
  const Object group = out.group(Hdf5File::root, path);
  out.attribute(group, "name", task.name);
  out.attribute(group, "kind", task.kind);
  out.attribute(group, "status", to_text(task.status));
  PathNames attribute_names;
  for (const char* taken : {"name", "kind", "status"}) attribute_names(taken);
  for (const Count& count : task.counts) out.attribute(group, attribute_names(count.name), count.value);
  // The length excludes damaged rows.
  Table table{.task = &task};
  const auto damage = store.each_block(task.id, [&](const StoredRows& rows) { table.rows += rows.size(); });
  if (damage) findings.push_back(*damage);
  PathNames names;
  for (const StoredSignal& signal : task.signals) {
    table.columns.push_back(out.column(group, names(signal.name), table.rows));
    out.attribute(table.columns.back(), "name", signal.name);
    out.attribute(table.columns.back(), "unit", signal.unit);
  }
  return table;
}

void fill(Hdf5File& out, const Store& store, const Table& table) {
  std::vector<double> values;
  store.each_block(table.task->id, [&](const StoredRows& rows) {
    // A running run may have grown since.
    const std::uint64_t first = static_cast<std::uint64_t>(rows.first);
    values.resize(static_cast<std::size_t>(
        std::min<std::uint64_t>(rows.size(), table.rows - std::min<std::uint64_t>(table.rows, first))));
    for (std::size_t k = 0; k < table.columns.size() && k < rows.columns && !values.empty(); ++k) {
      for (std::size_t i = 0; i < values.size(); ++i) values[i] = rows.row(i)[k];
      out.fill(table.columns[k], first, values);
    }
  });
}

Findings write(OutputFile& target, const Store& store, const StoredRun& run, std::span<const StoredTask> tasks) {
  Hdf5File out(target);
  Findings findings;
  add_provenance(out, run);
  PathNames names;
  names("provenance");
  std::vector<Table> tables;
  for (const StoredTask& task : tasks) tables.push_back(add_task(out, store, task, names(task.name), findings));
  out.begin();
  for (const Table& table : tables) fill(out, store, table);
  out.finish();
  return findings;
}

}  // namespace

ExportFormat hdf5_export() {
  return {.name = "hdf5",
          .title = "HDF5",
          .endings = {".h5", ".hdf5"},
          .is_ours =
              [](std::string_view beginning, std::span<const StoredTask>) {
                return beginning.starts_with("\x89HDF\r\n\x1a\n") &&
                       beginning.find("articula_version") != std::string_view::npos;
              },
          .write = write};
}

}  // namespace articula::store
