// A store that was made to do harm, or that has lost rows.

#include "store_support.h"

#include <articula/study/internal/sqlite.h>

namespace {

using namespace articula;
using namespace store_test;
using testing::Contains;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

/// A sound store of one run, closed.
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
      "Nothing was changed. Use another store with --store.  [store-damaged]";
  EXPECT_THAT(thrown([&] { Statement(database, std::string(endless) + "SELECT count(*) FROM n").step(); }).text,
              EndsWith(said));
  EXPECT_THAT(thrown([&] { Statement(database, std::string(endless) + "SELECT i FROM n").run(); }).text,
              EndsWith(said));
}

TEST(StoreAttack, a_store_of_version_3_is_read_as_it_is) {
  const Folder folder;
  sql(folder / "old.db", version_1);
  { Store store(folder / "old.db", Store::Access::write); }
  sql(folder / "old.db", "ALTER TABLE tasks DROP COLUMN rows; PRAGMA user_version = 3");
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
