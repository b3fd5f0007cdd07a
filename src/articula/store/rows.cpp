// Rows of tasks: written in blocks, read up to the first damage, truncated at a checkpoint.

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include <articula/base/text.h>

#include <articula/text/internal/crc.h>
#include "internal/description.h"
#include "internal/store_impl.h"

namespace articula::store {

static_assert(std::endian::native == std::endian::little, "blocks of rows hold little-endian doubles");

namespace {

using Clock = std::chrono::steady_clock;

std::int64_t number(TaskId task) { return static_cast<std::int64_t>(task); }

/// Maximum number of columns of a task; a larger number is damage.
constexpr std::int64_t most_columns = 1 << 24;

void insert_block(const Database& database, TaskId task, std::int64_t first, std::int64_t columns,
                  std::span<const double> values) {
  const std::int64_t rows = static_cast<std::int64_t>(values.size()) / columns;
  const std::span<const std::byte> data = std::as_bytes(values);
  Statement(database, "INSERT INTO blocks(task, first, rows, columns, crc, data) VALUES(?, ?, ?, ?, ?, ?)")
      .bind(number(task))
      .bind(first)
      .bind(rows)
      .bind(columns)
      .bind(std::int64_t{block_crc(number(task), first, rows, columns, data)})
      .bind(data)
      .run();
}

std::vector<StoredSignal> read_signals(const Database& database, TaskId task) {
  std::vector<StoredSignal> signals;
  Statement query(database, "SELECT name, unit FROM signals WHERE task = ? ORDER BY id");
  for (query.bind(number(task)); query.step();) signals.push_back({query.text(0), query.text(1)});
  return signals;
}

std::vector<Checkpoint> read_checkpoints(const Database& database, TaskId task) {
  std::vector<Checkpoint> found;
  Statement query(database, "SELECT t, rows, crc, bytes FROM checkpoints WHERE task = ? ORDER BY id");
  for (query.bind(number(task)); query.step();) {
    const std::span<const std::byte> bytes = query.bytes(3);
    const double t = query.real(0);
    const std::int64_t rows = query.integer(1);
    if (checkpoint_crc(number(task), t, rows, bytes) != query.integer(2)) continue;
    found.push_back({t, {bytes.begin(), bytes.end()}, rows});
  }
  return found;
}

/// For one run, or for all.
Findings read_damaged_texts(const Database& database, std::optional<std::int64_t> run) {
  Findings found;
  Statement texts(database,
                  "SELECT t.path, t.crc, t.text, r.name FROM texts t JOIN runs r ON r.id = t.run"
                  " WHERE r.id = ?1 OR ?1 < 0");
  for (texts.bind(run.value_or(-1)); texts.step();) {
    if (text_crc(texts.text(2)) == texts.integer(1)) continue;
    found.push_back({Severity::warning,
                     "store-damaged",
                     {database.file().string(), 0},
                     concat("run ", texts.text(3), ": the stored text of ", quoted(texts.text(0)), " is damaged.")});
  }
  return found;
}

Finding damage_at(const Database& database, TaskId task, std::int64_t row) {
  Statement query(database, "SELECT t.name, r.name FROM tasks t JOIN runs r ON r.id = t.run WHERE t.id = ?");
  const bool named = query.bind(number(task)).step();
  return {Severity::warning,
          "rows-damaged",
          {database.file().string(), 0},
          concat("run ", named ? query.text(1) : "", ", task ", quoted(named ? query.text(0) : ""),
                 ": the rows from number ", row, " on are damaged, or missing. The ", row,
                 " rows before are sound. Resume the run to compute the rest again.")};
}

}  // namespace

std::uint32_t block_crc(std::int64_t task, std::int64_t first, std::int64_t rows, std::int64_t columns,
                        std::span<const std::byte> data) {
  const std::array head{task, first, rows, columns};
  return Crc32c().add(std::as_bytes(std::span(head))).add(data).value();
}

std::uint32_t checkpoint_crc(std::int64_t task, double t, std::int64_t rows, std::span<const std::byte> bytes) {
  const std::array head{task, std::bit_cast<std::int64_t>(t == 0 ? 0.0 : t), rows};  // SQLite keeps no sign of zero
  return Crc32c().add(std::as_bytes(std::span(head))).add(bytes).value();
}

// Reading ----------------------------------------------------------------------------------------------------------

std::optional<Finding> each_sound_block(const Database& database, TaskId task, std::int64_t from, std::int64_t to,
                                        const std::function<void(const StoredRows&)>& use) {
  std::int64_t next = -1;
  try {
    // Kept open, so that all further reads see the same snapshot.
    Statement recorded(database, database.integer("PRAGMA user_version") < 4
                                     ? "SELECT (SELECT coalesce(max(rows), 0) FROM checkpoints WHERE task = ?1),"
                                       " (SELECT count(*) FROM signals WHERE task = ?1)"
                                     : "SELECT rows, (SELECT count(*) FROM signals WHERE task = ?1) FROM tasks"
                                       " WHERE id = ?1");
    const bool known = recorded.bind(number(task)).step();
    const std::int64_t end = known ? recorded.integer(0) : 0, signals = known ? recorded.integer(1) : 0;
    Statement query(database,
                    "SELECT first, rows, columns, crc, data FROM blocks"
                    " WHERE task = ?1 AND first + rows > ?2 AND first < ?3 ORDER BY first");
    StoredRows block;
    for (query.bind(number(task)).bind(from).bind(to); query.step();) {
      const std::int64_t first = query.integer(0), rows = query.integer(1), columns = query.integer(2);
      const std::span<const std::byte> data = query.bytes(4);
      if (next < 0) next = from <= 0 ? 0 : std::min(first, from);
      const bool sound =
          first == next && rows > 0 && columns > 0 && columns < most_columns && columns == signals &&
          data.size() % (sizeof(double) * static_cast<std::size_t>(columns)) == 0 &&
          data.size() / (sizeof(double) * static_cast<std::size_t>(columns)) == static_cast<std::size_t>(rows) &&
          block_crc(number(task), first, rows, columns, data) == query.integer(3);
      if (!sound) return damage_at(database, task, next);
      block.first = first;
      block.columns = static_cast<std::size_t>(columns);
      block.values.resize(data.size() / sizeof(double));
      std::memcpy(block.values.data(), data.data(), data.size());
      use(block);
      next = first + rows;
    }
    const std::int64_t reached = next < 0 ? std::max<std::int64_t>(from, 0) : next;
    if (reached < std::min(to, end)) return damage_at(database, task, reached);
  } catch (const Error& error) {
    if (error.code() != "store-damaged") throw;
    return damage_at(database, task, std::max<std::int64_t>(next, 0));
  }
  return std::nullopt;
}

std::optional<Finding> Store::each_block(TaskId task, const std::function<void(const StoredRows&)>& use) const {
  const StoreLock lock(impl_->mutex);
  return each_sound_block(impl_->database, task, 0, INT64_MAX, use);
}

StoredRows Store::rows(TaskId task, std::int64_t first, std::int64_t count) const {
  const StoreLock lock(impl_->mutex);
  StoredRows found;
  found.first = std::max<std::int64_t>(first, 0);
  const std::int64_t end = count > INT64_MAX - found.first ? INT64_MAX : found.first + std::max<std::int64_t>(count, 0);
  found.columns = read_signals(impl_->database, task).size();
  found.damage = each_sound_block(impl_->database, task, found.first, end, [&](const StoredRows& block) {
    const std::int64_t size = static_cast<std::int64_t>(block.size());
    const std::int64_t from = std::clamp<std::int64_t>(found.first - block.first, 0, size);
    const std::int64_t to = std::clamp<std::int64_t>(end - block.first, from, size);
    const auto at = [&](std::int64_t row) {
      return block.values.begin() + static_cast<std::ptrdiff_t>(block.columns) * row;
    };
    found.columns = block.columns;
    found.values.insert(found.values.end(), at(from), at(to));
  });
  return found;
}

std::vector<double> Store::column(TaskId task, std::string_view signal) const {
  const StoreLock lock(impl_->mutex);
  const std::vector<StoredSignal> signals = read_signals(impl_->database, task);
  const auto found = std::find_if(signals.begin(), signals.end(), [&](const auto& s) { return s.name == signal; });
  if (found == signals.end()) {
    std::vector<std::string> names;
    for (const StoredSignal& s : signals) names.push_back(s.name);
    throw Error("no-such-signal", {file().string(), 0},
                concat("signal ", quoted(signal), " not found.", choices(signal, "Signals", names)));
  }
  const std::size_t k = static_cast<std::size_t>(found - signals.begin());
  std::vector<double> values;
  each_sound_block(impl_->database, task, 0, INT64_MAX, [&](const StoredRows& block) {
    for (std::size_t i = 0; k < block.columns && i < block.size(); ++i) values.push_back(block.row(i)[k]);
  });
  return values;
}

std::vector<Checkpoint> Store::checkpoints(TaskId task) const {
  const StoreLock lock(impl_->mutex);
  return read_checkpoints(impl_->database, task);
}

Findings Store::damaged_texts(const std::string& run) const {
  const StoreLock lock(impl_->mutex);
  return read_damaged_texts(impl_->database, impl_->key(run));
}

Findings Store::verify() const {
  const StoreLock lock(impl_->mutex);
  const Database& database = impl_->database;
  Findings found;
  const Where where{file().string(), 0};
  const auto add = [&](std::string what) { found.push_back({Severity::warning, "store-damaged", where, what}); };
  try {
    Statement structure(database, "PRAGMA integrity_check(10)");
    while (structure.step()) {
      if (structure.text(0) != "ok") add(concat("the file is damaged: ", structure.text(0), "."));
    }
    const Findings texts = read_damaged_texts(database, std::nullopt);
    found.insert(found.end(), texts.begin(), texts.end());
    std::vector<std::int64_t> runs;
    for (Statement query(database, "SELECT id FROM runs"); query.step();) runs.push_back(query.integer(0));
    for (const std::int64_t run : runs) {
      if (const auto damage = damaged_description(database, run)) found.push_back(*damage);
    }
    std::vector<TaskId> tasks;
    for (Statement query(database, "SELECT id FROM tasks"); query.step();) tasks.push_back(TaskId{query.integer(0)});
    for (const TaskId task : tasks) {
      if (const auto damage = each_sound_block(database, task, 0, INT64_MAX, [](const StoredRows&) {})) {
        found.push_back(*damage);
      }
      Statement query(database, "SELECT count(*) FROM checkpoints WHERE task = ?");
      query.bind(number(task)).step();
      const std::int64_t lost = query.integer(0) - static_cast<std::int64_t>(read_checkpoints(database, task).size());
      if (lost > 0) add(concat("task ", number(task), ": ", lost, " checkpoint(s) are damaged."));
    }
  } catch (const Error& error) {
    if (error.code() != "store-damaged") throw;
    found.insert(found.end(), error.errors().begin(), error.errors().end());
  }
  return found;
}

// Going on ---------------------------------------------------------------------------------------------------------

std::optional<Checkpoint> Store::resume(TaskId task) {
  const StoreLock lock(impl_->mutex);
  const Database& database = impl_->database;
  const std::string run = impl_->name_of_run(task);
  impl_->take(run, "resumed");
  Transaction transaction(database);
  unseal_description(database, impl_->key(run));
  std::int64_t sound = 0;
  each_sound_block(database, task, 0, INT64_MAX,
                   [&](const StoredRows& block) { sound = block.first + static_cast<std::int64_t>(block.size()); });
  std::optional<Checkpoint> last;
  for (Checkpoint& checkpoint : read_checkpoints(database, task)) {
    if (checkpoint.rows <= sound) last = std::move(checkpoint);
  }
  const std::int64_t keep = last ? last->rows : 0;
  // The block that contains the checkpoint is rewritten up to the checkpoint.
  Statement straddling(database, "SELECT first FROM blocks WHERE task = ? AND first < ? AND first + rows > ?");
  std::optional<std::int64_t> first;
  if (straddling.bind(number(task)).bind(keep).bind(keep).step()) first = straddling.integer(0);
  straddling.run();
  const StoredRows kept = first ? rows(task, *first, keep - *first) : StoredRows();
  Statement(database, "DELETE FROM blocks WHERE task = ? AND (first >= ? OR first + rows > ?)")
      .bind(number(task))
      .bind(keep)
      .bind(keep)
      .run();
  if (first) insert_block(database, task, *first, static_cast<std::int64_t>(kept.columns), kept.values);
  Statement(database, "DELETE FROM checkpoints WHERE task = ? AND rows > ?").bind(number(task)).bind(keep).run();
  if (!last) Statement(database, "DELETE FROM checkpoints WHERE task = ?").bind(number(task)).run();
  // Without rows, signals may be damaged, too; the task declares them again.
  if (keep == 0) Statement(database, "DELETE FROM signals WHERE task = ?").bind(number(task)).run();
  Statement(database, "UPDATE tasks SET rows = ?1, status = iif(status = ?2, ?3, status) WHERE id = ?4")
      .bind(keep)
      .bind(number(RunStatus::done))
      .bind(number(RunStatus::interrupted))
      .bind(number(task))
      .run();
  impl_->commit(transaction);
  return last;
}

// Writing ----------------------------------------------------------------------------------------------------------

struct TaskWriter::Impl {
  Store::Impl& store;
  TaskId task;
  std::string run;
  std::vector<StoredSignal> signals;
  bool begun = false, new_signals = false, finished = false;
  std::int64_t first = 0;  ///< number of stored rows
  std::vector<double> buffered;
  std::optional<Checkpoint> checkpoint;
  Clock::time_point committed = Clock::now();

  std::int64_t rows() const {
    return first + (signals.empty() ? 0 : static_cast<std::int64_t>(buffered.size() / signals.size()));
  }
  bool is_time() const {
    return buffered.size() * sizeof(double) >= store.options.commit_bytes ||
           std::chrono::duration<double>(Clock::now() - committed).count() >= store.options.commit_every;
  }
  void commit(std::optional<RunStatus> status, std::string_view message);
};

/// Commits rows, the newest checkpoint and the status together: one append to the log and one wait for the disk.
void TaskWriter::Impl::commit(std::optional<RunStatus> status, std::string_view message) {
  const StoreLock lock(store.mutex);
  const Database& database = store.database;
  store.take(run, "written");
  Transaction transaction(database);
  if (new_signals) {
    Statement insert(database, "INSERT INTO signals(task, name, unit) VALUES(?, ?, ?)");
    for (const StoredSignal& s : signals) insert.bind(number(task)).bind(s.name).bind(s.unit).run();
  }
  if (!buffered.empty()) insert_block(database, task, first, static_cast<std::int64_t>(signals.size()), buffered);
  if (checkpoint) {
    Statement(database, "INSERT INTO checkpoints(task, t, rows, crc, bytes) VALUES(?, ?, ?, ?, ?)")
        .bind(number(task))
        .bind(checkpoint->t)
        .bind(checkpoint->rows)
        .bind(std::int64_t{checkpoint_crc(number(task), checkpoint->t, checkpoint->rows, checkpoint->bytes)})
        .bind(checkpoint->bytes)
        .run();
  }
  Statement(database, "UPDATE tasks SET rows = ? WHERE id = ?").bind(rows()).bind(number(task)).run();
  if (!begun || status) {
    unseal_description(database, store.key(run));
    Statement(database, "UPDATE tasks SET status = ?, message = ? WHERE id = ?")
        .bind(number(status.value_or(RunStatus::running)))
        .bind(message)
        .bind(number(task))
        .run();
  }
  store.commit(transaction);
  begun = true, new_signals = false;
  first = rows();
  buffered.clear();
  checkpoint.reset();
  committed = Clock::now();
}

TaskWriter Store::write(TaskId task) {
  const StoreLock lock(impl_->mutex);
  auto writer = std::unique_ptr<TaskWriter::Impl>(
      new TaskWriter::Impl{*impl_, task, impl_->name_of_run(task), {}, false, false, false, 0, {}, {}, Clock::now()});
  impl_->take(writer->run, "written");
  writer->signals = read_signals(impl_->database, task);
  Statement query(impl_->database, "SELECT coalesce(max(first + rows), 0) FROM blocks WHERE task = ?");
  if (query.bind(number(task)).step()) writer->first = query.integer(0);
  return TaskWriter(std::move(writer));
}

TaskWriter::TaskWriter(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
TaskWriter::TaskWriter(TaskWriter&&) noexcept = default;

TaskWriter::~TaskWriter() {
  if (impl_ == nullptr || impl_->finished || (impl_->buffered.empty() && !impl_->checkpoint)) return;
  try {
    impl_->commit(std::nullopt, {});
  } catch (const std::exception&) {
    // Callers that need to know call flush() or finish().
  }
}

void TaskWriter::columns(std::span<const StoredSignal> signals) {
  if (impl_->signals.empty()) {
    impl_->signals.assign(signals.begin(), signals.end());
    impl_->new_signals = true;
    return;
  }
  if (std::equal(signals.begin(), signals.end(), impl_->signals.begin(), impl_->signals.end())) return;
  std::vector<std::string> stored, given;
  for (const StoredSignal& s : impl_->signals) stored.push_back(s.name);
  for (const StoredSignal& s : signals) given.push_back(s.name);
  throw Error("run-changed", {impl_->store.database.file().string(), 0},
              concat("the task has the signals ", list_of(given), ", but stored are ", list_of(stored),
                     ". A run goes on with the same signals only. Begin a new run."));
}

void TaskWriter::row(std::span<const double> values) {
  if (values.size() != impl_->signals.size() || values.empty()) {
    throw Error("row-size", {},
                concat("a row has ", values.size(), " values. The task has ", impl_->signals.size(), " signals."));
  }
  impl_->buffered.insert(impl_->buffered.end(), values.begin(), values.end());
  if (impl_->is_time()) impl_->commit(std::nullopt, {});
}

void TaskWriter::checkpoint(double t, std::span<const std::byte> bytes) {
  impl_->checkpoint = Checkpoint{t, {bytes.begin(), bytes.end()}, impl_->rows()};
  if (impl_->is_time()) impl_->commit(std::nullopt, {});
}

void TaskWriter::flush() { impl_->commit(std::nullopt, {}); }

void TaskWriter::finish(RunStatus status, std::string_view message) {
  impl_->commit(status, message);
  impl_->finished = true;
}

std::int64_t TaskWriter::rows() const { return impl_->rows(); }

}  // namespace articula::store
