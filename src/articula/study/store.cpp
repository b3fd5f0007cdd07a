#include <articula/study/store.h>

#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <ctime>
#include <limits>
#include <random>
#include <system_error>
#include <thread>

#include <articula/base/text.h>
#include <articula/version.h>

#include "internal/crc.h"
#include "internal/store_impl.h"
#include "internal/store_schema.h"

namespace articula {

namespace fs = std::filesystem;

std::string_view to_text(RunStatus status) {
  switch (status) {
    case RunStatus::waiting: return "waiting";
    case RunStatus::running: return "running";
    case RunStatus::done: return "done";
    case RunStatus::failed: return "failed";
    case RunStatus::interrupted: break;
  }
  return "interrupted";
}

const StoredTask& StoredRun::task(std::string_view name) const {
  const auto found = std::find_if(tasks.begin(), tasks.end(), [&](const StoredTask& t) { return t.name == name; });
  if (found != tasks.end()) return *found;
  std::vector<std::string> names;
  for (const StoredTask& t : tasks) names.push_back(t.name);
  throw Error("no-such-task", {},
              concat("task ", quoted(name), " not found in run ", id, ".", choices(name, "Tasks", names)));
}

namespace {

std::int64_t number(RunStatus status) { return static_cast<std::int64_t>(status); }

/// A run or task that says it runs although its process is gone was interrupted.
RunStatus status_of(std::int64_t stored, bool alive) {
  if (stored < 0 || stored > number(RunStatus::interrupted)) return RunStatus::failed;
  const RunStatus status = static_cast<RunStatus>(stored);
  return status == RunStatus::running && !alive ? RunStatus::interrupted : status;
}

/// Whether there is a file to open, said before SQLite tries.
fs::path checked(const fs::path& file, Store::Access access) {
  const Where where{file.string(), 0};
  std::error_code trouble;
  const fs::file_status status = fs::status(file, trouble);
  if (fs::is_directory(status)) throw Error("store-foreign", where, "it is a folder. Name a file in it with --store.");
  if (fs::exists(status) && !fs::is_regular_file(status)) {
    throw Error("store-foreign", where, "it is not a regular file. Name another file with --store.");
  }
  if (!fs::exists(status) && access == Store::Access::read) {
    throw Error("store-missing", where,
                "there is no such store of runs. `articula run` makes one; name another file with --store.");
  }
  if (access == Store::Access::write) {
    // SQLite's own reason would be that of its last attempt, which is to read.
    const fs::path needed = fs::exists(status) ? file : fs::absolute(file).parent_path();
    if (::access(needed.c_str(), W_OK) != 0) {
      throw Error(
          "store-unwritable", where,
          concat(needed == file ? "it" : "its folder", " cannot be written (", std::generic_category().message(errno),
                 "). The file and its folder must be open to you. Change the permissions, or name another "
                 "file with --store."));
    }
  }
  return file;
}

/// Again and again while another process makes the same store: SQLite does not wait by itself while the log is set up.
template <class Act>
void patiently(double seconds, const Act& act) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start = Clock::now();
  while (true) {
    try {
      return act();
    } catch (const Error& error) {
      const double waited = std::chrono::duration<double>(Clock::now() - start).count();
      if (error.code() != "store-locked" || waited > seconds) throw;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

std::string new_name() {
  static constexpr char digits[] = "0123456789abcdef";
  std::random_device device;
  std::string name;
  for (int i = 0; i < 10; ++i) name += digits[device() & 15];
  return name;
}

/// Makes a new store beside its place and puts it there when it is complete, so that no end of the process leaves half a
/// store. Where another process was faster, its store stays.
fs::path placed(const fs::path& file, Store::Access access, const Store::Options& options) {
  if (access == Store::Access::read || fs::exists(file)) return file;
  const fs::path making = file.string() + ".making-" + new_name();
  std::error_code trouble;
  try {
    migrate_store(Database(making, Database::Mode::create, options.wait_for_lock));
  } catch (const Error& error) {
    for (const char* part : {"", "-wal", "-shm"}) fs::remove(making.string() + part, trouble);
    throw Error(error.code(), {file.string(), 0}, error.message());
  }
  fs::create_hard_link(making, file, trouble);
  if (trouble && !fs::exists(file)) {
    fs::rename(making, file, trouble);  // a file system without links
  } else {
    fs::remove(making, trouble);
  }
  return file;
}

/// An older store is brought to the newest version before it is read.
void upgrade(const fs::path& file, int version, const Store::Options& options) {
  try {
    migrate_store(Database(file, Database::Mode::change, options.wait_for_lock));
  } catch (const Error& error) {
    throw Error("store-older", {file.string(), 0},
                concat("it is a store of version ", version, " and could not be brought to version ", Store::version,
                       ": ", error.message()));
  }
}

}  // namespace

RunOrigin RunOrigin::here() {
  RunOrigin provenance;
  provenance.version = ARTICULA_VERSION;
  const std::string process = this_process();
  provenance.host = process.substr(0, process.find('/'));
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&now, &utc);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
  provenance.created = text;
  return provenance;
}

std::uint32_t text_crc(std::string_view text) {
  return Crc32c().add(std::as_bytes(std::span(text.data(), text.size()))).value();
}

// Opening ----------------------------------------------------------------------------------------------------------

Store::Impl::Impl(const fs::path& file, Access access_, const Options& options_)
    : access(access_),
      options(options_),
      database(placed(checked(file, access_), access_, options_),
               access_ == Access::write ? Database::Mode::create : Database::Mode::look, options_.wait_for_lock) {
  if (access == Access::write) {
    patiently(options.wait_for_lock, [&] { migrate_store(database); });
    return;
  }
  database.execute("PRAGMA query_only = ON");
  int found = 0;
  patiently(options.wait_for_lock, [&] { found = store_version(database); });
  if (found == 0) {
    throw Error("store-foreign", {file.string(), 0},
                "it is not a store of runs: the file is empty. Name another with --store.");
  }
  if (found < oldest_readable_version) upgrade(file, found, options);
}

Store::Store(const fs::path& file, Access access, const Options& options)
    : impl_(std::make_unique<Impl>(file, access, options)) {}
Store::Store(const fs::path& file, Access access) : Store(file, access, Options()) {}
Store::~Store() = default;
Store::Store(Store&&) noexcept = default;
Store& Store::operator=(Store&&) noexcept = default;

const fs::path& Store::file() const { return impl_->database.file(); }

// Runs -------------------------------------------------------------------------------------------------------------

std::int64_t Store::Impl::key(std::string_view run) const {
  Statement query(database, "SELECT id FROM runs WHERE name = ?");
  if (query.bind(run).step()) return query.integer(0);
  throw Error("no-such-run", {database.file().string(), 0}, concat("run ", quoted(run), " not found in the store."));
}

void Store::Impl::refuse_if_running(std::int64_t key, std::string_view run, std::string_view what) const {
  Statement query(database, "SELECT status, process, host FROM runs WHERE id = ?");
  if (!query.bind(key).step()) return;
  const std::string process = query.text(1);
  if (query.integer(0) != number(RunStatus::running) || process == this_process() || !process_is_alive(process)) return;
  throw Error("run-is-running", {database.file().string(), 0},
              concat("run ", run, " is running on ", quoted(query.text(2)), " and cannot be ", what,
                     ". Wait until it has ended, or end it."));
}

std::string Store::add_run(const RunOrigin& provenance, std::span<const NewTask> tasks) {
  const StoreLock lock(impl_->mutex);
  const Database& database = impl_->database;
  Transaction transaction(database);
  std::string name = new_name();
  for (Statement taken(database, "SELECT 1 FROM runs WHERE name = ?"); taken.bind(name).step(); taken.run()) {
    name = new_name();
  }
  Statement(database,
            "INSERT INTO runs(name, study, version, host, command, created, seed, status, process)"
            " VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)")
      .bind(name)
      .bind(provenance.study)
      .bind(provenance.version)
      .bind(provenance.host)
      .bind(provenance.command)
      .bind(provenance.created)
      .bind(std::bit_cast<std::int64_t>(provenance.seed))
      .bind(number(RunStatus::running))
      .bind(this_process())
      .run();
  const std::int64_t run = database.last_id();
  Statement text(database, "INSERT INTO texts(run, role, path, crc, text) VALUES(?, ?, ?, ?, ?)");
  for (const SourceText& t : provenance.texts) {
    text.bind(run).bind(t.role).bind(t.path).bind(std::int64_t{text_crc(t.text)}).bind(t.text).run();
  }
  Statement option(database, "INSERT INTO options(run, name, value) VALUES(?, ?, ?)");
  for (const NamedText& o : provenance.options) option.bind(run).bind(o.name).bind(o.value).run();
  Statement task(database, "INSERT INTO tasks(run, name, kind, status, message) VALUES(?, ?, ?, ?, '')");
  for (const NewTask& t : tasks) task.bind(run).bind(t.name).bind(t.kind).bind(number(RunStatus::waiting)).run();
  transaction.commit();
  return name;
}

void Store::set_status(const std::string& run, RunStatus status) {
  const StoreLock lock(impl_->mutex);
  Statement(impl_->database, "UPDATE runs SET status = ? WHERE id = ?")
      .bind(number(status))
      .bind(impl_->key(run))
      .run();
}

void Store::set_checks(const std::string& run, std::span<const CheckResult> checks) {
  const StoreLock lock(impl_->mutex);
  const Database& database = impl_->database;
  Transaction transaction(database);
  const std::int64_t key = impl_->key(run);
  Statement(database, "DELETE FROM checks WHERE run = ?").bind(key).run();
  Statement insert(database,
                   "INSERT INTO checks(run, task, name, signal, expected, got, tolerance, pass, message, reference, "
                   "unit, lower, upper) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  constexpr double none = std::numeric_limits<double>::quiet_NaN();  // is stored as NULL
  for (const CheckResult& c : checks) {
    insert.bind(key).bind(c.task).bind(c.name).bind(c.signal).bind(c.expected).bind(c.got).bind(c.tolerance);
    insert.bind(std::int64_t{c.pass}).bind(c.message).bind(c.reference).bind(c.unit);
    insert.bind(c.lower.value_or(none)).bind(c.upper.value_or(none)).run();
  }
  transaction.commit();
}

void Store::add_log(const std::string& run, const Findings& findings) {
  const StoreLock lock(impl_->mutex);
  const Database& database = impl_->database;
  Transaction transaction(database);
  const std::int64_t key = impl_->key(run);
  Statement insert(database, "INSERT INTO log(run, severity, code, file, line, message) VALUES(?, ?, ?, ?, ?, ?)");
  for (const Finding& f : findings) {
    insert.bind(key).bind(static_cast<std::int64_t>(f.severity)).bind(f.code).bind(f.where.file);
    insert.bind(std::int64_t{f.where.line}).bind(f.message).run();
  }
  transaction.commit();
}

void Store::set_counts(TaskId task, std::span<const Count> counts) {
  const StoreLock lock(impl_->mutex);
  const Database& database = impl_->database;
  Transaction transaction(database);
  Statement insert(database,
                   "INSERT INTO counts(task, name, value) VALUES(?, ?, ?)"
                   " ON CONFLICT(task, name) DO UPDATE SET value = excluded.value");
  for (const Count& c : counts) insert.bind(static_cast<std::int64_t>(task)).bind(c.name).bind(c.value).run();
  transaction.commit();
}

void Store::take_over(const std::string& run) {
  const StoreLock lock(impl_->mutex);
  const Database& database = impl_->database;
  Transaction transaction(database);
  const std::int64_t key = impl_->key(run);
  impl_->refuse_if_running(key, run, "taken over");
  Statement(database, "UPDATE runs SET status = ?, process = ? WHERE id = ?")
      .bind(number(RunStatus::running))
      .bind(this_process())
      .bind(key)
      .run();
  Statement(database, "UPDATE tasks SET status = ? WHERE run = ? AND status = ?")
      .bind(number(RunStatus::interrupted))
      .bind(key)
      .bind(number(RunStatus::running))
      .run();
  transaction.commit();
}

void Store::delete_run(const std::string& run) {
  const StoreLock lock(impl_->mutex);
  const Database& database = impl_->database;
  Transaction transaction(database);
  const std::int64_t key = impl_->key(run);
  impl_->refuse_if_running(key, run, "deleted");
  Statement(database, "DELETE FROM runs WHERE id = ?").bind(key).run();
  transaction.commit();
  Statement(database, "PRAGMA incremental_vacuum").run();  // gives the room back
}

// Reading ----------------------------------------------------------------------------------------------------------

std::vector<RunSummary> Store::list() const {
  const StoreLock lock(impl_->mutex);
  Statement query(impl_->database, R"(
      SELECT name, study, created, status, process,
          (SELECT count(*) FROM tasks WHERE run = runs.id),
          (SELECT coalesce(sum(b.rows), 0) FROM tasks t JOIN blocks b ON b.task = t.id WHERE t.run = runs.id),
          (SELECT count(*) FROM checks WHERE run = runs.id AND pass),
          (SELECT count(*) FROM checks WHERE run = runs.id AND NOT pass)
      FROM runs ORDER BY id DESC)");
  std::vector<RunSummary> runs;
  while (query.step()) {
    const RunStatus status = status_of(query.integer(3), process_is_alive(query.text(4)));
    runs.push_back({query.text(0), query.text(1), query.text(2), status, query.integer(5), query.integer(6),
                    query.integer(7), query.integer(8)});
  }
  return runs;
}

std::string Store::find(std::string_view id) const {
  const StoreLock lock(impl_->mutex);
  const Where where{file().string(), 0};
  std::vector<std::string> names;
  Statement query(impl_->database, "SELECT name FROM runs ORDER BY id DESC");
  while (query.step()) names.push_back(query.text(0));
  if (names.empty()) throw Error("no-such-run", where, "the store holds no run yet. `articula run` makes one.");
  if (id == "latest") return names.front();
  std::vector<std::string> found;
  for (const std::string& name : names) {
    if (name == id) return name;
    if (!id.empty() && name.starts_with(id)) found.push_back(name);
  }
  if (found.size() == 1) return found.front();
  if (found.size() > 1) {
    throw Error("run-ambiguous", where,
                concat(quoted(id), " begins the ids of ", found.size(), " runs: ", list_of(found),
                       ". Give more of its digits."));
  }
  throw Error("no-such-run", where, concat("run ", quoted(id), " not found. Runs: latest, ", list_of(names), "."));
}

namespace {

RunOrigin read_provenance(const Database& database, std::int64_t key, StoredRun& run) {
  RunOrigin p;
  Statement query(database,
                  "SELECT study, version, host, command, created, seed, status, process FROM runs WHERE id = ?");
  query.bind(key).step();
  p.study = query.text(0), p.version = query.text(1), p.host = query.text(2), p.command = query.text(3);
  p.created = query.text(4), p.seed = std::bit_cast<std::uint64_t>(query.integer(5));
  run.process = query.text(7);
  run.status = status_of(query.integer(6), process_is_alive(run.process));
  Statement texts(database, "SELECT role, path, text FROM texts WHERE run = ? ORDER BY id");
  for (texts.bind(key); texts.step();) p.texts.push_back({texts.text(0), texts.text(1), texts.text(2)});
  Statement options(database, "SELECT name, value FROM options WHERE run = ? ORDER BY id");
  for (options.bind(key); options.step();) p.options.push_back({options.text(0), options.text(1)});
  return p;
}

std::vector<StoredTask> read_tasks(const Database& database, std::int64_t run, bool alive) {
  std::vector<StoredTask> tasks;
  Statement query(database, R"(
      SELECT id, name, kind, status, message, (SELECT coalesce(sum(rows), 0) FROM blocks WHERE task = tasks.id)
      FROM tasks WHERE run = ? ORDER BY id)");
  for (query.bind(run); query.step();) {
    StoredTask task;
    const std::int64_t key = query.integer(0);
    task.id = TaskId{key}, task.name = query.text(1), task.kind = query.text(2);
    task.status = status_of(query.integer(3), alive), task.message = query.text(4), task.rows = query.integer(5);
    Statement signals(database, "SELECT name, unit FROM signals WHERE task = ? ORDER BY id");
    for (signals.bind(key); signals.step();) task.signals.push_back({signals.text(0), signals.text(1)});
    Statement counts(database, "SELECT name, value FROM counts WHERE task = ? ORDER BY id");
    for (counts.bind(key); counts.step();) task.counts.push_back({counts.text(0), counts.real(1)});
    tasks.push_back(std::move(task));
  }
  return tasks;
}

std::vector<CheckResult> read_checks(const Database& database, std::int64_t run) {
  std::vector<CheckResult> checks;
  Statement query(database,
                  "SELECT task, name, signal, expected, got, tolerance, pass, message, reference, unit, lower, upper"
                  " FROM checks WHERE run = ? ORDER BY id");
  const auto bound = [](double value) { return std::isnan(value) ? std::nullopt : std::optional(value); };
  for (query.bind(run); query.step();) {
    checks.push_back({query.text(0), query.text(1), query.text(2), query.real(3), query.real(4), query.real(5),
                      query.integer(6) != 0, query.text(7), query.text(8), query.text(9), bound(query.real(10)),
                      bound(query.real(11))});
  }
  return checks;
}

Findings read_log(const Database& database, std::int64_t run) {
  Findings log;
  Statement query(database, "SELECT severity, code, file, line, message FROM log WHERE run = ? ORDER BY id");
  for (query.bind(run); query.step();) {
    const Severity severity = static_cast<Severity>(std::clamp<std::int64_t>(query.integer(0), 0, 2));
    log.push_back({severity, query.text(1), {query.text(2), static_cast<int>(query.integer(3))}, query.text(4)});
  }
  return log;
}

}  // namespace

StoredRun Store::run(std::string_view id) const {
  const StoreLock lock(impl_->mutex);
  const Database& database = impl_->database;
  StoredRun run;
  run.id = find(id);
  const std::int64_t key = impl_->key(run.id);
  run.provenance = read_provenance(database, key, run);
  run.tasks = read_tasks(database, key, run.status == RunStatus::running);
  run.checks = read_checks(database, key);
  run.log = read_log(database, key);
  return run;
}

}  // namespace articula
