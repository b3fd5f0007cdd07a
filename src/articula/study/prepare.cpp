#include <articula/study/prepare.h>

#include <algorithm>

#include <articula/base/findings.h>
#include <articula/base/text.h>
#include <articula/solve/internal/exposed_mechanism.h>
#include <articula/study/internal/attempts.h>
#include <articula/study/internal/check_checks.h>
#include <articula/study/internal/driven.h>
#include <articula/study/internal/sources.h>
#include <articula/study/internal/unused.h>

namespace articula::study {
namespace {

bool same(const Finding& a, const Finding& b) {
  return a.severity == b.severity && a.code == b.code && a.message == b.message && a.where.file == b.where.file &&
         a.where.line == b.where.line;
}

/// What all tasks share, each of them finds: it is reported once.
void add_new(const Findings& more, Findings& all) {
  for (const Finding& finding : more) {
    if (std::none_of(all.begin(), all.end(), [&](const Finding& each) { return same(each, finding); }))
      add_finding(all, finding);
  }
}

/// All tasks. Each is set up by itself, so that there are fewer of a larger model. @param size entities of the model
void plan_tasks(PreparedStudy& prepared, std::size_t size, Attempts& attempts) {
  const std::vector<NamedTask>& tasks = prepared.study.tasks;
  prepared.plans.resize(tasks.size());
  const std::size_t most_entities = 200'000 + 20 * size, most_signals = 1'000'000 + 50 * size;
  const auto refuse = [&](const NamedTask& task, const std::string& why) {
    attempts([&] {
      throw Error("study-too-large", task.where,
                  concat("task ", quoted(task.name), ": ", why, " Split the study, or let a sweep take the values."));
    });
  };
  if (tasks.size() * size > most_entities) {
    return refuse(tasks.back(), concat("the study has ", tasks.size(), " tasks, and its model ", size,
                                       " entities. At most ", most_entities / size, " tasks are allowed for it."));
  }
  std::size_t signals = 0;
  for (std::size_t k = 0; k < tasks.size(); ++k) {
    auto& plan = prepared.plans[k];
    plan = attempts([&] { return plan_task(tasks[k], setup_of(tasks[k], prepared.setup)); });
    if (!plan) continue;
    add_new(plan->warnings, prepared.findings);
    signals += plan->columns.size();
    if (signals <= most_signals) continue;
    return refuse(tasks[k],
                  concat("the tasks up to this one have ", signals, " signals together. At most ", most_signals,
                         " are allowed for this model: let `signals` name those that are wanted."));
  }
}

}  // namespace

PreparedStudy prepare_study(const Study& study) {
  PreparedStudy prepared;
  prepared.study = study;
  Attempts attempts;
  std::optional<BlockSite> site;
  std::vector<NamedTrajectory> trajectories;
  std::vector<std::unique_ptr<Block>> blocks;
  auto sources = attempts([&] {
    prepared.setup.reach = reach_of(study);
    return read_sources(study, prepared.setup.reach, prepared.findings);
  });
  if (sources) {
    prepared.setup = std::move(sources->setup);
    prepared.texts = std::move(sources->texts);
    prepared.setup.model.prepare();
    // Whether passive forces and contacts act, each task says itself. Elastic drives have coordinates that blocks may name.
    site = attempts([&] {
      const bool has_drives = !prepared.setup.model.mechanism().mechanism().rotors.empty();
      return site_of(prepared.setup, {.passive = has_drives, .ignore_contacts = true});
    });
    if (site) {
      attempts([&] { trajectories = make_trajectories(prepared.setup, *site); });
      attempts([&] { blocks = make_blocks(prepared.setup.blocks, *site); });
    }
    const std::size_t entities =
        site ? site->mechanism()->mech().provenance.entities.size() : prepared.setup.model->entities().size();
    plan_tasks(prepared, entities, attempts);
  }
  add_new(attempts.errors(), prepared.findings);
  if (!sources) return prepared;
  Findings more;
  check_checks(study, prepared.setup.reach, prepared.plans, more);
  if (!has_errors(prepared.findings)) find_unused(study, {prepared.setup, *site, trajectories, blocks}, more);
  add_new(more, prepared.findings);
  return prepared;
}

Findings notes_of_files_elsewhere(const FileReach& reach, std::size_t first) {
  Findings notes;
  const std::vector<std::string> files = reach.elsewhere();
  for (std::size_t k = first; k < files.size(); ++k) {
    add_finding(notes, {Severity::note,
                        "file-elsewhere",
                        {files[k], 0},
                        "the study reads this file, which lies outside of its folder."});
  }
  return notes;
}

}  // namespace articula::study
