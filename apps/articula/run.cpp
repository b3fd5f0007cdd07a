/// `articula run`: computes a study into a store; `articula runs resume` continues one.

#include <array>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdint>
#include <limits>

#include <fmt/core.h>

#include <articula/base/text.h>
#include <articula/study/run.h>
#include <articula/study/study_reader.h>

#include "command.h"
#include "runs.h"
#include "untrusted.h"

namespace articula::program {
namespace {

std::atomic<bool> stop_wanted = false;
std::atomic<std::int64_t> stop_wanted_at = 0;  ///< nanoseconds
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<std::int64_t>::is_always_lock_free);

/// The first signal ends the run after the current step and keeps all results; the second one ends the program at once.
/// A signal within half a second counts as the first: `timeout` signals the program and then the whole group.
extern "C" void want_stop(int signal) {
  const std::int64_t now = std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count();
  if (!stop_wanted.exchange(true)) {
    stop_wanted_at = now;
  } else if (now - stop_wanted_at > 500'000'000) {
    std::signal(signal, SIG_DFL);
    std::raise(signal);
  }
}

/// Handles stop signals during its lifetime.
class StopSignals {
 public:
  StopSignals() {
    stop_wanted = false;
    stop_wanted_at = std::numeric_limits<std::int64_t>::max();  // until the handler sets the time
    for (std::size_t k = 0; k < signals.size(); ++k) before_[k] = std::signal(signals[k], want_stop);
    if (before_.back() == SIG_IGN) std::signal(SIGHUP, SIG_IGN);  // for nohup
  }
  ~StopSignals() {
    if (stop_wanted) return;  // the program is ending, and output is still to be written
    for (std::size_t k = 0; k < signals.size(); ++k) std::signal(signals[k], before_[k]);
  }
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

 private:
  static constexpr std::array<int, 3> signals{SIGINT, SIGTERM, SIGHUP};
  std::array<void (*)(int), 3> before_{};
};

/// `3 s`, `2 min 10 s`, `1 h 5 min`.
std::string duration_text(double seconds) {
  const auto whole = static_cast<long>(std::ceil(seconds));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60);
}

/// A line on a terminal that is overwritten: the progress of the task, and the estimated remaining time.
class ProgressLine {
 public:
  void show(const RunProgress& now) {
    const auto time = std::chrono::steady_clock::now();
    if (now.place != place_ || first_) {
      begin_ = time;
      from_ = now.fraction;
      place_ = now.place;
    } else if (time - last_ < std::chrono::milliseconds(100)) {
      return;
    }
    first_ = false;
    last_ = time;
    const double spent = std::chrono::duration<double>(time - begin_).count(), done = now.fraction - from_;
    const std::string left =
        done > 0.01 && spent > 0.5 ? ", " + duration_text(spent / done * (1 - now.fraction)) + " left" : "";
    show_progress(
        fmt::format("[{}/{}] {}: {:.0f} %{}", now.place + 1, now.tasks, quoted(now.task), 100 * now.fraction, left));
    shown_ = true;
  }

  void clear() {
    if (shown_) show_progress("");
    shown_ = false;
  }

 private:
  bool shown_ = false, first_ = true;
  std::size_t place_ = 0;
  double from_ = 0;
  std::chrono::steady_clock::time_point begin_{}, last_{};
};

/// Prints; the run continues if its messages cannot be printed.
template <class... Arguments>
void print(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  put_if_possible(fmt::format(format, std::forward<Arguments>(arguments)...));
}

std::string_view ending(RunStatus status) {
  switch (status) {
    case RunStatus::done: return "done";
    case RunStatus::failed: return "failed";
    case RunStatus::interrupted: return "interrupted";
    case RunStatus::waiting:
    case RunStatus::running: break;
  }
  return "not done";
}

/// `motion (simulate): done, 1401 rows, 0.013 s, 1080 times faster than real time`
void print_task(const TaskReport& task) {
  std::string line = fmt::format("{} ({}): {}", plain(task.name), task.kind, ending(task.outcome.status));
  if (task.was_done) {
    line += fmt::format(" before, {} rows", task.rows);
  } else {
    line += fmt::format(", {} rows, {:.3g} s", task.rows, task.seconds);
    if (const auto factor = task.real_time_factor()) {
      line += *factor >= 1 ? fmt::format(", {:.0f} times faster than real time", *factor)
                           : fmt::format(", {:.3g} times real time", *factor);
    }
  }
  if (!task.outcome.message.empty()) line += ": " + task.outcome.message;
  print("{}\n{}", line, task.outcome.text);
}

void print_checks(const RunReport& report) {
  long failed = 0, skipped = 0;
  for (const Verdict& check : report.checks) {
    const char* word = check.skipped ? "skip" : check.result.pass ? "pass" : "FAIL";
    failed += !check.skipped && !check.result.pass ? 1 : 0;
    skipped += check.skipped ? 1 : 0;
    print("{}  {}: {}{}\n", word, plain(check.result.name), check.result.message,
          check.result.reference.empty() ? "" : "  (" + plain(check.result.reference) + ")");
  }
  if (report.checks.empty()) return;
  const auto all = static_cast<long>(report.checks.size());
  print("{} of {} checks passed{}\n", all - failed - skipped, all - skipped,
        skipped > 0 ? fmt::format(", {} skipped", skipped) : "");
}

int exit_code(const RunReport& report) {
  if (report.status == RunStatus::failed) return numerical_failure;
  if (report.status == RunStatus::interrupted) return interrupted;
  for (const Verdict& check : report.checks) {
    if (!check.skipped && !check.result.pass) return negative_finding;
  }
  return done;
}

/// ` --store FILE`, unless it is the default.
std::string store_option(const std::filesystem::path& store) {
  return store == Store::default_name ? "" : " --store " + store.string();
}

void print_end(const RunReport& report, const std::filesystem::path& store) {
  const std::string option = store_option(store);
  print("run {} is in {}\n", report.run, store.string());
  if (report.status == RunStatus::interrupted) {
    say("interrupted: all rows until now are kept. Go on with: articula runs resume {}{}\n", report.run, option);
  } else {
    print("for a page with plots: articula report {}{}\n", report.run, option);
  }
}

template <class Compute>
int follow(const std::filesystem::path& store, const std::string& command, Compute&& compute) {
  const StopSignals signals;
  const PoliteEnd end(stop_wanted);
  ProgressLine progress;
  RunOptions options;
  options.command = command;
  options.cancel = &stop_wanted;
  options.progress = [&](const RunProgress& now) { progress.show(now); };
  options.task_done = [&](const TaskReport& task) {
    progress.clear();
    print_task(task);
  };
  options.tell = [&](const Finding& finding) {
    progress.clear();
    tell({finding});
  };
  const RunReport report = compute(options);
  progress.clear();
  tell_of_time();
  print_checks(report);
  print_end(report, store);
  return exit_code(report);
}

}  // namespace

int run_study_file(const std::filesystem::path& file, const std::filesystem::path& store_file,
                   std::optional<double> snap, const std::optional<StudyBounds>& bounds) {
  begin_bounds(bounds);
  Findings findings;
  Study study = load_study(file, findings);
  if (snap) study.read.snap = snap;
  study.bounds = bounds;
  tell(findings);
  // All errors that can be found before computing are found before the store is made.
  const PreparedStudy prepared = prepare_study(study);
  if (has_errors(prepared.findings)) {
    tell(prepared.findings);
    tell(notes_of_files_elsewhere(prepared.setup.reach));
    return bad_input;
  }
  Store store(store_file, Store::Access::write);
  const std::string command = concat("articula run ", file.string(), snap ? concat(" --snap ", *snap) : "",
                                     bounds ? " --untrusted" : "", store_option(store_file));
  return follow(store_file, command, [&](const RunOptions& options) { return run_study(prepared, store, options); });
}

int resume_run(const std::filesystem::path& store_file, const std::string& run) {
  Store store(store_file, Store::Access::write);
  begin_bounds(bounds_of(store.run(store.find(run)).provenance));
  return follow(store_file, "",
                [&](const RunOptions& options) { return articula::study::resume_run(store, run, options); });
}

void add_run(const Command& app, int& code) {
  struct Options {
    std::string study, store = Store::default_name;
    std::optional<double> snap;
    UntrustedOptions untrusted;
  };
  auto options = std::make_shared<Options>();
  const Command command = app.add("run", "Compute a study: all its tasks and checks, kept in a store");
  command.text("STUDY", options->study, "The study, YAML").required();
  command.text("--store", options->store, concat("Where runs are kept; ", Store::default_name, " if not said"))
      .shown_as("FILE");
  add_snap_option(command, options->snap);
  add_untrusted_options(command, options->untrusted);
  command.footer(
      "Ends with 1 if a check failed, with 4 after numerical trouble, with 130 if it was interrupted; rows are kept "
      "then.\n"
      "docs/studies.md has the form of studies.");
  command.runs([options, &code] {
    code = run_study_file(options->study, options->store, options->snap, options->untrusted.chosen());
  });
}

}  // namespace articula::program
