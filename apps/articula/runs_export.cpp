#include <memory>
#include <string>
#include <vector>

#include <fmt/core.h>

#include <articula/base/text.h>
#include <articula/store/export.h>

#include "command.h"
#include "replace.h"
#include "runs.h"

namespace articula::program {
namespace {

struct Options {
  std::string store = Store::default_name;
  std::string run, task, format, out;
  bool force = false;
};

void run(const Options& options) {
  const ExportFormat& format = find_export_format(options.format, options.out);
  const Store store(options.store);
  const StoredRun stored = store.run(options.run);
  std::vector<StoredTask> tasks = stored.tasks;
  if (!options.task.empty()) tasks = {stored.task(options.task)};
  Findings findings;
  if (stored.damage) findings.push_back(*stored.damage);
  const Replacing replacing{.inputs = {}, .store = options.store, .force = options.force};
  const std::vector<ExportFile> files = export_files(format, tasks, options.out);
  for (const ExportFile& file : files) {
    const auto is_ours = [&](std::string_view beginning) { return format.is_ours(beginning, file.tasks); };
    require_replaceable(file.path, format.one_table ? "export of these signals" : "export", is_ours, replacing);
  }
  for (const ExportFile& file : files) {
    const Findings lost = export_run(format, store, stored, file.tasks, file.path);
    findings.insert(findings.end(), lost.begin(), lost.end());
    say("wrote {}\n", file.path.string());
  }
  tell(findings);
}

/// `CSV, HDF5 or MCAP`
std::string alternatives(std::string_view ExportFormat::*word) {
  const std::span<const ExportFormat> formats = export_formats();
  std::string text;
  for (std::size_t k = 0; k < formats.size(); ++k)
    text += concat(k == 0 ? "" : k + 1 < formats.size() ? ", " : " or ", formats[k].*word);
  return text;
}

}  // namespace

void add_runs_export(const Command& runs, int&) {
  auto options = std::make_shared<Options>();
  const Command command = runs.add("export", concat("Write the rows of a run as ", alternatives(&ExportFormat::title)));
  command.text("RUN", options->run, "Its id, the beginning of its id, or latest").required();
  command.text("-o,--output", options->out, "The file to write; its ending chooses the format")
      .required()
      .shown_as("FILE");
  Choices<std::string> formats;
  for (const ExportFormat& format : export_formats()) formats.emplace_back(format.name, format.name);
  command.choice("--format", options->format, formats,
                 concat(alternatives(&ExportFormat::name), ", whatever the ending"));
  command.text("--task", options->task, "Only this task").shown_as("NAME");
  add_store_option(command, options->store);
  add_force_option(command, options->force);
  command.runs([options] { run(*options); });
}

}  // namespace articula::program
