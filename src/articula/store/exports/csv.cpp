// CSV: `q.joint1 [rad]` in the header, numbers with the fewest digits that read back as the same double, quoted fields
// if they contain commas, quotes or line breaks, lines that end in CR LF.  [RFC 4180]

#include <articula/base/text.h>
#include <articula/store/exports/internal/formats.h>
#include <articula/text/csv.h>

namespace articula::store {
namespace {

std::string header(const StoredTask& task) {
  std::string line;
  for (const StoredSignal& signal : task.signals) {
    if (!line.empty()) line += ',';
    line += csv_field(signal.unit.empty() ? signal.name : concat(signal.name, " [", signal.unit, "]"));
  }
  return line + "\r\n";
}

Findings write(OutputFile& out, const Store& store, const StoredRun&, std::span<const StoredTask> tasks) {
  const StoredTask& task = tasks.front();
  out.write(header(task));
  std::string line;
  const std::optional<Finding> damage = store.each_block(task.id, [&](const StoredRows& rows) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      line.clear();
      for (const double value : rows.row(i)) line += csv_number(value), line += ',';
      line.pop_back();
      line += "\r\n";
      out.write(line);
    }
  });
  return damage ? Findings{*damage} : Findings{};
}

}  // namespace

ExportFormat csv_export() {
  return {.name = "csv",
          .title = "CSV",
          .endings = {".csv"},
          .one_table = true,
          // CSV has no marker: an earlier export is recognized by the same signals.
          .is_ours = [](std::string_view beginning,
                        std::span<const StoredTask> tasks) { return beginning.starts_with(header(tasks.front())); },
          .write = write};
}

}  // namespace articula::store
