#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <articula/base/error.h>
#include <articula/base/export.h>

namespace articula::store {

/// The status of a task, or of a whole run.
enum class RunStatus { waiting, running, done, failed, interrupted };

ARTICULA_EXPORT std::string_view to_text(RunStatus status);

/// One column of a task's table. Rows are sorted by the first column, mostly time: `t`, `s`.
struct StoredSignal {
  std::string name, unit;
  bool operator==(const StoredSignal&) const = default;
};

/// A source text of a run. `role` is study, model, include or table.
struct SourceText {
  std::string role, path, text;
  bool operator==(const SourceText&) const = default;
};

struct NamedText {
  std::string name, value;
  bool operator==(const NamedText&) const = default;
};

/// The provenance of a run: everything that is needed to repeat it.
struct RunOrigin {
  std::string study;  ///< its name
  std::vector<SourceText> texts;
  std::string version;  ///< of Articula
  std::string host;
  std::string command;  ///< as typed
  std::string created;  ///< 2026-01-31T12:00:00Z
  std::uint64_t seed = 0;
  std::vector<NamedText> options;
  bool operator==(const RunOrigin&) const = default;

  /// With the version, the host and the current time.
  ARTICULA_EXPORT static RunOrigin here();
};

/// A task of a new run.
struct NewTask {
  std::string name, kind;
};

enum class TaskId : std::int64_t {};

/// A statistic of a task, such as `right-hand sides` 1924 or `real-time factor` 1200.
struct Count {
  std::string name;
  double value = 0;
  bool operator==(const Count&) const = default;
};

/// The result of one check of the study. For a check with bounds, `expected` and `tolerance` are the middle and half
/// the width, or the only bound and 0.
struct CheckResult {
  std::string task, name, signal;
  double expected = 0, got = 0, tolerance = 0;
  bool pass = false;
  std::string message, reference;
  std::string unit = {};                         ///< of the numbers; empty for dimensionless ones
  std::optional<double> lower = {}, upper = {};  ///< of a check with bounds
  bool operator==(const CheckResult&) const = default;
};

struct StoredTask {
  TaskId id{};
  std::string name, kind;
  RunStatus status = RunStatus::waiting;
  std::string message;  ///< why it ended, if there is a reason
  std::vector<StoredSignal> signals;
  std::int64_t rows = 0;
  std::vector<Count> counts;
};

/// One line of `articula runs list`.
struct RunSummary {
  std::string id, study, created;
  RunStatus status = RunStatus::waiting;
  std::int64_t tasks = 0, rows = 0, checks_passed = 0, checks_failed = 0;
};

struct StoredRun {
  std::string id;
  RunStatus status = RunStatus::waiting;
  std::string process;  ///< the process that runs it, or ran it last; for messages
  RunOrigin provenance;
  std::vector<StoredTask> tasks;
  std::vector<CheckResult> checks;
  Findings log;
  std::optional<Finding> damage;  ///< if the data above differ from the stored data; also in `log`

  /// Throws an Error that lists the tasks.
  ARTICULA_EXPORT const StoredTask& task(std::string_view name) const;
};

/// Consecutive rows of a task. If a block of rows is damaged, only the rows before it, and `damage` describes it.
struct StoredRows {
  std::int64_t first = 0;
  std::size_t columns = 0;
  std::vector<double> values;  ///< row-major
  std::optional<Finding> damage;

  std::size_t size() const { return columns == 0 ? 0 : values.size() / columns; }
  std::span<const double> row(std::size_t i) const { return {values.data() + i * columns, columns}; }
};

/// A point from which a task can continue: the state that the task stored, and the number of complete rows.
struct Checkpoint {
  double t = 0;
  std::vector<std::byte> bytes;
  std::int64_t rows = 0;
};

class TaskWriter;

/// All runs of a folder in one SQLite file: their source texts, rows, checks, counts and log.
///
/// Committed data are durable: rows are written in blocks, each in a transaction that is on the disk when it returns
/// (write-ahead log, synchronous=FULL), so that they survive kill −9 and a power cut. Each block and each checkpoint
/// has a CRC-32C, so that damage is detected. Several processes may use one store, and several threads may use one
/// Store. All functions throw an Error if the store cannot be read or written.
class ARTICULA_EXPORT Store {
 public:
  enum class Access {
    read,   ///< the file must exist; it is not changed
    write,  ///< the file is made if it does not exist, and upgraded to the newest version if it is older
  };
  struct Options {
    double commit_every = 0.5;               ///< seconds of wall time after which buffered rows are committed
    std::size_t commit_bytes = 1024 * 1024;  ///< or this many bytes of rows
    double wait_for_lock = 10;               ///< seconds, while another process writes
  };

  /// The version of the tables that this library writes. Older versions are migrated, newer ones are refused.
  static constexpr int version = 4;
  static constexpr const char* default_name = "articula-runs.db";

  Store(const std::filesystem::path& file, Access access, const Options& options);
  explicit Store(const std::filesystem::path& file, Access access = Access::read);
  ~Store();
  Store(Store&&) noexcept;
  Store& operator=(Store&&) noexcept;

  const std::filesystem::path& file() const;

  // Runs ------------------------------------------------------------------------------------------------------------

  /// Stores a new run with all tasks waiting, and returns its id: ten hexadecimal digits. The run belongs to this Store
  /// until its status is no longer running: no other Store can write it. The system releases it when the process ends.
  std::string add_run(const RunOrigin& provenance, std::span<const NewTask> tasks);

  /// A run that is not running belongs to no Store. Refused with `run-is-running` if another Store has it.
  void set_status(const std::string& run, RunStatus status);
  void set_checks(const std::string& run, std::span<const CheckResult> checks);  ///< replaces earlier checks
  void add_log(const std::string& run, const Findings& findings);
  void set_counts(TaskId task, std::span<const Count> counts);  ///< replaces counts with the same name

  /// Makes a stored run belong to this Store. Refused with `run-is-running` if another Store has it. Tasks that were
  /// running become interrupted.
  void take_over(const std::string& run);

  /// Removes the run with all its data. Refused with `run-is-running` if another Store has it.
  void delete_run(const std::string& run);

  /// Newest first.
  std::vector<RunSummary> list() const;

  /// The complete id of a run; `id` is an id, a prefix that is unique, or `latest`.
  std::string find(std::string_view id) const;

  StoredRun run(std::string_view id) const;  ///< `id` as in find()

  // Rows ------------------------------------------------------------------------------------------------------------

  /// Begins a task, or continues it after resume(): its status becomes running. Takes the run over if no Store has it.
  TaskWriter write(TaskId task);

  /// The last checkpoint before which every row is sound. Rows after it are removed, and a task that was done becomes
  /// unfinished. Empty if there is no such checkpoint: all rows are removed and the task restarts.
  std::optional<Checkpoint> resume(TaskId task);

  std::vector<Checkpoint> checkpoints(TaskId task) const;  ///< the sound ones, in order

  StoredRows rows(TaskId task, std::int64_t first = 0, std::int64_t count = INT64_MAX) const;

  /// All sound values of one signal.
  std::vector<double> column(TaskId task, std::string_view signal) const;

  /// Calls `use` for block after block, for tables that are larger than memory; returns the damage that ended it, if
  /// any.
  std::optional<Finding> each_block(TaskId task, const std::function<void(const StoredRows&)>& use) const;

  /// All damage in the store; empty if it is sound.
  Findings verify() const;

  /// The damaged texts of a run; empty if they are sound.
  Findings damaged_texts(const std::string& run) const;

 private:
  friend class TaskWriter;
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Writes the rows of one task. Rows are buffered and committed in blocks together with the newest checkpoint. It must
/// not outlive its Store. If a commit fails (for example, if the disk is full), an Error is thrown and the rows stay
/// buffered: flush() may be retried.
class ARTICULA_EXPORT TaskWriter {
 public:
  ~TaskWriter();  ///< tries to commit buffered rows
  TaskWriter(TaskWriter&&) noexcept;
  TaskWriter& operator=(TaskWriter&&) = delete;

  /// Must be called before the first row. After a resume, the columns must be the same as before.
  void columns(std::span<const StoredSignal> signals);
  void row(std::span<const double> values);

  /// All rows so far belong to times before `t`; `bytes` is the state from which the task can continue.
  void checkpoint(double t, std::span<const std::byte> bytes);

  void flush();  ///< commits now
  void finish(RunStatus status, std::string_view message = {});

  std::int64_t rows() const;  ///< stored and buffered

 private:
  friend class Store;
  struct Impl;
  explicit TaskWriter(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

/// Copies the readable part of a damaged or truncated store to a new one at `to`, and reports what was lost.
ARTICULA_EXPORT Findings salvage_store(const std::filesystem::path& from, const std::filesystem::path& to);

/// A description of this process for messages: host, boot, number and time of start.
ARTICULA_EXPORT std::string this_process();

}  // namespace articula::store
