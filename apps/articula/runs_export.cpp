#include <algorithm>
#include <filesystem>
#include <set>

#include <fmt/core.h>

#include <articula/base/text.h>
#include <articula/store/exports/csv.h>
#include <articula/store/exports/hdf5.h>
#include <articula/store/exports/mcap.h>

#include "command.h"
#include "replace.h"
#include "runs.h"

namespace articula::program {
namespace {

namespace fs = std::filesystem;

struct Options {
  std::string store = Store::default_name;
  std::string run, task, format, out;
  bool force = false;
};

/// By the option, otherwise by the ending of the file.
std::string format_of(const Options& options) {
  if (!options.format.empty()) return options.format;
  const std::string ending = fs::path(options.out).extension().string();
  if (ending == ".csv") return "csv";
  if (ending == ".h5" || ending == ".hdf5") return "hdf5";
  if (ending == ".mcap") return "mcap";
  throw Error("format-unknown", {options.out, 0},
              concat("the ending ", quoted(ending),
                     " names no known format. Known: .csv, .h5 and .hdf5, .mcap. Or say it with --format."));
}

/// A part of a file's name that every system takes.
std::string file_part(const std::string& name) {
  std::string part = name;
  const auto is_plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
  };
  std::replace_if(
      part.begin(), part.end(), [&](char c) { return !is_plain(c); }, '_');
  return part.substr(0, 100);
}

/// CSV holds one table: several tasks become several files, out.csv → out_motion.csv, out_torques.csv.
std::vector<fs::path> csv_files(std::span<const StoredTask> tasks, const fs::path& out) {
  std::vector<fs::path> files(tasks.size(), out);
  std::set<std::string> taken;
  for (std::size_t i = 0; i < tasks.size() && tasks.size() > 1; ++i) {
    std::string part = file_part(tasks[i].name);
    for (int k = 2; !taken.insert(part).second; ++k) part = concat(file_part(tasks[i].name), "_", k);
    files[i].replace_filename(concat(out.stem().string(), "_", part, out.extension().string()));
  }
  return files;
}

void write_csv(const Store& store, std::span<const StoredTask> tasks, const fs::path& out, const Replacing& replacing,
               Findings& findings) {
  const std::vector<fs::path> files = csv_files(tasks, out);
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    // CSV has no place for a mark: an earlier export is one of the same signals.
    const auto is_ours = [&](std::string_view text) { return text.starts_with(csv_header(tasks[i])); };
    require_replaceable(files[i], "export of these signals", is_ours, replacing);
  }
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    const Findings damage = export_csv(store, tasks[i], files[i]);
    findings.insert(findings.end(), damage.begin(), damage.end());
    say("wrote {}\n", files[i].string());
  }
}

bool is_hdf5_export(std::string_view file) {
  return file.starts_with("\x89HDF\r\n\x1a\n") && file.find("articula_version") != std::string_view::npos;
}
bool is_mcap_export(std::string_view file) {
  return file.starts_with("\x89MCAP0\r\n") && file.substr(0, 100).find("articula ") != std::string_view::npos;
}

void run(const Options& options) {
  const std::string format = format_of(options);
  const Store store(options.store);
  const StoredRun stored = store.run(options.run);
  std::vector<StoredTask> tasks = stored.tasks;
  if (!options.task.empty()) tasks = {stored.task(options.task)};
  Findings findings;
  if (stored.damage) findings.push_back(*stored.damage);
  const Replacing replacing{.inputs = {}, .store = options.store, .force = options.force};
  if (format == "csv") {
    write_csv(store, tasks, options.out, replacing, findings);
  } else {
    require_replaceable(options.out, "export", format == "hdf5" ? is_hdf5_export : is_mcap_export, replacing);
    findings = format == "hdf5" ? export_hdf5(store, stored, tasks, options.out)
                                : export_mcap(store, stored, tasks, options.out);
    say("wrote {}\n", options.out);
  }
  tell(findings);
}

}  // namespace

void add_runs_export(const Command& runs, int&) {
  auto options = std::make_shared<Options>();
  const Command command = runs.add("export", "Write the rows of a run as CSV, HDF5 or MCAP");
  command.text("RUN", options->run, "Its id, the beginning of its id, or latest").required();
  command.text("-o,--output", options->out, "The file to write; its ending chooses the format")
      .required()
      .shown_as("FILE");
  command.choice("--format", options->format, {{"csv", "csv"}, {"hdf5", "hdf5"}, {"mcap", "mcap"}},
                 "csv, hdf5 or mcap, whatever the ending");
  command.text("--task", options->task, "Only this task").shown_as("NAME");
  add_store_option(command, options->store);
  add_force_option(command, options->force);
  command.runs([options] { run(*options); });
}

}  // namespace articula::program
