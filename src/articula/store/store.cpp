#include <articula/store/store.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <ctime>
#include <limits>
#include <random>
#include <utility>

#include <articula/base/text.h>
#include <articula/version.h>

#include <articula/text/internal/crc.h>
#include "internal/description.h"
#include "internal/store_impl.h"

namespace articula::store {

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

/// Marks a run or task as interrupted if its status is `running` and nobody computes it.
template <class Ask>
RunStatus status_of(std::int64_t stored, const Ask& somebody_runs_it) {
  if (stored < 0 || stored > number(RunStatus::interrupted)) return RunStatus::failed;
  const RunStatus status = static_cast<RunStatus>(stored);
  return status == RunStatus::running && !somebody_runs_it() ? RunStatus::interrupted : status;
}

/// Runs an action in its destructor, unless forget() was called.
template <class Act>
class OnFailure {
 public:
  explicit OnFailure(Act act) : act_(std::move(act)) {}
  ~OnFailure() {
    if (wanted_) act_();
  }
  OnFailure(const OnFailure&) = delete;
  OnFailure& operator=(const OnFailure&) = delete;
  void forget() { wanted_ = false; }

 private:
  Act act_;
  bool wanted_ = true;
};

}  // namespace

std::string random_digits() {
  static constexpr char digits[] = "0123456789abcdef";
  std::random_device device;
  std::string name;
  for (int i = 0; i < 10; ++i) name += digits[device() & 15];
  return name;
}

RunOrigin RunOrigin::here() {
  RunOrigin provenance;
  provenance.version = ARTICULA_VERSION;
  provenance.host = host_of(this_process());
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

// Runs -------------------------------------------------------------------------------------------------------------

std::int64_t Store::Impl::key(std::string_view run) const {
  Statement query(database, "SELECT id FROM runs WHERE name = ?");
  if (query.bind(run).step()) return query.integer(0);
  throw Error("no-such-run", {database.file().string(), 0}, concat("run ", quoted(run), " not found in the store."));
}

std::string Store::Impl::name_of_run(TaskId task) const {
  Statement query(database, "SELECT r.name FROM tasks t JOIN runs r ON r.id = t.run WHERE t.id = ?");
  if (query.bind(static_cast<std::int64_t>(task)).step()) return query.text(0);
  throw Error("no-such-run", {database.file().string(), 0},
              concat("the run of task ", static_cast<std::int64_t>(task), " was deleted."));
}

// Whose run it is --------------------------------------------------------------------------------------------------

bool Store::Impl::is_running(std::string_view run, std::string_view process) const {
  return RunLock::is_taken(real, run) || runs_without_lock(process);
}

void Store::Impl::take(const std::string& run, std::string_view what) {
  if (const auto found = locks.find(run); found != locks.end()) {
    if (found->second.is_ours()) return;
    locks.erase(found);  // in a forked child: a copy of the parent's lock
  }
  std::optional<RunLock> lock = RunLock::take(real, run);
  Statement query(database, "SELECT status, process FROM runs WHERE name = ?");
  const bool known = query.bind(run).step();
  const bool runs = known && query.integer(0) == number(RunStatus::running) && runs_without_lock(query.text(1));
  if (lock && !runs) {
    locks.emplace(run, std::move(*lock));
    return;
  }
  throw Error("run-is-running", {database.file().string(), 0},
              concat("run ", run, " is running on ", quoted(known ? host_of(query.text(1)) : ""), " and cannot be ",
                     what, ". Wait until it has ended, or end it."));
}

std::string Store::add_run(const RunOrigin& provenance, std::span<const NewTask> tasks) {
  const StoreLock lock(impl_->mutex);
  const Database& database = impl_->database;
  Transaction transaction(database);
  std::string name = random_digits();
  for (Statement taken(database, "SELECT 1 FROM runs WHERE name = ?"); taken.bind(name).step(); taken.run()) {
    name = random_digits();
  }
  impl_->take(name, "begun");
  OnFailure give_back([&] { impl_->release(name); });
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
  impl_->commit(transaction);
  give_back.forget();
  return name;
}

void Store::set_status(const std::string& run, RunStatus status) {
  const StoreLock lock(impl_->mutex);
  const std::int64_t key = impl_->key(run);
  impl_->take(run, "marked");
  Transaction transaction(impl_->database);
  Statement(impl_->database, "UPDATE runs SET status = ? WHERE id = ?").bind(number(status)).bind(key).run();
  if (status == RunStatus::running) {
    unseal_description(impl_->database, key);
  } else {
    seal_description(impl_->database, key);
  }
  impl_->commit(transaction);
  if (status != RunStatus::running) impl_->release(run);
}

void Store::set_checks(const std::string& run, std::span<const CheckResult> checks) {
  const StoreLock lock(impl_->mutex);
  const Database& database = impl_->database;
  Transaction transaction(database);
  const std::int64_t key = impl_->key(run);
  unseal_description(database, key);
  Statement(database, "DELETE FROM checks WHERE run = ?").bind(key).run();
  Statement insert(database,
                   "INSERT INTO checks(run, task, name, signal, expected, got, tolerance, pass, message, reference, "
                   "unit, lower, upper) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  constexpr double none = std::numeric_limits<double>::quiet_NaN();  // stored as NULL
  for (const CheckResult& c : checks) {
    insert.bind(key).bind(c.task).bind(c.name).bind(c.signal).bind(c.expected).bind(c.got).bind(c.tolerance);
    insert.bind(std::int64_t{c.pass}).bind(c.message).bind(c.reference).bind(c.unit);
    insert.bind(c.lower.value_or(none)).bind(c.upper.value_or(none)).run();
  }
  impl_->commit(transaction);
}

void Store::add_log(const std::string& run, const Findings& findings) {
  const StoreLock lock(impl_->mutex);
  const Database& database = impl_->database;
  Transaction transaction(database);
  const std::int64_t key = impl_->key(run);
  unseal_description(database, key);
  Statement insert(database, "INSERT INTO log(run, severity, code, file, line, message) VALUES(?, ?, ?, ?, ?, ?)");
  for (const Finding& f : findings) {
    insert.bind(key).bind(static_cast<std::int64_t>(f.severity)).bind(f.code).bind(f.where.file);
    insert.bind(std::int64_t{f.where.line}).bind(f.message).run();
  }
  impl_->commit(transaction);
}

void Store::set_counts(TaskId task, std::span<const Count> counts) {
  const StoreLock lock(impl_->mutex);
  const Database& database = impl_->database;
  Transaction transaction(database);
  unseal_description(database, impl_->key(impl_->name_of_run(task)));
  Statement insert(database,
                   "INSERT INTO counts(task, name, value) VALUES(?, ?, ?)"
                   " ON CONFLICT(task, name) DO UPDATE SET value = excluded.value");
  for (const Count& c : counts) insert.bind(static_cast<std::int64_t>(task)).bind(c.name).bind(c.value).run();
  impl_->commit(transaction);
}

void Store::take_over(const std::string& run) {
  const StoreLock lock(impl_->mutex);
  const Database& database = impl_->database;
  const std::int64_t key = impl_->key(run);
  impl_->take(run, "taken over");
  Transaction transaction(database);
  if (const auto damage = damaged_description(database, key)) throw Error(damage->code, damage->where, damage->message);
  unseal_description(database, key);
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
  impl_->commit(transaction);
}

void Store::delete_run(const std::string& run) {
  const StoreLock lock(impl_->mutex);
  const Database& database = impl_->database;
  const std::int64_t key = impl_->key(run);
  impl_->take(run, "deleted");
  Transaction transaction(database);
  Statement(database, "DELETE FROM runs WHERE id = ?").bind(key).run();
  impl_->commit(transaction);
  impl_->release(run);
  Statement(database, "PRAGMA incremental_vacuum").run();  // returns free pages to the file system
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
    const RunStatus status =
        status_of(query.integer(3), [&] { return impl_->is_running(query.text(0), query.text(4)); });
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

template <class Ask>
RunOrigin read_provenance(const Database& database, std::int64_t key, StoredRun& run, const Ask& is_running) {
  RunOrigin p;
  Statement query(database,
                  "SELECT study, version, host, command, created, seed, status, process FROM runs WHERE id = ?");
  query.bind(key).step();
  p.study = query.text(0), p.version = query.text(1), p.host = query.text(2), p.command = query.text(3);
  p.created = query.text(4), p.seed = std::bit_cast<std::uint64_t>(query.integer(5));
  run.process = query.text(7);
  run.status = status_of(query.integer(6), [&] { return is_running(run.id, run.process); });
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
    task.status = status_of(query.integer(3), [&] { return alive; }), task.message = query.text(4),
    task.rows = query.integer(5);
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
  run.provenance = read_provenance(database, key, run, [&](std::string_view name, std::string_view process) {
    return impl_->is_running(name, process);
  });
  run.tasks = read_tasks(database, key, run.status == RunStatus::running);
  run.checks = read_checks(database, key);
  run.log = read_log(database, key);
  run.damage = damaged_description(database, key);
  if (run.damage) run.log.push_back(*run.damage);
  return run;
}

}  // namespace articula::store
