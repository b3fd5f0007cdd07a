// Stores that are malicious, are replaced while in use, or have lost rows.

#include "store/store_support.h"
#include "support/names.h"

#include <articula/store/internal/sqlite.h>

namespace articula::test {
namespace {

using namespace store_test;
using testing::AllOf;
using testing::Contains;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

const std::vector<NewTask> one_task{{"motion", "simulate"}};

/// A sound store with one run, closed.
fs::path sample_file(const Folder& folder, std::int64_t rows = 30) {
  Store store(folder / "runs.db", Store::Access::write);
  add_sample(store, rows);
  return folder / "runs.db";
}

// What is in the file --------------------------------------------------------------------------------------------------

constexpr const char* endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) ";

TEST(StoreAttack, views_triggers_and_other_tables_are_refused_by_name) {
  const std::string view = std::string("DROP TABLE texts; CREATE VIEW texts AS ") + endless +
                           "SELECT i AS id, 1 AS run, '' AS role, '' AS path, 0 AS crc, '' AS text FROM n WHERE i < 0";
  const std::vector<std::pair<std::string, std::string>> attacks{
      {view,
       "\"texts\" in it is a view. A store holds only the tables that Articula makes. Name another file with "
       "--store.  [store-foreign]"},
      {"CREATE TRIGGER t AFTER UPDATE ON runs BEGIN DELETE FROM blocks; END", "\"t\" in it is a trigger. "},
      {"CREATE VIRTUAL TABLE words USING fts5(a)", "\"words\" in it is a virtual table. "},
      {"CREATE TABLE more(a)", "it is not a store of runs: it has \"more\". "},
      {"CREATE INDEX slow ON runs(hex(zeroblob(id)))", "it is not a store of runs: it has \"slow\". "},
      {"ALTER TABLE runs ADD COLUMN b AS (hex(zeroblob(1000000000)))",
       "\"runs\" in it is not as Articula makes it: the file is damaged, or another program has changed it. `articula "
       "runs salvage` saves what can be read in a new store.  [store-damaged]"},
      {"DROP TABLE log", "the table \"log\" is missing: "},
  };
  for (const auto& [attack, said] : attacks) {
    SCOPED_TRACE(attack);
    const Folder folder;
    const fs::path file = sample_file(folder);
    sql(file, "PRAGMA foreign_keys = OFF; " + attack);
    for (const auto access : {Store::Access::read, Store::Access::write}) {
      EXPECT_THAT(thrown([&] { Store store(file, access); }).text, HasSubstr("runs.db: "));
      EXPECT_THAT(thrown([&] { Store store(file, access); }).text, HasSubstr(said));
    }
    if (said.find(" in it is a ") != std::string::npos) {
      EXPECT_THAT(thrown([&] { salvage_store(file, folder / "new.db"); }).text,
                  HasSubstr("runs.db: it is not a store"));
      EXPECT_THAT(folder.files(), Not(Contains(StartsWith("new.db"))));
    }
  }
}

TEST(StoreAttack, a_query_without_end_ends) {
  const Folder folder;
  const Database database(folder / "any.db", Database::Mode::create, 1);
  const std::string said =
      "any.db: reading it takes more steps than a store of its size can need: the file is damaged, or was made to do "
      "harm. "
      "Nothing was changed. Use another store with --store.  [store-endless]";
  EXPECT_THAT(thrown([&] { Statement(database, std::string(endless) + "SELECT count(*) FROM n").step(); }).text,
              EndsWith(said));
  EXPECT_THAT(thrown([&] { Statement(database, std::string(endless) + "SELECT i FROM n").run(); }).text,
              EndsWith(said));
}

/// Makes a table a tree of a few pages, each with two hundred references to the next: it has practically endless rows.
void make_endless(const fs::path& file, const std::string& table) {
  constexpr std::size_t page = 4096, cells = 200, depth = 8;
  std::size_t root = 0;
  {
    const Database database(file, Database::Mode::change, 1);
    Statement query(database, "SELECT rootpage FROM sqlite_schema WHERE name = ?");
    query.bind(table).step();
    root = static_cast<std::size_t>(query.integer(0)) - 1;
    ASSERT_EQ(database.integer("PRAGMA page_size"), std::int64_t{page});
  }
  std::string bytes = content(file);
  const auto put_number = [](std::string& text, std::size_t at, std::size_t size, std::size_t number) {
    for (std::size_t k = 0; k < size; ++k) text[at + k] = static_cast<char>(number >> 8 * (size - 1 - k));
  };
  // Page types, cells and pointers as in "Database File Format" of SQLite, 1.6.
  const auto interior = [&](std::size_t child) {
    std::string text(page, '\0');
    text[0] = 5;
    put_number(text, 3, 2, cells);
    put_number(text, 5, 2, page - 5 * cells);
    put_number(text, 8, 4, child + 1);
    for (std::size_t k = 0; k < cells; ++k) {
      const std::size_t at = page - 5 * (k + 1);
      put_number(text, at, 4, child + 1);
      text[at + 4] = 1;
      put_number(text, 12 + 2 * k, 2, at);
    }
    return text;
  };
  bytes += bytes.substr(root * page, page);
  for (std::size_t k = 0; k < depth; ++k) bytes += interior(bytes.size() / page - 1);
  bytes.replace(root * page, page, interior(bytes.size() / page - 1));
  put_number(bytes, 28, 4, bytes.size() / page);
  put(file, bytes);
}

TEST(StoreAttack, a_table_without_end_ends) {
  for (const char* table : {"runs", "texts", "tasks", "blocks"}) {
    SCOPED_TRACE(table);
    const Folder folder;
    const fs::path file = sample_file(folder);
    make_endless(file, table);
    // Some of these do not meet the endless part; what counts is that all of them end.
    std::size_t found = 0;
    EXPECT_TRUE(thrown([&] { found = Store(file).verify().size(); }).code == "store-endless" || found > 0);
    thrown([&] { Store(file).list(); });
    thrown([&] { Store(file).run("latest"); });
    EXPECT_EQ(thrown([&] { salvage_store(file, folder / "new.db"); }).code, "store-endless");
  }
}

TEST(StoreAttack, a_store_of_version_3_is_read_as_it_is) {
  const Folder folder;
  sql(folder / "old.db", version_1);
  { Store store(folder / "old.db", Store::Access::write); }
  sql(folder / "old.db",
      "ALTER TABLE tasks DROP COLUMN rows; ALTER TABLE runs DROP COLUMN description; PRAGMA user_version = 3");
  const std::string before = content(folder / "old.db");
  {
    const Store store(folder / "old.db");
    EXPECT_THAT(store.verify(), IsEmpty());
    EXPECT_EQ(store.rows(store.run("latest").tasks[0].id).size(), 1u);
  }
  EXPECT_EQ(content(folder / "old.db"), before);
  Store store(folder / "old.db", Store::Access::write);
  EXPECT_THAT(store.verify(), IsEmpty());
}

// Where the file is ----------------------------------------------------------------------------------------------------

constexpr const char* taken_away =
    " was removed, renamed or replaced while the store was in use. What this process stored there may be lost. Put the "
    "file back where it was and look at it with `articula runs verify`, or run the study again.  [store-unwritable]";

TEST(StoreAttack, nothing_counts_as_stored_in_a_store_that_was_taken_away) {
  const std::vector<std::pair<std::string, std::function<void(const Folder&)>>> ways{
      {"removed", [](const Folder& f) { fs::remove(f / "runs.db"); }},
      {"renamed", [](const Folder& f) { fs::rename(f / "runs.db", f / "other.db"); }},
      {"replaced",
       [](const Folder& f) {
         { Store other(f / "other.db", Store::Access::write); }
         fs::rename(f / "other.db", f / "runs.db");
       }},
      {"without its log", [](const Folder& f) { fs::remove(f / "runs.db-wal"); }},
      {"linked elsewhere",
       [](const Folder& f) {
         { Store other(f / "other.db", Store::Access::write); }
         fs::remove(f / "link.db");
         fs::create_symlink("other.db", f / "link.db");
       }},
  };
  for (const auto& [way, act] : ways) {
    SCOPED_TRACE(way);
    const Folder folder;
    { Store made(folder / "runs.db", Store::Access::write); }
    fs::create_symlink("runs.db", folder / "link.db");
    Store store(folder / "link.db", Store::Access::write);
    const std::string id = store.add_run(RunOrigin::here(), one_task);
    TaskWriter writer = store.write(store.run(id).tasks[0].id);
    writer.columns(sample_signals);
    writer.row(sample_row(0));
    writer.flush();
    act(folder);
    writer.row(sample_row(1));
    const Thrown error = thrown([&] { writer.finish(RunStatus::done); });
    EXPECT_THAT(error.text, AllOf(StartsWith((folder / "link.db").string() + ": the "), EndsWith(taken_away)));
    EXPECT_EQ(thrown([&] { store.set_status(id, RunStatus::done); }).code, "store-unwritable");
    EXPECT_EQ(thrown([&] { store.add_run(RunOrigin::here(), one_task); }).code, "store-unwritable");
  }
}

TEST(StoreAttack, a_link_that_leads_nowhere_is_said_and_stays) {
  const Folder folder;
  fs::create_symlink("nowhere/runs.db", folder / "link.db");
  for (const auto access : {Store::Access::read, Store::Access::write}) {
    EXPECT_THAT(thrown([&] { Store store(folder / "link.db", access); }).text,
                EndsWith("link.db: it is a link to \"nowhere/runs.db\", and there is no such file. Put the store back "
                         "there, remove the link, or name another file with --store.  [store-missing]"));
  }
  EXPECT_TRUE(fs::is_symlink(folder / "link.db"));
}

TEST(StoreAttack, the_log_of_a_linked_store_is_read_where_nothing_may_be_written) {
  if (getuid() != 0) GTEST_SKIP() << "becomes another user, which only root may";
  const Folder folder;
  fs::create_directory(folder / "data");
  fs::create_directory(folder / "links");
  fs::create_symlink("../data/runs.db", folder / "links/runs.db");
  fs::permissions(folder / "data", fs::perms(0777));
  EXPECT_EQ(in_child([&]() -> int {
              Store store(folder / "data/runs.db", Store::Access::write);
              add_sample(store, 30);
              _exit(0);  // the log is not folded in
            }),
            0);
  ASSERT_GT(fs::file_size(folder / "data/runs.db-wal"), 0u);
  for (const char* part : {"", "-wal", "-shm"}) {
    fs::permissions((folder / "data/runs.db").string() + part, fs::perms(0666));
  }
  EXPECT_EQ(in_child([&] {
              if (setgid(65534) != 0 || setuid(65534) != 0) return 1;
              const Store store(folder / "links/runs.db");
              return store.list().size() == 1 && sound_rows(store, store.run("latest").tasks[0].id) == 30 ? 0 : 2;
            }),
            0);
  salvage_store(folder / "links/runs.db", folder / "saved.db");
  EXPECT_EQ(Store(folder / "saved.db").list().size(), 1u);
}

TEST(StoreAttack, a_store_of_two_names_is_not_written) {
  const Folder folder;
  const fs::path file = sample_file(folder);
  fs::create_hard_link(file, folder / "runs.db.making-0123456789");
  { Store store(file, Store::Access::write); }  // left by a process that was killed
  EXPECT_THAT(folder.files(), testing::ElementsAre("runs.db"));
  fs::create_hard_link(file, folder / "second.db");
  EXPECT_THAT(
      thrown([&] { Store store(folder / "second.db", Store::Access::write); }).text,
      EndsWith("second.db: it has 2 names (hard links). What is stored under one of them would be missing under "
               "the others. Remove the others, or use a copy.  [store-unwritable]"));
  EXPECT_EQ(Store(file).list().size(), 1u);
}

TEST(StoreAttack, a_new_store_does_not_take_up_the_log_of_another) {
  const Folder folder;
  EXPECT_EQ(in_child([&]() -> int {
              Store store(folder / "runs.db", Store::Access::write);
              add_sample(store, 30);
              fs::remove(folder / "runs.db");
              _exit(0);
            }),
            0);
  EXPECT_THAT(thrown([&] { Store store(folder / "runs.db", Store::Access::write); }).text,
              EndsWith("runs.db: the store is not there, but its log is, \"runs.db-wal\": the store was removed or "
                       "renamed, and its last rows are in the log. Put the store back, or remove the log, or name "
                       "another file with --store.  [store-log-alone]"));
  EXPECT_FALSE(fs::exists(folder / "runs.db"));
}

TEST(StoreAttack, salvage_writes_over_nothing) {
  const Folder folder;
  const fs::path file = sample_file(folder);
  fs::create_symlink("nowhere", folder / "link.db");
  put(folder / "new.db-wal", "mine");
  put(folder / "new.db.scratch", "mine");
  EXPECT_EQ(thrown([&] { salvage_store(file, file); }).code, "file-exists");
  EXPECT_EQ(thrown([&] { salvage_store(file, folder / "link.db"); }).code, "file-exists");
  EXPECT_EQ(thrown([&] { salvage_store(file, folder / "new.db"); }).code, "file-exists");
  fs::remove(folder / "new.db-wal");
  EXPECT_THAT(salvage_store(file, folder / "new.db"), IsEmpty());
  EXPECT_EQ(content(folder / "new.db.scratch"), "mine");
  EXPECT_THAT(folder.files(), testing::UnorderedElementsAre("runs.db", "new.db", "new.db.scratch", "link.db"));
}

TEST(StoreAttack, an_export_is_not_written_over_the_store) {
  const Folder folder;
  const fs::path file = sample_file(folder);
  fs::create_symlink("runs.db", folder / "out.csv");
  const std::string before = content(file);
  const Store store(file);
  const StoredRun run = store.run("latest");
  for (const auto& act : std::vector<std::function<void()>>{
           [&] { export_as("csv", store, run, std::span(run.tasks).subspan(0, 1), folder / "out.csv"); },
           [&] { export_as("hdf5", store, run, run.tasks, file); },
           [&] { export_as("mcap", store, run, run.tasks, file); }}) {
    EXPECT_THAT(thrown(act).text,
                EndsWith(": it is the store that the run is read from. Name another file.  [file-is-input]"));
  }
  EXPECT_EQ(content(file), before);
}

// Which rows are there -------------------------------------------------------------------------------------------------

TEST(StoreAttack, a_missing_last_block_is_found_and_computed_again) {
  const Folder folder;
  const fs::path file = sample_file(folder);
  sql(file, "DELETE FROM blocks WHERE first = 20");
  Store store(file, Store::Access::write);
  ASSERT_EQ(store.verify().size(), 1u);
  EXPECT_THAT(to_text(store.verify()[0]), HasSubstr("the rows from number 20 on are damaged, or missing."));
  const TaskId task = store.run("latest").tasks[0].id;
  EXPECT_TRUE(store.rows(task).damage);
  EXPECT_TRUE(store.rows(task, 15, 10).damage);
  EXPECT_FALSE(store.rows(task, 5, 10).damage);
  EXPECT_EQ(store.resume(task)->rows, 20);
  EXPECT_EQ(store.run("latest").tasks[0].status, RunStatus::interrupted) << "it is not done without its rows";
  EXPECT_THAT(store.verify(), IsEmpty());
}

TEST(StoreAttack, names_units_figures_and_checks_that_changed_are_found) {
  for (const char* change :
       {"UPDATE signals SET name = 'x' WHERE id = 1", "UPDATE signals SET unit = 'mm' WHERE id = 2",
        "UPDATE tasks SET kind = 'sweep'", "UPDATE runs SET seed = seed + 1", "UPDATE runs SET host = 'other'"}) {
    const Folder folder;
    const fs::path file = sample_file(folder);
    {
      Store store(file, Store::Access::write);
      store.set_status(store.find("latest"), RunStatus::done);
      EXPECT_THAT(store.verify(), IsEmpty());
    }
    sql(file, change);
    Store store(file, Store::Access::write);
    ASSERT_EQ(store.verify().size(), 1u) << change;
    EXPECT_EQ(store.verify()[0].code, "run-damaged");
    EXPECT_TRUE(store.run("latest").damage);
    EXPECT_EQ(thrown([&] { store.take_over(store.find("latest")); }).code, "run-damaged") << "it is not resumed";
    const Findings lost = salvage_store(file, folder / "saved.db");
    ASSERT_FALSE(lost.empty());
    EXPECT_EQ(lost[0].code, "run-damaged");
  }
}

TEST(StoreAttack, all_blocks_missing_is_found_too) {
  const Folder folder;
  const fs::path file = sample_file(folder);
  sql(file, "DELETE FROM blocks");
  EXPECT_THAT(to_text(Store(file).verify().at(0)), HasSubstr("the rows from number 0 on are damaged, or missing."));
}

TEST(StoreAttack, rows_of_more_or_fewer_signals_are_not_read) {
  for (const char* change :
       {"DELETE FROM signals WHERE name = 't'", "INSERT INTO signals(task, name, unit) VALUES(1, 'x', '')"}) {
    const Folder folder;
    const fs::path file = sample_file(folder);
    sql(file, change);
    Store store(file, Store::Access::write);
    const TaskId task = store.run("latest").tasks[0].id;
    EXPECT_EQ(store.rows(task).size(), 0u);
    EXPECT_THAT(store.verify(), Not(IsEmpty()));
    EXPECT_FALSE(store.resume(task));
    TaskWriter writer = store.write(task);
    writer.columns(sample_signals);
    writer.row(sample_row(0));
    writer.finish(RunStatus::done);
    EXPECT_THAT(store.verify(), IsEmpty());
  }
}

TEST(StoreAttack, a_salvaged_store_calls_no_task_done_whose_rows_are_missing) {
  const Folder folder;
  {
    Store store(folder / "runs.db", Store::Access::write);
    add_sample(store, 30);
    add_sample(store, 30);
  }
  sql(folder / "runs.db", "DELETE FROM blocks WHERE task = 1 AND first = 20");
  EXPECT_THAT(salvage_store(folder / "runs.db", folder / "saved.db"), Not(IsEmpty()));
  const Store store(folder / "saved.db");
  const std::vector<RunSummary> runs = store.list();
  EXPECT_EQ(runs[1].status, RunStatus::interrupted);
  EXPECT_EQ(store.run(runs[1].id).tasks[0].status, RunStatus::interrupted);
  EXPECT_EQ(store.run(runs[1].id).tasks[0].message, "rows were lost");
  EXPECT_EQ(runs[0].status, RunStatus::done);
  EXPECT_EQ(store.run(runs[0].id).tasks[0].status, RunStatus::done);
}

}  // namespace
}  // namespace articula::test
