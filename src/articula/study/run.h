#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <articula/base/export.h>
#include <articula/store/store.h>
#include <articula/study/checks.h>
#include <articula/study/prepare.h>
#include <articula/study/study.h>

namespace articula::study {

/// The outcome of one task of a run.
struct TaskReport {
  std::string name, kind;
  TaskOutcome outcome;
  std::int64_t rows = 0;
  double seconds = 0;     ///< of wall time, of this call
  bool was_done = false;  ///< it was finished before, and nothing was computed now

  /// Simulated time over all wall time of the task, with its set-up and the writing of its rows; nothing if it does not
  /// simulate.
  std::optional<double> real_time_factor() const {
    return outcome.simulated > 0 && seconds > 0 ? std::optional(outcome.simulated / seconds) : std::nullopt;
  }
};

/// The progress of a run.
struct RunProgress {
  std::string_view task;
  std::size_t place = 0, tasks = 0;  ///< the how many-th task, counted from 0, of how many
  double fraction = 0;               ///< of this task
};

struct RunOptions {
  std::string command;  ///< as it was typed, for the store
  /// Set from elsewhere, e.g. by a signal handler, to end the run after the current step. May be null.
  const std::atomic<bool>* cancel = nullptr;
  std::function<void(const std::string& run)> begun;
  std::function<void(const RunProgress&)> progress;
  std::function<void(const TaskReport&)> task_done;
  std::function<void(const Finding&)> tell;
};

struct RunReport {
  std::string run;  ///< its id in the store
  RunStatus status = RunStatus::done;
  std::vector<TaskReport> tasks;
  std::vector<Verdict> checks;  ///< in the order of the study; none if the run was interrupted
};

/// Computes all tasks of a study and keeps everything in the store: rows as they come, figures, checks, and the texts
/// of study, model and tables, so that it can be done again. Throws an Error with everything that `prepare_study` finds
/// wrong, before anything is stored; numerical trouble and a wish to stop are in the report.
ARTICULA_EXPORT RunReport run_study(const Study& study, Store& store, const RunOptions& options = {});
/// The same, of one that was prepared. @pre it has no errors
ARTICULA_EXPORT RunReport run_study(const PreparedStudy& prepared, Store& store, const RunOptions& options = {});

/// Goes on with a run that was interrupted or killed, from its last checkpoints and from the texts that are stored with
/// it, even if the files have changed. Its rows are then bit-identical to those of an uninterrupted run.
ARTICULA_EXPORT RunReport resume_run(Store& store, std::string_view run, const RunOptions& options = {});

}  // namespace articula::study
