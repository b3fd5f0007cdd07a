#include <articula/store/exports/csv.h>

#include <cmath>

#include <articula/base/text.h>

#include <articula/text/output_file.h>

namespace articula {
namespace {

/// Spreadsheets take a text that begins with one of these for a formula: an apostrophe before it makes it text again.
/// CsvTable reads it without.
std::string field(std::string_view text) {
  const bool formula = text.find_first_of("=+-@\t\r") == 0;
  if (!formula && text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string quoted_text = formula ? "\"'" : "\"";
  for (const char c : text) quoted_text += c == '"' ? std::string_view("\"\"") : std::string_view(&c, 1);
  return quoted_text + '"';
}

std::string value_text(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  return value == 0 && std::signbit(value) ? "-0" : number_text(value);
}

}  // namespace

std::string csv_header(const StoredTask& task) {
  std::string line;
  for (const StoredSignal& signal : task.signals) {
    if (!line.empty()) line += ',';
    line += field(signal.unit.empty() ? signal.name : concat(signal.name, " [", signal.unit, "]"));
  }
  return line + "\r\n";
}

Findings export_csv(const Store& store, const StoredTask& task, const std::filesystem::path& file) {
  OutputFile out(file, store.file());
  out.write(csv_header(task));
  std::string line;
  const std::optional<Finding> damage = store.each_block(task.id, [&](const StoredRows& rows) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      line.clear();
      for (const double value : rows.row(i)) line += value_text(value), line += ',';
      line.pop_back();
      line += "\r\n";
      out.write(line);
    }
  });
  out.complete();
  return damage ? Findings{*damage} : Findings{};
}

}  // namespace articula
