#include <articula/study/prepare.h>

#include <algorithm>

#include <articula/base/findings.h>
#include <articula/study/internal/attempts.h>
#include <articula/study/internal/check_checks.h>
#include <articula/study/internal/sources.h>
#include <articula/study/internal/unused.h>

namespace articula {
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

}  // namespace

PreparedStudy prepare_study(const Study& study) {
  PreparedStudy prepared;
  prepared.study = study;
  Attempts attempts;
  auto sources = attempts([&] {
    prepared.setup.reach = reach_of(study);
    return read_sources(study, prepared.setup.reach, prepared.findings);
  });
  if (sources) {
    prepared.setup = std::move(sources->setup);
    prepared.texts = std::move(sources->texts);
    attempts([&] { make_trajectories(prepared.setup); });
    // Whether passive forces and contacts act, each task says itself.
    attempts([&] { blocks_of(prepared.setup, {.passive = false, .ignore_contacts = true}); });
    for (const NamedTask& task : study.tasks) {
      prepared.plans.push_back(attempts([&] { return plan_task(task, setup_of(task, prepared.setup)); }));
      if (prepared.plans.back()) add_new(prepared.plans.back()->warnings, prepared.findings);
    }
  }
  add_new(attempts.errors(), prepared.findings);
  if (!sources) return prepared;
  Findings more;
  check_checks(study, prepared.setup.reach, prepared.plans, more);
  if (!has_errors(prepared.findings)) find_unused(study, prepared.setup, more);
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

}  // namespace articula
