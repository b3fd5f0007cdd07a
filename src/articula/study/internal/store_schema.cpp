#include "store_schema.h"

#include <optional>

#include <articula/base/text.h>
#include <articula/study/store.h>

namespace articula {
namespace {

/// What makes version i + 1 of version i. A step that was ever released is never changed; new ones are added.
constexpr std::array<const char*, Store::version> steps{
    // Runs with their texts, tasks, rows and checks.
    R"(
    CREATE TABLE runs(id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, study TEXT NOT NULL,
        version TEXT NOT NULL, host TEXT NOT NULL, command TEXT NOT NULL, created TEXT NOT NULL, seed INTEGER NOT NULL,
        status INTEGER NOT NULL);
    CREATE TABLE texts(id INTEGER PRIMARY KEY, run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
        role TEXT NOT NULL, path TEXT NOT NULL, crc INTEGER NOT NULL, text TEXT NOT NULL);
    CREATE INDEX texts_of_run ON texts(run);
    CREATE TABLE options(id INTEGER PRIMARY KEY, run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
        name TEXT NOT NULL, value TEXT NOT NULL);
    CREATE INDEX options_of_run ON options(run);
    CREATE TABLE tasks(id INTEGER PRIMARY KEY AUTOINCREMENT, run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
        name TEXT NOT NULL, kind TEXT NOT NULL, status INTEGER NOT NULL, message TEXT NOT NULL, UNIQUE(run, name));
    CREATE TABLE signals(id INTEGER PRIMARY KEY, task INTEGER NOT NULL REFERENCES tasks ON DELETE CASCADE,
        name TEXT NOT NULL, unit TEXT NOT NULL, UNIQUE(task, name));
    CREATE TABLE blocks(id INTEGER PRIMARY KEY, task INTEGER NOT NULL REFERENCES tasks ON DELETE CASCADE,
        first INTEGER NOT NULL, rows INTEGER NOT NULL, columns INTEGER NOT NULL, crc INTEGER NOT NULL,
        data BLOB NOT NULL, UNIQUE(task, first));
    CREATE TABLE checkpoints(id INTEGER PRIMARY KEY, task INTEGER NOT NULL REFERENCES tasks ON DELETE CASCADE,
        t REAL, rows INTEGER NOT NULL, crc INTEGER NOT NULL, bytes BLOB NOT NULL);
    CREATE INDEX checkpoints_of_task ON checkpoints(task);
    CREATE TABLE counts(id INTEGER PRIMARY KEY, task INTEGER NOT NULL REFERENCES tasks ON DELETE CASCADE,
        name TEXT NOT NULL, value REAL, UNIQUE(task, name));
    CREATE TABLE checks(id INTEGER PRIMARY KEY, run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
        task TEXT NOT NULL, name TEXT NOT NULL, signal TEXT NOT NULL, expected REAL, got REAL, tolerance REAL,
        pass INTEGER NOT NULL, message TEXT NOT NULL);
    CREATE INDEX checks_of_run ON checks(run);
    )",
    // Which process runs a run; where an expected value comes from; what was found on the way.
    R"(
    ALTER TABLE runs ADD COLUMN process TEXT NOT NULL DEFAULT '';
    ALTER TABLE checks ADD COLUMN reference TEXT NOT NULL DEFAULT '';
    CREATE TABLE log(id INTEGER PRIMARY KEY, run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
        severity INTEGER NOT NULL, code TEXT NOT NULL, file TEXT NOT NULL, line INTEGER NOT NULL,
        message TEXT NOT NULL);
    CREATE INDEX log_of_run ON log(run);
    )",
    // Units and bounds of checks.
    R"(
    ALTER TABLE checks ADD COLUMN unit TEXT NOT NULL DEFAULT '';
    ALTER TABLE checks ADD COLUMN lower REAL;
    ALTER TABLE checks ADD COLUMN upper REAL;
    )",
};

}  // namespace

int store_version(const Database& database) {
  // All three from one moment: another process may be making the store.
  const bool alone = sqlite3_get_autocommit(database.get()) != 0;
  std::optional<Transaction> moment;
  if (alone) moment.emplace(database, "BEGIN");
  const std::int64_t kind = database.integer("PRAGMA application_id");
  const std::int64_t version = database.integer("PRAGMA user_version");
  const std::int64_t things = database.integer("SELECT count(*) FROM sqlite_schema");
  if (moment) moment->commit();
  if (kind == 0 && version == 0 && things == 0) return 0;
  const Where where{database.file().string(), 0};
  if (kind != store_application_id || version < 1) {
    throw Error("store-foreign", where,
                "it is not a store of runs: it is an SQLite file of another program. Name another file with --store.");
  }
  if (version > Store::version) {
    throw Error("store-newer", where,
                concat("it is a store of version ", version, ". This program knows versions 1 to ", Store::version,
                       ". Use the newer Articula that wrote it."));
  }
  return static_cast<int>(version);
}

void migrate_store(const Database& database) {
  if (store_version(database) == 0) {
    database.execute("PRAGMA auto_vacuum = INCREMENTAL");  // possible only before there is a table
  }
  // A log before the file: a commit is one append, and readers do not wait for writers.
  database.execute("PRAGMA journal_mode = WAL");
  // Every commit is brought to the disk, so that it outlives not only kill −9 but a power cut too.
  database.execute("PRAGMA synchronous = FULL");
  while (true) {
    if (store_version(database) == Store::version) return;
    Transaction transaction(database);
    const int version = store_version(database);  // asked again: another process may have been faster
    if (version < Store::version) {
      database.execute(steps[static_cast<std::size_t>(version)]);
      database.execute(concat("PRAGMA application_id = ", store_application_id).c_str());
      database.execute(concat("PRAGMA user_version = ", version + 1).c_str());
    }
    transaction.commit();
  }
}

}  // namespace articula
