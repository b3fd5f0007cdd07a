// Copies the readable part of a damaged store to a new one.

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <system_error>

#include <articula/base/text.h>
#include <articula/store/store.h>

#include <articula/text/output_file.h>
#include "internal/description.h"
#include "internal/schema.h"
#include "internal/sqlite.h"
#include "internal/store_impl.h"

namespace articula::store {

namespace fs = std::filesystem;

namespace {

/// A temporary folder next to `to`, removed at the end. It contains a copy of the damaged file and its log, so that the
/// original is not changed, and the new store until it is complete.
class Scratch {
 public:
  Scratch(const fs::path& from, const fs::path& to) : to_(to) {
    std::string name = to.string() + ".scratch-XXXXXX";
    if (mkdtemp(name.data()) == nullptr) fail("no folder can be made next to it", errno);
    folder_ = name;
    try {
      copy(real_path(from), damaged());
    } catch (const Error&) {
      remove();
      throw;
    }
  }
  ~Scratch() { remove(); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  fs::path damaged() const { return folder_ / "damaged.db"; }
  fs::path saved() const { return folder_ / "saved.db"; }

  /// Renames the new store to its final name, unless a file with this name exists by then.
  void place() const {
    if (const int cause = place_new_file(saved(), to_)) fail("it cannot be put in its place", cause);
  }

 private:
  [[noreturn]] void fail(std::string_view what, int cause) const {
    throw Error("file-unwritable", {to_.string(), 0},
                concat(what, ": ", system_message(cause), ". Name another file."));
  }
  void copy(const fs::path& from, const fs::path& file) const {
    for (const char* end : {"", "-wal"}) {
      std::error_code trouble;
      const bool wanted = *end == '\0' || fs::exists(from.string() + end, trouble);
      if (wanted) fs::copy_file(from.string() + end, file.string() + end, trouble);
      if (trouble)
        throw Error("file-unwritable", {to_.string(), 0},
                    concat("no copy of ", quoted(from.string()), " can be made: ", trouble.message(), "."));
    }
  }
  void remove() const {
    std::error_code none;
    fs::remove_all(folder_, none);
  }
  fs::path to_, folder_;
};

bool is_damage(const Error& error) { return error.code() == "store-damaged"; }

std::vector<std::string> columns_of(const Database& database, const std::string& table) {
  std::vector<std::string> names;
  Statement query(database, "SELECT name FROM pragma_table_info(?)");
  for (query.bind(table); query.step();) names.push_back(query.text(0));
  return names;
}

/// Copies the rows of one table whose pages can be read. A scan stops at the first damaged page; the rows after it are
/// then requested one by one until a scan works again. Returns whether a part could not be read.
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
  static constexpr int most_misses = 5000;  ///< consecutive; after that the rest of the table is skipped

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

/// Adds findings about lost data; returns whether rows of tasks may be missing without another trace.
bool copy_tables(const Database& from, const Database& to, Findings& lost) {
  bool rows_lost = false;
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
    rows_lost |= damaged && (table == "tasks" || table == "blocks" || table == "checkpoints");
    if (damaged) {
      lost.push_back({Severity::warning,
                      "store-damaged",
                      {from.file().string(), 0},
                      concat("a part of the table ", quoted(table), " could not be read and is lost.")});
    }
  }
  transaction.commit();
  return rows_lost;
}

/// Runs that agree with their sealed description. The others lose their seal, and are reported.
std::vector<std::int64_t> sound_descriptions(const Database& saved, Findings& lost) {
  std::vector<std::int64_t> all, sound;
  for (Statement query(saved, "SELECT id FROM runs WHERE description IS NOT NULL"); query.step();)
    all.push_back(query.integer(0));
  for (const std::int64_t run : all) {
    if (const auto damage = damaged_description(saved, run)) {
      lost.push_back(*damage);
      unseal_description(saved, run);
    } else {
      sound.push_back(run);
    }
  }
  return sound;
}

/// Marks tasks with missing rows, and their runs, as interrupted. `all` applies this to every task: for older versions
/// the number of rows is unknown.
void mark_interrupted(const Database& saved, bool all) {
  Transaction transaction(saved);
  const auto done = static_cast<std::int64_t>(RunStatus::done);
  const auto interrupted = static_cast<std::int64_t>(RunStatus::interrupted);
  std::vector<TaskId> tasks;
  Statement query(saved, "SELECT id FROM tasks WHERE status = ?");
  for (query.bind(done); query.step();) tasks.push_back(TaskId{query.integer(0)});
  Statement mark(saved, "UPDATE tasks SET status = ?, message = 'rows were lost' WHERE id = ?");
  for (const TaskId task : tasks) {
    const bool damaged = each_sound_block(saved, task, 0, INT64_MAX, [](const StoredRows&) {}).has_value();
    if (damaged || all) mark.bind(interrupted).bind(static_cast<std::int64_t>(task)).run();
  }
  Statement(saved,
            "UPDATE runs SET status = ?1 WHERE status = ?2 AND (?3"
            " OR EXISTS (SELECT 1 FROM tasks WHERE tasks.run = runs.id AND tasks.status = ?1))")
      .bind(interrupted)
      .bind(done)
      .bind(std::int64_t{all})
      .run();
  transaction.commit();
}

}  // namespace

Findings salvage_store(const fs::path& from, const fs::path& to) {
  std::error_code none;
  if (!fs::is_regular_file(from, none)) {
    throw Error("store-missing", {from.string(), 0}, "there is no such store of runs. Name another file with --store.");
  }
  for (const char* end : {"", "-wal", "-shm", "-lock", "-journal"}) {
    if (!fs::exists(fs::symlink_status(to.string() + end, none))) continue;
    throw Error("file-exists", {to.string() + end, 0}, "the file is there already. Name a new one for what is saved.");
  }
  Findings lost;
  const Scratch scratch(from, to);
  try {
    const Database damaged(scratch.damaged(), Database::Mode::change, 1);
    // Lets SQLite open a file that is shorter than its header says.
    sqlite3_db_config(damaged.get(), SQLITE_DBCONFIG_DEFENSIVE, 0, nullptr);
    damaged.execute("PRAGMA writable_schema = ON");
    const int version = damaged_store_version(damaged);
    if (version == 0) throw Error("store-foreign", {from.string(), 0}, "it is not a store of runs: the file is empty.");
    const Database saved(scratch.saved(), Database::Mode::create, 1);
    migrate_store(saved);
    const bool rows_lost = copy_tables(damaged, saved, lost);
    if (version < 4) record_rows(saved);
    const std::vector<std::int64_t> sound = sound_descriptions(saved, lost);
    mark_interrupted(saved, rows_lost && version < 4);
    for (const std::int64_t run : sound) seal_description(saved, run);
    if (!lost.empty() && saved.integer("SELECT count(*) FROM runs") == 0) {
      throw Error("store-damaged", {from.string(), 0}, "the file is damaged, and no run in it can be read.");
    }
  } catch (const Error& error) {
    Findings errors = error.errors();
    for (Finding& finding : errors) {
      if (finding.where.file == scratch.damaged()) finding.where.file = from.string();
      if (finding.where.file == scratch.saved()) finding.where.file = to.string();
    }
    throw Error(errors);
  }
  scratch.place();
  for (Finding& finding : lost) finding.where.file = from.string();
  const Findings left = Store(to).verify();
  lost.insert(lost.end(), left.begin(), left.end());
  return lost;
}

}  // namespace articula::store
