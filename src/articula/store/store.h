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

/// How far a task, or a run as a whole, has come.
enum class RunStatus { waiting, running, done, failed, interrupted };

ARTICULA_EXPORT std::string_view to_text(RunStatus status);

/// One column of a task's table. The first column is what the rows are ordered by, mostly the time: `t`, `s`.
struct StoredSignal {
  std::string name, unit;
  bool operator==(const StoredSignal&) const = default;
};

/// A text that a run was made from. `role` is study, model, include or table.
struct SourceText {
  std::string role, path, text;
  bool operator==(const SourceText&) const = default;
};

struct NamedText {
  std::string name, value;
  bool operator==(const NamedText&) const = default;
};

/// Where a run comes from: all that is needed to do it again.
struct RunOrigin {
  std::string study;  ///< its name
  std::vector<SourceText> texts;
  std::string version;  ///< of Articula
  std::string host;
  std::string command;  ///< as it was typed
  std::string created;  ///< 2026-01-31T12:00:00Z
  std::uint64_t seed = 0;
  std::vector<NamedText> options;
  bool operator==(const RunOrigin&) const = default;

  /// With the version, the host and the time of here and now.
  ARTICULA_EXPORT static RunOrigin here();
};

/// A task as a run is created with it.
struct NewTask {
  std::string name, kind;
};

enum class TaskId : std::int64_t {};

/// A figure about a task, such as `right-hand sides` 1924 or `real-time factor` 1200.
struct Count {
  std::string name;
  double value = 0;
  bool operator==(const Count&) const = default;
};

/// What became of one check of the study. Of a check with bounds, `expected` and `tolerance` are the middle and the half
/// width, or the only bound and 0.
struct CheckResult {
  std::string task, name, signal;
  double expected = 0, got = 0, tolerance = 0;
  bool pass = false;
  std::string message, reference;
  std::string unit = {};                         ///< of the numbers; empty for plain ones
  std::optional<double> lower = {}, upper = {};  ///< bounds, of a check that has them
  bool operator==(const CheckResult&) const = default;
};

struct StoredTask {
  TaskId id{};
  std::string name, kind;
  RunStatus status = RunStatus::waiting;
  std::string message;  ///< why it ended, where there is something to say
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
  std::string process;  ///< which process runs it, or ran it last, for people to read
  RunOrigin provenance;
  std::vector<StoredTask> tasks;
  std::vector<CheckResult> checks;
  Findings log;
  std::optional<Finding> damage;  ///< where what is above is not what was stored; in `log`, too

  /// Throws an Error that names the tasks there are.
  ARTICULA_EXPORT const StoredTask& task(std::string_view name) const;
};

/// Rows of a task, one after the other. If a block of rows is damaged, those before it are here, and `damage` says so.
struct StoredRows {
  std::int64_t first = 0;
  std::size_t columns = 0;
  std::vector<double> values;  ///< row by row
  std::optional<Finding> damage;

  std::size_t size() const { return columns == 0 ? 0 : values.size() / columns; }
  std::span<const double> row(std::size_t i) const { return {values.data() + i * columns, columns}; }
};

/// A point from which a task can go on: what the task wrote down there, and how many rows were complete at it.
struct Checkpoint {
  double t = 0;
  std::vector<std::byte> bytes;
  std::int64_t rows = 0;
};

class TaskWriter;

/// All runs of a folder in one SQLite file: what they were made from, their rows, checks, counts and log.
///
/// What was committed stays: rows are written in blocks, each in a transaction that is on the disk when it ends
/// (write-ahead log, synchronous=FULL), so that neither kill −9 nor a power cut takes them away. Each block and each
/// checkpoint carries a CRC-32C, so that damage is found. Several processes may use one store, and one Store may be
/// used by several threads. All functions throw an Error if the store cannot be read or written.
class ARTICULA_EXPORT Store {
 public:
  enum class Access {
    read,   ///< the file must be there; nothing in it is changed
    write,  ///< the file is made if it is not there, and brought to the newest version if it is older
  };
  struct Options {
    double commit_every = 0.5;               ///< seconds of wall time after which buffered rows are committed
    std::size_t commit_bytes = 1024 * 1024;  ///< or this many bytes of rows
    double wait_for_lock = 10;               ///< seconds, while another process writes
  };

  /// The version of the tables that this library writes. Older ones are migrated, newer ones refused.
  static constexpr int version = 4;
  static constexpr const char* default_name = "articula-runs.db";

  Store(const std::filesystem::path& file, Access access, const Options& options);
  explicit Store(const std::filesystem::path& file, Access access = Access::read);
  ~Store();
  Store(Store&&) noexcept;
  Store& operator=(Store&&) noexcept;

  const std::filesystem::path& file() const;

  // Runs ------------------------------------------------------------------------------------------------------------

  /// Stores a new run, all its tasks waiting, and returns its id: ten hexadecimal digits. The run belongs to this Store
  /// until its status is no longer running: nobody else can write it. The system lets go of it with the process.
  std::string add_run(const RunOrigin& provenance, std::span<const NewTask> tasks);

  /// A run that is not running belongs to nobody. Refused with `run-is-running` if another has it.
  void set_status(const std::string& run, RunStatus status);
  void set_checks(const std::string& run, std::span<const CheckResult> checks);  ///< in place of those there were
  void add_log(const std::string& run, const Findings& findings);
  void set_counts(TaskId task, std::span<const Count> counts);  ///< those of the same name are replaced

  /// Makes a stored run one of this Store again. Refused with `run-is-running` if another has it.
  /// Tasks that were running are then interrupted.
  void take_over(const std::string& run);

  /// Removes the run and all that belongs to it. Refused with `run-is-running` if another has it.
  void delete_run(const std::string& run);

  /// Newest first.
  std::vector<RunSummary> list() const;

  /// The whole id of the run that `id` names: an id, the beginning of just one, or `latest`.
  std::string find(std::string_view id) const;

  StoredRun run(std::string_view id) const;  ///< found as by find()

  // Rows ------------------------------------------------------------------------------------------------------------

  /// Begins a task, or goes on with it after resume(): its status is then running. Takes the run over if nobody has it.
  TaskWriter write(TaskId task);

  /// The last checkpoint before which every row is sound; the rows after it are removed, and a task that was done no
  /// longer is. None if there is no such checkpoint: all rows are then removed and the task begins anew.
  std::optional<Checkpoint> resume(TaskId task);

  std::vector<Checkpoint> checkpoints(TaskId task) const;  ///< the sound ones, in order

  StoredRows rows(TaskId task, std::int64_t first = 0, std::int64_t count = INT64_MAX) const;

  /// All sound values of one signal.
  std::vector<double> column(TaskId task, std::string_view signal) const;

  /// Block after block, for tables that are larger than the memory; returns the damage that ended it, if any.
  std::optional<Finding> each_block(TaskId task, const std::function<void(const StoredRows&)>& use) const;

  /// What is damaged in the whole store; empty if it is sound.
  Findings verify() const;

  /// Which texts of a run are damaged; empty if they are sound.
  Findings damaged_texts(const std::string& run) const;

 private:
  friend class TaskWriter;
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Writes the rows of one task. Rows are gathered and committed in blocks together with the newest checkpoint.
/// Must not outlive its Store. If a commit fails (a full disk), an Error is thrown and the rows stay gathered: flush()
/// may be tried again.
class ARTICULA_EXPORT TaskWriter {
 public:
  ~TaskWriter();  ///< tries to commit what is left
  TaskWriter(TaskWriter&&) noexcept;
  TaskWriter& operator=(TaskWriter&&) = delete;

  /// Must come before the first row. After a resume the same columns as before are asked for.
  void columns(std::span<const StoredSignal> signals);
  void row(std::span<const double> values);

  /// All rows until now belong to the time before `t`; `bytes` is what the task needs to go on from there.
  void checkpoint(double t, std::span<const std::byte> bytes);

  void flush();  ///< commits now
  void finish(RunStatus status, std::string_view message = {});

  std::int64_t rows() const;  ///< stored and gathered

 private:
  friend class Store;
  struct Impl;
  explicit TaskWriter(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

/// Saves what can be read of a damaged or truncated store in a new one at `to`, and says what was lost.
ARTICULA_EXPORT Findings salvage_store(const std::filesystem::path& from, const std::filesystem::path& to);

/// A name of this process for people to read: host, boot, number and time of start.
ARTICULA_EXPORT std::string this_process();

}  // namespace articula::store
