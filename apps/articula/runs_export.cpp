#include <algorithm>
#include <filesystem>
#include <set>

#include <fmt/core.h>

#include <articula/base/text.h>
#include <articula/study/export_csv.h>
#include <articula/study/export_hdf5.h>
#include <articula/study/export_mcap.h>

#include "command.h"
#include "runs.h"

namespace articula::program {
namespace {

namespace fs = std::filesystem;

struct Options {
  std::string store = Store::default_name;
  std::string run, task, format, out;
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
void write_csv(const Store& store, std::span<const StoredTask> tasks, const fs::path& out, Findings& findings) {
  std::set<std::string> taken;
  for (const StoredTask& task : tasks) {
    fs::path file = out;
    if (tasks.size() > 1) {
      std::string part = file_part(task.name);
      for (int k = 2; !taken.insert(part).second; ++k) part = concat(file_part(task.name), "_", k);
      file.replace_filename(concat(out.stem().string(), "_", part, out.extension().string()));
    }
    const Findings damage = export_csv(store, task, file);
    findings.insert(findings.end(), damage.begin(), damage.end());
    say("wrote {}\n", file.string());
  }
}

void run(const Options& options) {
  const std::string format = format_of(options);
  const Store store(options.store);
  const StoredRun stored = store.run(options.run);
  std::vector<StoredTask> tasks = stored.tasks;
  if (!options.task.empty()) tasks = {stored.task(options.task)};
  Findings findings;
  if (format == "csv") {
    write_csv(store, tasks, options.out, findings);
  } else {
    findings = format == "hdf5" ? export_hdf5(store, stored, tasks, options.out)
                                : export_mcap(store, stored, tasks, options.out);
    say("wrote {}\n", options.out);
  }
  tell(findings);
}

}  // namespace

void add_runs_export(CLI::App& runs, int&) {
  auto options = std::make_shared<Options>();
  CLI::App* command = runs.add_subcommand("export", "Write the rows of a run as CSV, HDF5 or MCAP");
  command->add_option("RUN", options->run, "Its id, the beginning of its id, or latest")->required();
  command->add_option("-o,--output", options->out, "The file to write; its ending chooses the format")
      ->required()
      ->option_text("FILE");
  command->add_option("--format", options->format, "csv, hdf5 or mcap, whatever the ending")
      ->check(CLI::IsMember({"csv", "hdf5", "mcap"}))
      ->option_text("csv|hdf5|mcap");
  command->add_option("--task", options->task, "Only this task")->option_text("NAME");
  add_store_option(*command, options->store);
  command->callback([options] { run(*options); });
}

}  // namespace articula::program
