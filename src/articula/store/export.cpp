#include <articula/store/export.h>

#include <algorithm>
#include <set>
#include <system_error>

#include <articula/base/text.h>
#include <articula/store/exports/internal/formats.h>

namespace articula::store {

namespace fs = std::filesystem;

std::span<const ExportFormat> export_formats() {
  static const std::vector<ExportFormat> formats = [] {
    std::vector<ExportFormat> all;
    for (const auto make : all_exports) all.push_back(make());
    return all;
  }();
  return formats;
}

const ExportFormat& find_export_format(std::string_view name, const fs::path& file) {
  const std::string ending = file.extension().string();
  std::vector<std::string> names, endings;
  for (const ExportFormat& format : export_formats()) {
    const auto& own = format.endings;
    if (name.empty() ? std::find(own.begin(), own.end(), ending) != own.end() : format.name == name) return format;
    names.emplace_back(format.name);
    std::string alternatives;
    for (const std::string_view one : own) alternatives += concat(alternatives.empty() ? "" : " and ", one);
    endings.push_back(alternatives);
  }
  if (!name.empty()) {
    throw Error("format-unknown", {file.string(), 0},
                concat(quoted(name), " is no known format.", choices(name, "Formats", names)));
  }
  throw Error("format-unknown", {file.string(), 0},
              concat("the ending ", quoted(ending), " names no known format. Known: ", list_of(endings),
                     ". Or say it with --format."));
}

namespace {

/// A part of a file name that is valid on every system.
std::string file_part(const std::string& name) {
  std::string part = name;
  const auto is_plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
  };
  std::replace_if(
      part.begin(), part.end(), [&](char c) { return !is_plain(c); }, '_');
  return part.substr(0, 100);
}

}  // namespace

std::vector<ExportFile> export_files(const ExportFormat& format, std::span<const StoredTask> tasks,
                                     const fs::path& out) {
  if (!format.one_table) return {{out, tasks}};
  std::vector<ExportFile> files;
  std::set<std::string> taken;
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    files.push_back({out, tasks.subspan(i, 1)});
    if (tasks.size() == 1) break;
    std::string part = file_part(tasks[i].name);
    for (int k = 2; !taken.insert(part).second; ++k) part = concat(file_part(tasks[i].name), "_", k);
    files[i].path.replace_filename(concat(out.stem().string(), "_", part, out.extension().string()));
  }
  return files;
}

Findings export_run(const ExportFormat& format, const Store& store, const StoredRun& run,
                    std::span<const StoredTask> tasks, const fs::path& file) {
  Findings findings;
  for (const ExportFile& each : export_files(format, tasks, file)) {
    std::error_code trouble;
    if (fs::equivalent(each.path, store.file(), trouble) && !trouble) {
      throw Error("file-is-input", {each.path.string(), 0},
                  "it is the store that the run is read from. Name another file.");
    }
    OutputFile out(each.path);
    const Findings lost = format.write(out, store, run, each.tasks);
    out.complete();
    findings.insert(findings.end(), lost.begin(), lost.end());
  }
  return findings;
}

}  // namespace articula::store
