#include "schema.h"

#include <map>
#include <optional>
#include <string>

#include <articula/base/text.h>
#include <articula/store/store.h>

namespace articula::store {
namespace {

/// Step i upgrades version i to version i + 1. A released step is never changed; new ones are appended.
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
    // The process of a run; the origin of expected values; findings.
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
    // The number of rows of a task, to detect a missing last block; a checksum of the description of a run.
    R"(
    ALTER TABLE tasks ADD COLUMN rows INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE runs ADD COLUMN description INTEGER;
    )",
};

constexpr int version_that_records_rows = 4;

/// Removes blanks, the only difference between texts of equal definitions.
std::string without_blanks(std::string text) {
  std::erase_if(text, [](char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; });
  return text;
}

/// Tables and indices by name, with their definitions.
using Definitions = std::map<std::string, std::string>;

/// The definitions of a version, as made by the steps.
Definitions definitions_of(int version) {
  const Database made("", Database::Mode::memory, 0);
  for (int k = 0; k < version; ++k) made.execute(steps[static_cast<std::size_t>(k)]);
  Definitions definitions;
  Statement query(made, "SELECT name, coalesce(sql, '') FROM sqlite_schema");
  while (query.step()) definitions[query.text(0)] = without_blanks(query.text(1));
  return definitions;
}

/// Tables of SQLite itself, for numbering and query planning.
bool is_own_table(const std::string& name) { return name == "sqlite_sequence" || name.starts_with("sqlite_stat"); }

/// The tables and indices of a file. Throws if it defines anything else: views, triggers or virtual tables.
Definitions plain_definitions(const Database& database) {
  Definitions found;
  Statement query(database, "SELECT type, name, coalesce(sql, '') FROM sqlite_schema");
  while (query.step()) {
    const std::string type = query.text(0), name = query.text(1), sql = without_blanks(query.text(2));
    const bool is_virtual = sql.size() > 13 && sqlite3_strnicmp(sql.c_str(), "createvirtual", 13) == 0;
    if ((type != "table" && type != "index") || is_virtual) {
      throw Error(
          "store-foreign", {database.file().string(), 0},
          concat("it is not a store of runs: ", quoted(name), " in it is a ", is_virtual ? "virtual table" : type,
                 ". A store holds only the tables that Articula makes. Name another file with --store."));
    }
    found[name] = sql;
  }
  return found;
}

void require_own_tables(const Database& database, int version) {
  static const std::array<Definitions, Store::version> known = [] {
    std::array<Definitions, Store::version> all;
    for (int k = 0; k < Store::version; ++k) all[static_cast<std::size_t>(k)] = definitions_of(k + 1);
    return all;
  }();
  const Definitions& expected = known[static_cast<std::size_t>(version - 1)];
  const auto damaged = [&](std::string_view what) {
    throw Error("store-damaged", {database.file().string(), 0},
                concat(what,
                       ": the file is damaged, or another program has changed it. `articula runs salvage` saves "
                       "what can be read in a new store."));
  };
  const Definitions found = plain_definitions(database);
  for (const auto& [name, definition] : found) {
    const auto known_one = expected.find(name);
    if (is_own_table(name)) continue;
    if (known_one == expected.end()) {
      throw Error("store-foreign", {database.file().string(), 0},
                  concat("it is not a store of runs: it has ", quoted(name),
                         ". A store holds only the tables that Articula makes. Name another file with --store."));
    }
    if (known_one->second != definition) damaged(concat(quoted(name), " in it is not as Articula makes it"));
  }
  for (const std::string table : store_tables) {
    if (expected.contains(table) && !found.contains(table)) damaged(concat("the table ", quoted(table), " is missing"));
  }
}

}  // namespace

static int store_version(const Database& database, bool damaged) {
  // Reads from one snapshot: another process may be making the store.
  const bool alone = sqlite3_get_autocommit(database.get()) != 0;
  std::optional<Transaction> moment;
  if (alone) moment.emplace(database, "BEGIN");
  const std::int64_t kind = database.integer("PRAGMA application_id");
  const std::int64_t version = database.integer("PRAGMA user_version");
  const std::int64_t things = database.integer("SELECT count(*) FROM sqlite_schema");
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
  if (damaged) {
    plain_definitions(database);
  } else {
    require_own_tables(database, static_cast<int>(version));
  }
  if (moment) moment->commit();
  return static_cast<int>(version);
}

int store_version(const Database& database) { return store_version(database, false); }
int damaged_store_version(const Database& database) { return store_version(database, true); }

void record_rows(const Database& database) {
  database.execute(R"(
      UPDATE tasks SET rows = max((SELECT coalesce(max(b.first + b.rows), 0) FROM blocks b WHERE b.task = tasks.id),
                                  (SELECT coalesce(max(c.rows), 0) FROM checkpoints c WHERE c.task = tasks.id)))");
}

void migrate_store(const Database& database) {
  if (store_version(database) == 0) {
    database.execute("PRAGMA auto_vacuum = INCREMENTAL");  // only possible before the first table
  }
  // Write-ahead log: a commit is one append, and readers do not wait for writers.
  database.execute("PRAGMA journal_mode = WAL");
  // Every commit is synced to the disk, so that it survives kill −9 and a power cut.
  database.execute("PRAGMA synchronous = FULL");
  while (true) {
    if (store_version(database) == Store::version) return;
    Transaction transaction(database);
    const int version = store_version(database);  // read again: another process may have upgraded it
    if (version < Store::version) {
      database.execute(steps[static_cast<std::size_t>(version)]);
      if (version + 1 == version_that_records_rows) record_rows(database);
      database.execute(concat("PRAGMA application_id = ", store_application_id).c_str());
      database.execute(concat("PRAGMA user_version = ", version + 1).c_str());
    }
    transaction.commit();
  }
}

}  // namespace articula::store
