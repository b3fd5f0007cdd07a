#include <articula/study/run.h>

#include <algorithm>
#include <chrono>

#include <articula/base/group.h>
#include <articula/base/text.h>
#include <articula/study/internal/sources.h>

namespace articula::study {
namespace {

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// Rows of a task on their way into the store.
class StoreSink final : public RowSink {
 public:
  /// `left`: what the bounds of the run leave for this task, if it has any.
  StoreSink(TaskWriter& writer, const std::optional<StudyBounds>& bounds, StudyBounds left)
      : writer_(writer), bounds_(bounds), left_(std::move(left)) {}

  void columns(std::span<const Signal> columns) override {
    std::vector<StoredSignal> signals;
    for (const Signal& signal : columns) signals.push_back({signal.name, signal.unit});
    writer_.columns(signals);
    width_ = static_cast<std::int64_t>(columns.size());
    left_.rows = std::min(left_.rows, left_.numbers / std::max<std::int64_t>(1, width_));
  }
  void row(std::span<const double> values) override {
    if (bounds_ && writer_.rows() >= left_.rows) {
      throw Error("bound-rows", {},
                  concat("it gives more rows than the bounds of the run allow: ", bounds_->rows, " rows with ",
                         bounds_->numbers,
                         " numbers in all. Those before are kept. Let the study give fewer, or allow more with "
                         "--most-rows and --most-numbers."));
    }
    writer_.row(values);
  }
  void checkpoint(double t, std::span<const std::byte> bytes) override { writer_.checkpoint(t, bytes); }

  std::int64_t width() const { return width_; }

 private:
  TaskWriter& writer_;
  const std::optional<StudyBounds>& bounds_;
  StudyBounds left_;
  std::int64_t width_ = 0;
};

/// Computes what is left of a stored run.
class Runner {
 public:
  using Plans = std::vector<std::optional<TaskPlan>>;

  /// @param plans of the tasks, if they were planned
  Runner(const Study& study, const Setup& setup, const Plans& plans, Store& store, std::string run,
         const RunOptions& options)
      : study_(study), setup_(setup), plans_(plans), store_(store), options_(options) {
    report_.run = std::move(run);
    if (study.bounds) left_ = *study.bounds;
    told_files_ = setup.reach.elsewhere().size();
  }

  RunReport execute() {
    store_.set_status(report_.run, RunStatus::running);
    const StoredRun stored = store_.run(report_.run);
    for (std::size_t k = 0; k < study_.tasks.size(); ++k) {
      try {
        execute(study_.tasks[k], stored.task(study_.tasks[k].name), k);
      } catch (...) {
        try {
          store_.set_status(report_.run, RunStatus::failed);
        } catch (const Error&) {
          // The first trouble is the one to tell.
        }
        throw;
      }
      if (report_.tasks.back().outcome.status == RunStatus::interrupted) {
        report_.status = RunStatus::interrupted;
        break;
      }
    }
    if (report_.status != RunStatus::interrupted) judge_all();
    store_.set_status(report_.run, report_.status);
    return std::move(report_);
  }

 private:
  void execute(const NamedTask& task, const StoredTask& stored, std::size_t place) {
    TaskReport& done = report_.tasks.emplace_back();
    done.name = task.name;
    done.kind = kind_name(task.kind);
    auto width = static_cast<std::int64_t>(stored.signals.size());
    if (stored.status == RunStatus::done && is_whole(stored)) {
      done.was_done = true;
      done.rows = stored.rows;
      done.outcome.counts = stored.counts;
    } else {
      width = compute(task, stored, place, done);
    }
    tell_of_files();
    left_.rows -= done.rows;
    left_.numbers -= done.rows * width;
    if (done.outcome.status == RunStatus::failed) report_.status = RunStatus::failed;
    if (options_.task_done) options_.task_done(done);
  }

  /// Whether all rows of a task exist and are intact. If not, they are recomputed, with a finding.
  bool is_whole(const StoredTask& stored) {
    const std::optional<Finding> damage = store_.each_block(stored.id, [](const StoredRows&) {});
    if (!damage) return true;
    tell({damage->severity, damage->code, damage->where,
          concat("task ", quoted(stored.name),
                 " was done, but some of its rows are damaged, or missing. They are computed again.")});
    return false;
  }

  /// Of those that only the task has read: by values of sweeps that were not looked at before.
  void tell_of_files() {
    const Findings notes = notes_of_files_elsewhere(setup_.reach, told_files_);
    for (const Finding& note : notes) tell(note);
    told_files_ = setup_.reach.elsewhere().size();
  }

  void tell(const Finding& finding) {
    store_.add_log(report_.run, {finding});
    if (options_.tell) options_.tell(finding);
  }

  /// @return how many columns its rows have
  std::int64_t compute(const NamedTask& task, const StoredTask& stored, std::size_t place, TaskReport& done) {
    const auto begin = std::chrono::steady_clock::now();
    const std::optional<Checkpoint> from = store_.resume(stored.id);
    TaskWriter writer = store_.write(stored.id);
    StoreSink sink(writer, study_.bounds, left_);
    try {
      const Setup setup = setup_of(task, setup_);
      TaskContext context{.setup = setup, .sink = sink};
      if (from) context.checkpoint = from->bytes;
      if (!plans_.empty() && plans_[place]) context.plan = &*plans_[place];
      context.cancel = options_.cancel;
      context.tell = [&](const Finding& finding) { tell(finding); };
      if (options_.progress) {
        context.progress = [&](double fraction) {
          options_.progress({task.name, place, study_.tasks.size(), fraction});
        };
      }
      done.outcome = run_task(task, context);
    } catch (const Error& error) {
      // What was computed stays; that it cannot be marked does not hide why.
      try {
        writer.finish(RunStatus::failed, to_text(error.errors().front()));
      } catch (const Error&) {
      }
      throw;
    }
    done.seconds = seconds_since(begin);
    done.rows = writer.rows();
    std::vector<Count> counts = done.outcome.counts;
    if (const auto factor = done.real_time_factor()) counts.push_back({"real_time_factor", *factor});
    if (done.outcome.status != RunStatus::interrupted) store_.set_counts(stored.id, counts);
    writer.finish(done.outcome.status, done.outcome.message);
    return sink.width();
  }

  void judge_all() {
    const StoredRun stored = store_.run(report_.run);
    std::vector<CheckResult> results;
    Findings skipped;
    for (const Check& check : study_.checks) {
      const CheckedRun checked{store_, stored, study_.folder(), stored.provenance.texts, setup_.reach};
      report_.checks.push_back(judge(check, checked));
      const Verdict& verdict = report_.checks.back();
      if (!verdict.skipped) {
        results.push_back(verdict.result);
      } else {
        skipped.push_back({Severity::note, "check-skipped", check.where,
                           concat("check ", quoted(verdict.result.name), ": ", verdict.result.message, ".")});
      }
    }
    store_.set_checks(report_.run, results);
    if (!skipped.empty()) store_.add_log(report_.run, skipped);
    if (options_.tell) std::for_each(skipped.begin(), skipped.end(), options_.tell);
  }

  const Study& study_;
  const Setup& setup_;
  const Plans& plans_;
  Store& store_;
  const RunOptions& options_;
  RunReport report_;
  StudyBounds left_;            ///< of the bounds, if there are any
  std::size_t told_files_ = 0;  ///< of the files that were read outside of the study's folder
};

void tell_all(const RunOptions& options, const Findings& findings) {
  const Findings shown = grouped(findings);
  if (options.tell) std::for_each(shown.begin(), shown.end(), options.tell);
}

}  // namespace

RunReport run_study(const Study& study, Store& store, const RunOptions& options) {
  const PreparedStudy prepared = prepare_study(study);
  if (has_errors(prepared.findings)) tell_all(options, notes_of_files_elsewhere(prepared.setup.reach));
  throw_if_errors(prepared.findings);
  return run_study(prepared, store, options);
}

RunReport run_study(const PreparedStudy& prepared, Store& store, const RunOptions& options) {
  const Study& study = prepared.study;
  Findings findings = prepared.findings;
  const Findings notes = notes_of_files_elsewhere(prepared.setup.reach);
  findings.insert(findings.end(), notes.begin(), notes.end());
  tell_all(options, findings);
  RunOrigin origin = RunOrigin::here();
  origin.study = study.name;
  origin.texts = prepared.texts;
  origin.command = options.command;
  origin.seed = study.seed;
  if (study.read.snap) origin.options.push_back({"snap", concat(*study.read.snap)});
  if (study.bounds) {
    StudyBounds bounds = *study.bounds;
    bounds.root = std::filesystem::weakly_canonical(bounds.root.empty() ? study.folder() / "." : bounds.root);
    for (NamedText& option : to_options(bounds)) origin.options.push_back(std::move(option));
  }
  std::vector<NewTask> tasks;
  for (const NamedTask& task : study.tasks) tasks.push_back({task.name, std::string(kind_name(task.kind))});
  const std::string run = store.add_run(origin, tasks);
  if (!findings.empty()) store.add_log(run, findings);
  if (options.begun) options.begun(run);
  return Runner(study, prepared.setup, prepared.plans, store, run, options).execute();
}

RunReport resume_run(Store& store, std::string_view name, const RunOptions& options) {
  const std::string run = store.find(name);
  // What would be computed with a damaged text is not the run that was begun.
  if (const Findings damaged = store.damaged_texts(run); !damaged.empty()) {
    throw Error("run-incomplete", damaged.front().where,
                concat(damaged.front().message, " The run cannot go on; run the study again."));
  }
  const StoredRun stored = store.run(run);
  Findings findings;
  const StoredSources sources = stored_sources(stored, findings);
  store.take_over(run);  // not before it is known that the run can go on
  tell_all(options, findings);
  if (!findings.empty()) store.add_log(run, findings);
  if (options.begun) options.begun(run);
  return Runner(sources.study, sources.setup, {}, store, run, options).execute();
}

}  // namespace articula::study
