// What can be read of a damaged store, copied to a new one.

#include <algorithm>
#include <system_error>

#include <articula/base/text.h>
#include <articula/study/store.h>

#include "internal/sqlite.h"
#include "internal/store_impl.h"
#include "internal/store_schema.h"

namespace articula {

namespace fs = std::filesystem;

namespace {

/// A copy of the damaged file and its log, so that the original stays as it is; gone in the end.
class ScratchCopy {
 public:
  ScratchCopy(const fs::path& from, const fs::path& to) : file_(to.string() + ".scratch") {
    copy("", from);
    std::error_code none;
    fs::path log = from;
    log += "-wal";
    if (fs::exists(log, none)) copy("-wal", log);
  }
  ~ScratchCopy() {
    std::error_code none;
    for (const char* end : {"", "-wal", "-shm"}) fs::remove(file_.string() + end, none);
  }
  ScratchCopy(const ScratchCopy&) = delete;
  ScratchCopy& operator=(const ScratchCopy&) = delete;
  const fs::path& file() const { return file_; }

 private:
  void copy(const char* end, const fs::path& from) const {
    std::error_code trouble;
    fs::copy_file(from, file_.string() + end, fs::copy_options::overwrite_existing, trouble);
    if (trouble)
      throw Error("file-unwritable", {file_.string(), 0},
                  concat("no copy of ", quoted(from.string()), " can be made: ", trouble.message(), "."));
  }
  fs::path file_;
};

bool is_damage(const Error& error) { return error.code() == "store-damaged"; }

std::vector<std::string> columns_of(const Database& database, const std::string& table) {
  std::vector<std::string> names;
  Statement query(database, "SELECT name FROM pragma_table_info(?)");
  for (query.bind(table); query.step();) names.push_back(query.text(0));
  return names;
}

/// Copies the rows of one table whose pages can be read. A walk stops at the first damaged page; the rows behind it are
/// then asked for one by one, until the walk can begin again. Returns whether a part could not be read.
class TableCopy {
 public:
  TableCopy(const Database& from, const Database& to, const std::string& table)
      : walk_(from, select(from, to, table, ">=") + " ORDER BY id"),
        probe_(from, select(from, to, table, "=")),
        insert_(to, insert(from, to, table)) {}

  bool run() {
    bool damaged = false;
    for (std::int64_t id = 0, misses = 0; misses < most_misses; ++id) {
      try {
        for (walk_.bind(id); walk_.step(); id = walk_.integer(0) + 1) copy(walk_);
        return damaged;
      } catch (const Error& error) {
        if (!is_damage(error)) throw;
        damaged = true;
      }
      walk_.reset();
      for (misses = 0; misses < most_misses && !readable(id + 1); ++misses) ++id;
    }
    return damaged;
  }

 private:
  static constexpr int most_misses = 5000;  ///< one after the other: then the rest of the table is given up

  static std::string shared(const Database& from, const Database& to, const std::string& table) {
    const std::vector<std::string> there = columns_of(from, table);
    std::string names;
    for (const std::string& name : columns_of(to, table)) {
      if (std::find(there.begin(), there.end(), name) != there.end()) names += (names.empty() ? "" : ", ") + name;
    }
    return names;
  }
  static std::string select(const Database& from, const Database& to, const std::string& table, const char* which) {
    return concat("SELECT ", shared(from, to, table), " FROM ", table, " NOT INDEXED WHERE id ", which, " ?");
  }
  static std::string insert(const Database& from, const Database& to, const std::string& table) {
    const std::string names = shared(from, to, table);
    std::string marks = "?";
    for (const char c : names) marks += c == ',' ? ", ?" : "";
    return concat("INSERT OR IGNORE INTO ", table, "(", names, ") VALUES(", marks, ")");
  }

  bool readable(std::int64_t id) {
    try {
      const bool found = probe_.bind(id).step();
      probe_.reset();
      return found;
    } catch (const Error& error) {
      if (!is_damage(error)) throw;
      probe_.reset();
      return false;
    }
  }

  void copy(const Statement& row) {
    for (int i = 0; i < row.columns(); ++i) insert_.bind_column(row, i);
    try {
      insert_.run();
    } catch (const Error& error) {
      if (error.code() != "store-failed") throw;  // a row whose owner is lost
      insert_.reset();
    }
  }

  Statement walk_, probe_, insert_;
};

void copy_tables(const Database& from, const Database& to, Findings& lost) {
  Transaction transaction(to);
  for (const std::string table : store_tables) {
    bool damaged = false;
    try {
      if (columns_of(from, table).empty()) continue;
      damaged = TableCopy(from, to, table).run();
    } catch (const Error& error) {
      if (!is_damage(error)) throw;
      damaged = true;
    }
    if (damaged) {
      lost.push_back({Severity::warning,
                      "store-damaged",
                      {from.file().string(), 0},
                      concat("a part of the table ", quoted(table), " could not be read and is lost.")});
    }
  }
  transaction.commit();
}

}  // namespace

Findings salvage_store(const fs::path& from, const fs::path& to) {
  std::error_code none;
  const Where where{to.string(), 0};
  if (!fs::is_regular_file(from, none)) {
    throw Error("store-missing", {from.string(), 0}, "there is no such store of runs. Name another file with --store.");
  }
  if (fs::exists(to, none)) {
    throw Error("file-exists", where, "the file is there already. Name a new one for what is saved.");
  }
  Findings lost;
  try {
    const ScratchCopy copy(from, to);
    const Database damaged(copy.file(), Database::Mode::change, 1);
    // SQLite then also opens a file that is shorter than it says.
    sqlite3_db_config(damaged.get(), SQLITE_DBCONFIG_DEFENSIVE, 0, nullptr);
    damaged.execute("PRAGMA writable_schema = ON");
    if (store_version(damaged) == 0)
      throw Error("store-foreign", {from.string(), 0}, "it is not a store of runs: the file is empty.");
    Database saved(to, Database::Mode::create, 1);
    migrate_store(saved);
    copy_tables(damaged, saved, lost);
    if (!lost.empty() && saved.integer("SELECT count(*) FROM runs") == 0) {
      throw Error("store-damaged", {from.string(), 0}, "the file is damaged, and no run in it can be read.");
    }
  } catch (const Error& error) {
    for (const char* end : {"", "-wal", "-shm"}) fs::remove(to.string() + end, none);
    Findings errors = error.errors();
    for (Finding& finding : errors) {
      if (finding.where.file == to.string() + ".scratch") finding.where.file = from.string();
    }
    throw Error(errors);
  }
  for (Finding& finding : lost) finding.where.file = from.string();
  const Findings left = Store(to).verify();
  lost.insert(lost.end(), left.begin(), left.end());
  return lost;
}

}  // namespace articula
