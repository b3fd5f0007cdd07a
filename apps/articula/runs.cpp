#include "runs.h"

#include <cstdio>

#include <fmt/core.h>

#include <articula/base/text.h>

#include "command.h"

namespace articula::program {
namespace {

using Options = RunsOptions;

Command add_run_command(const Command& runs, const char* name, const char* what, Options& options) {
  const Command command = runs.add(name, what);
  command.text("RUN", options.run, "Its id, the beginning of its id, or latest").required();
  add_store_option(command, options.store);
  return command;
}

void add_list(const Command& runs) {
  auto options = std::make_shared<Options>();
  const Command command = runs.add("list", "List all runs, the newest first");
  add_store_option(command, options->store);
  command.flag("--json", options->json, "Print as JSON");
  command.runs([options] {
    const std::vector<RunSummary> all = Store(options->store).list();
    put(options->json ? list_json(all) : list_text(all), Then::end);
  });
}

void add_show(const Command& runs) {
  auto options = std::make_shared<Options>();
  const Command command =
      add_run_command(runs, "show", "Show a run: where it comes from, tasks, counts, checks, signals", *options);
  command.flag("--json", options->json, "Print as JSON, with the texts of study and models");
  command.runs([options] {
    const StoredRun run = Store(options->store).run(options->run);
    if (run.damage) tell({*run.damage});
    put(options->json ? show_json(run) : show_text(run), Then::end);
  });
}

void add_delete(const Command& runs) {
  auto options = std::make_shared<Options>();
  auto names = std::make_shared<std::vector<std::string>>();
  const Command command = runs.add("delete", "Delete runs, unless they are running");
  command.texts("RUN", *names, "Ids, or the beginnings of ids, or latest").required();
  add_store_option(command, options->store);
  command.runs([options, names] {
    Store(options->store);  // throws if the store does not exist
    Store store(options->store, Store::Access::write);
    for (const std::string& name : *names) {
      const StoredRun run = store.run(name);
      std::int64_t rows = 0;
      for (const StoredTask& task : run.tasks) rows += task.rows;
      store.delete_run(run.id);
      say("deleted run {}: {} of {}, {} task{}, {} rows\n", run.id, plain(run.provenance.study), run.provenance.created,
          run.tasks.size(), run.tasks.size() == 1 ? "" : "s", rows);
    }
  });
}

void add_resume(const Command& runs, int& code) {
  auto options = std::make_shared<Options>();
  const Command command = add_run_command(runs, "resume", "Go on with a run that was interrupted", *options);
  command.runs([options, &code] {
    const std::string run = Store(options->store).find(options->run);
    code = resume_run(options->store, run);
  });
}

void add_verify(const Command& runs, int& code) {
  auto options = std::make_shared<Options>();
  const Command command = runs.add("verify", "Check the whole store for damage");
  add_store_option(command, options->store);
  command.runs([options, &code] {
    const Findings damage = Store(options->store).verify();
    tell(damage);
    if (damage.empty()) say("{}: sound\n", options->store);
    if (!damage.empty()) code = negative_finding;
  });
}

void add_salvage(const Command& runs) {
  auto options = std::make_shared<Options>();
  auto to = std::make_shared<std::string>();
  const Command command = runs.add("salvage", "Save what can be read of a damaged store in a new one");
  command.text("NEW", *to, "The file to make").required();
  add_store_option(command, options->store);
  command.runs([options, to] {
    tell(salvage_store(options->store, *to));
    say("wrote {}: {} runs\n", *to, Store(*to).list().size());
  });
}

}  // namespace

void add_store_option(const Command& command, std::string& store) {
  command.text("--store", store, std::string("The file that holds the runs (") + Store::default_name + ")")
      .shown_as("FILE");
}

std::string plain(const std::string& name) {
  const std::string text = quoted(name);
  return !name.empty() && text.size() == name.size() + 2 ? name : text;
}

void add_runs(const Command& app, int& code) {
  const Command runs = app.add("runs", "List, show, compare, export, resume and delete stored runs");
  runs.require_command();
  add_list(runs);
  add_show(runs);
  add_runs_compare(runs, code);
  add_runs_export(runs, code);
  add_delete(runs);
  add_resume(runs, code);
  add_verify(runs, code);
  add_salvage(runs);
}

}  // namespace articula::program
