// Stored data can be read back, from every version; other files are not accepted as a store.

#include "store/store_support.h"
#include "support/names.h"

#include <array>
#include <bit>
#include <limits>
#include <thread>

namespace articula::test {
namespace {

using namespace store_test;
using testing::AllOf;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(Store, a_run_comes_back_as_it_was_put_in) {
  const Folder folder;
  const RunOrigin provenance = sample_provenance();
  const std::vector<NewTask> tasks{{"motion", "simulate"}, {"torques", "inverse_dynamics"}};
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<CheckResult> checks{
      {"motion", "end", "q.joint1", 1.53, 1.5300001, 1e-7, true, "", "[LWR] table 1", "rad", 1.5, std::nullopt},
      {"motion", "start", "q.joint1", 0.1, nan, 1e-7, false, "there is no such time", ""}};
  std::string id;
  {
    Store store(folder / "runs.db", Store::Access::write);
    id = store.add_run(provenance, tasks);
    store.set_checks(id, checks);
    store.set_checks(id, checks);
    const TaskId motion = store.run(id).task("motion").id;
    store.set_counts(motion, std::array<Count, 2>{{{"steps", 3}, {"right-hand sides", 1924}}});
    store.set_counts(motion, std::array<Count, 1>{{{"steps", 4}}});
    store.add_log(id, {{Severity::warning, "a-code", {"arm.yaml", 7}, "look here."}});
    TaskWriter writer = store.write(motion);
    writer.columns(sample_signals);
    for (int i = 0; i < 25; ++i) writer.row(sample_row(i));
    EXPECT_EQ(writer.rows(), 25);
    writer.finish(RunStatus::failed, "stalled at 0.24 s");
    store.set_status(id, RunStatus::failed);
  }
  EXPECT_THAT(folder.files(), ElementsAre("runs.db")) << "one file is left";
  const Store store(folder / "runs.db");
  const StoredRun run = store.run(id);
  EXPECT_EQ(run.provenance, provenance);
  EXPECT_EQ(run.status, RunStatus::failed);
  ASSERT_EQ(run.tasks.size(), 2u);
  EXPECT_EQ(run.tasks[0].kind, "simulate");
  EXPECT_EQ(run.tasks[0].signals, sample_signals);
  EXPECT_EQ(run.tasks[0].status, RunStatus::failed);
  EXPECT_EQ(run.tasks[0].message, "stalled at 0.24 s");
  EXPECT_THAT(run.tasks[0].counts, ElementsAre(Count{"steps", 4}, Count{"right-hand sides", 1924}));
  EXPECT_EQ(run.tasks[1].status, RunStatus::waiting);
  ASSERT_EQ(run.checks.size(), 2u);
  EXPECT_EQ(run.checks[0], checks[0]);
  EXPECT_TRUE(std::isnan(run.checks[1].got));
  ASSERT_EQ(run.log.size(), 1u);
  EXPECT_EQ(to_text(run.log[0]), "arm.yaml:7: look here.  [a-code]");
  EXPECT_EQ(sound_rows(store, run.tasks[0].id), 25);
  EXPECT_THAT(store.verify(), IsEmpty());
  ASSERT_EQ(store.list().size(), 1u);
  EXPECT_EQ(store.list()[0].rows, 25);
  EXPECT_EQ(store.list()[0].checks_passed, 1);
  EXPECT_EQ(store.list()[0].checks_failed, 1);
}

TEST(Store, every_double_keeps_its_bits) {
  const Folder folder;
  Store store(folder / "runs.db", Store::Access::write);
  const std::vector<NewTask> tasks{{"a", "b"}};
  const TaskId task = store.run(store.add_run({}, tasks)).tasks[0].id;
  const std::vector<double> odd{-0.0, 5e-324, 1.7976931348623157e308, std::numeric_limits<double>::infinity(),
                                std::bit_cast<double>(0x7ff8000000000123)};
  TaskWriter writer = store.write(task);
  writer.columns(std::vector<StoredSignal>{{"a", ""}, {"b", ""}, {"c", ""}, {"d", ""}, {"e", ""}});
  writer.row(odd);
  writer.flush();
  const StoredRows rows = store.rows(task);
  ASSERT_EQ(rows.values.size(), odd.size());
  EXPECT_EQ(std::memcmp(rows.values.data(), odd.data(), odd.size() * sizeof(double)), 0);
}

TEST(Store, rows_are_read_by_range_across_blocks) {
  const Folder folder;
  Store store(folder / "runs.db", Store::Access::write);
  const TaskId task = store.run(add_sample(store, 95)).tasks[0].id;
  for (const auto& [first, count, expected] : std::vector<std::array<std::int64_t, 3>>{
           {0, 95, 95}, {0, 5, 5}, {7, 20, 20}, {10, 10, 10}, {90, 100, 5}, {95, 1, 0}, {200, 5, 0}, {3, 0, 0}}) {
    const StoredRows rows = store.rows(task, first, count);
    ASSERT_EQ(static_cast<std::int64_t>(rows.size()), expected) << first << " " << count;
    EXPECT_FALSE(rows.damage);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      EXPECT_EQ(rows.row(i)[1], sample_row(first + static_cast<std::int64_t>(i))[1]);
    }
  }
  const std::vector<double> v = store.column(task, "v.joint1");
  ASSERT_EQ(v.size(), 95u);
  EXPECT_EQ(v[94], sample_row(94)[2]);
  EXPECT_THAT(thrown([&] { store.column(task, "q.joint2"); }).text,
              EndsWith("signal \"q.joint2\" not found. Did you mean \"q.joint1\"? Signals: t, q.joint1, v.joint1.  "
                       "[no-such-signal]"));
}

TEST(Store, a_run_is_found_by_its_id_by_a_beginning_and_as_the_latest) {
  const Folder folder;
  Store store(folder / "runs.db", Store::Access::write);
  EXPECT_THAT(thrown([&] { store.find("latest"); }).text, HasSubstr("the store holds no run yet."));
  std::vector<std::string> ids;
  for (int i = 0; i < 17; ++i) ids.push_back(add_sample(store, 1));
  EXPECT_EQ(store.find("latest"), ids.back());
  EXPECT_EQ(store.find(ids[3]), ids[3]);
  EXPECT_EQ(store.find(ids[3].substr(0, 9)), ids[3]);
  EXPECT_EQ(store.list()[0].id, ids.back());
  // 17 ids of 16 digits: two of them begin alike.
  std::string shared;
  for (const std::string& a : ids) {
    for (const std::string& b : ids) shared = a != b && a[0] == b[0] ? a.substr(0, 1) : shared;
  }
  EXPECT_THAT(thrown([&] { store.find(shared); }).text, HasSubstr("\" begins the ids of "));
  EXPECT_EQ(thrown([&] { store.find(shared); }).code, "run-ambiguous");
  EXPECT_THAT(thrown([&] { store.find("xyz"); }).text,
              AllOf(HasSubstr("run \"xyz\" not found. Runs: latest, "), EndsWith("[no-such-run]")));
  EXPECT_EQ(thrown([&] { store.find(""); }).code, "no-such-run");
  EXPECT_THAT(thrown([&] { store.run("latest").task("motoin"); }).text,
              EndsWith("not found in run " + ids.back() + ". Did you mean \"motion\"? Tasks: motion.  [no-such-task]"));
}

TEST(Store, names_with_anything_in_them_come_back) {
  const Folder folder;
  using namespace std::string_literals;
  const std::string odd = "'); DROP TABLE runs;-- \"<script>\n\r\x01\0é"s;
  Store store(folder / "a ?#%'\".db", Store::Access::write);
  RunOrigin provenance{odd, {{odd, odd, odd}}, odd, odd, odd, odd, 1, {{odd, odd}}};
  const std::vector<NewTask> tasks{{odd, odd}};
  const std::string id = store.add_run(provenance, tasks);
  TaskWriter writer = store.write(store.run(id).tasks[0].id);
  writer.columns(std::vector<StoredSignal>{{odd, odd}});
  writer.row(std::array{1.0});
  writer.finish(RunStatus::done, odd);
  const StoredRun run = store.run(id);
  EXPECT_EQ(run.provenance, provenance);
  EXPECT_EQ(run.tasks[0].name, odd);
  EXPECT_EQ(run.tasks[0].message, odd);
  EXPECT_THAT(run.tasks[0].signals, ElementsAre(StoredSignal{odd, odd}));
  EXPECT_EQ(store.column(run.tasks[0].id, odd), std::vector<double>{1.0});
}

TEST(Store, wrong_rows_and_other_columns_are_refused) {
  const Folder folder;
  Store store(folder / "runs.db", Store::Access::write);
  const TaskId task = store.run(add_sample(store, 5)).tasks[0].id;
  TaskWriter writer = store.write(task);
  EXPECT_THAT(thrown([&] {
                writer.columns(std::vector<StoredSignal>{{"t", "s"}, {"x", "m"}});
              }).text,
              EndsWith("the task has the signals t, x, but stored are t, q.joint1, v.joint1. A run goes on with the "
                       "same signals only. Begin a new run.  [run-changed]"));
  writer.columns(sample_signals);
  EXPECT_EQ(thrown([&] { writer.row(std::array{1.0}); }).text,
            "a row has 1 values. The task has 3 signals.  [row-size]");
}

TEST(Store, resume_keeps_the_rows_until_the_last_checkpoint) {
  const Folder folder;
  Store store(folder / "runs.db", Store::Access::write);
  const std::vector<NewTask> tasks{{"motion", "simulate"}};
  const TaskId task = store.run(store.add_run({}, tasks)).tasks[0].id;
  {
    TaskWriter writer = store.write(task);
    writer.columns(sample_signals);
    for (int i = 0; i < 30; ++i) {
      writer.row(sample_row(i));
      if (i == 9 || i == 19) writer.checkpoint(i, bytes_of(i + 1));
      if (i == 14) writer.flush();  // a block that ends elsewhere than a checkpoint
    }
  }
  EXPECT_EQ(sound_rows(store, task), 30);
  const std::optional<Checkpoint> checkpoint = store.resume(task);
  ASSERT_TRUE(checkpoint);
  EXPECT_EQ(checkpoint->rows, 20);
  EXPECT_EQ(checkpoint->t, 19);
  EXPECT_EQ(number_of(checkpoint->bytes), 20);
  EXPECT_EQ(sound_rows(store, task), 20);
  TaskWriter writer = store.write(task);
  writer.columns(sample_signals);
  for (int i = 20; i < 40; ++i) writer.row(sample_row(i));
  writer.finish(RunStatus::done);
  EXPECT_EQ(sound_rows(store, task), 40);
  EXPECT_THAT(store.verify(), IsEmpty());
}

TEST(Store, a_task_without_checkpoint_begins_anew) {
  const Folder folder;
  Store store(folder / "runs.db", Store::Access::write);
  const std::vector<NewTask> tasks{{"motion", "simulate"}};
  const TaskId task = store.run(store.add_run({}, tasks)).tasks[0].id;
  {
    TaskWriter writer = store.write(task);
    writer.columns(sample_signals);
    writer.row(sample_row(0));
  }
  EXPECT_EQ(sound_rows(store, task), 1);
  EXPECT_FALSE(store.resume(task));
  EXPECT_EQ(sound_rows(store, task), 0);
}

TEST(Store, rows_are_committed_when_it_is_time) {
  const Folder folder;
  Store store(folder / "runs.db", Store::Access::write, {.commit_every = 1e9, .commit_bytes = 2400});
  const std::vector<NewTask> tasks{{"motion", "simulate"}};
  const TaskId task = store.run(store.add_run({}, tasks)).tasks[0].id;
  const Store reader(folder / "runs.db");
  TaskWriter writer = store.write(task);
  writer.columns(sample_signals);
  for (int i = 0; i < 99; ++i) writer.row(sample_row(i));
  EXPECT_EQ(sound_rows(reader, task), 0);
  writer.row(sample_row(99));  // 100 rows of 24 bytes
  EXPECT_EQ(sound_rows(reader, task), 100);
  Store hasty(folder / "other.db", Store::Access::write, {.commit_every = 0});
  const TaskId other = hasty.run(hasty.add_run({}, tasks)).tasks[0].id;
  TaskWriter quick = hasty.write(other);
  quick.columns(sample_signals);
  quick.row(sample_row(0));
  EXPECT_EQ(sound_rows(Store(folder / "other.db"), other), 1);
}

TEST(Store, threads_write_their_tasks_at_once) {
  const Folder folder;
  Store store(folder / "runs.db", Store::Access::write, {.commit_every = 0.001});
  std::vector<NewTask> tasks;
  for (int i = 0; i < 8; ++i) tasks.push_back({"task" + std::to_string(i), "simulate"});
  const StoredRun run = store.run(store.add_run({}, tasks));
  std::vector<std::thread> threads;
  for (const StoredTask& task : run.tasks) {
    threads.emplace_back([&store, id = task.id] {
      TaskWriter writer = store.write(id);
      writer.columns(sample_signals);
      for (int i = 0; i < 5000; ++i) writer.row(sample_row(i));
      writer.finish(RunStatus::done);
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const StoredTask& task : run.tasks) EXPECT_EQ(sound_rows(store, task.id), 5000);
}

// Which run may be touched -------------------------------------------------------------------------------------------

TEST(Store, a_run_of_a_living_process_is_neither_deleted_nor_taken_over) {
  const Folder folder;
  const std::vector<NewTask> tasks{{"motion", "simulate"}};
  int ready[2], go[2];
  ASSERT_EQ(pipe(ready), 0);
  ASSERT_EQ(pipe(go), 0);
  const pid_t child = fork();
  if (child == 0) {
    Store store(folder / "runs.db", Store::Access::write);
    const TaskId task = store.run(store.add_run(RunOrigin::here(), tasks)).tasks[0].id;
    TaskWriter writer = store.write(task);
    writer.flush();
    char c = 'x';
    _exit(write(ready[1], &c, 1) == 1 && read(go[0], &c, 1) == 1 ? 0 : 1);
  }
  char c = 'x';
  ASSERT_EQ(read(ready[0], &c, 1), 1);
  Store store(folder / "runs.db", Store::Access::write);
  const std::string id = store.find("latest");
  EXPECT_EQ(store.run(id).status, RunStatus::running);
  EXPECT_EQ(store.run(id).tasks[0].status, RunStatus::running);
  EXPECT_THAT(thrown([&] { store.delete_run(id); }).text,
              AllOf(HasSubstr("run " + id + " is running on "),
                    EndsWith("and cannot be deleted. Wait until it has ended, or end it.  [run-is-running]")));
  EXPECT_EQ(thrown([&] { store.take_over(id); }).code, "run-is-running");
  ASSERT_EQ(write(go[1], &c, 1), 1);
  waitpid(child, nullptr, 0);
  for (const int end : {ready[0], ready[1], go[0], go[1]}) close(end);
  EXPECT_EQ(store.run(id).status, RunStatus::interrupted) << "it did not say how it ended";
  EXPECT_EQ(store.run(id).tasks[0].status, RunStatus::interrupted);
  store.take_over(id);
  EXPECT_EQ(store.run(id).status, RunStatus::running);
  EXPECT_EQ(store.run(id).process, this_process());
  EXPECT_EQ(store.run(id).tasks[0].status, RunStatus::interrupted);
  store.delete_run(id);
  EXPECT_THAT(store.list(), IsEmpty());
}

TEST(Store, a_deleted_run_leaves_nothing_and_gives_its_room_back) {
  const Folder folder;
  Store store(folder / "runs.db", Store::Access::write);
  const std::string kept = add_sample(store, 10);
  const std::string gone = add_sample(store, 20000, 1000);
  store.delete_run(gone);
  { const Store other = std::move(store); }
  EXPECT_LT(fs::file_size(folder / "runs.db"), 200'000u);
  const Store reader(folder / "runs.db");
  ASSERT_EQ(reader.list().size(), 1u);
  EXPECT_EQ(sound_rows(reader, reader.run(kept).tasks[0].id), 10);
  EXPECT_EQ(thrown([&] { reader.run(gone); }).code, "no-such-run");
}

// Which file is a store ----------------------------------------------------------------------------------------------

TEST(Store, a_store_of_version_1_is_brought_to_the_newest_version) {
  const Folder folder;
  sql(folder / "old.db", version_1);
  const Store store(folder / "old.db");
  const StoredRun run = store.run("aa");
  EXPECT_EQ(run.provenance.study, "old study");
  EXPECT_EQ(run.status, RunStatus::done);
  EXPECT_EQ(run.process, "");
  EXPECT_EQ(run.checks, (std::vector<CheckResult>{{"motion", "end", "t", 0, 0, 0, true, "fine", ""}}));
  EXPECT_THAT(run.log, IsEmpty());
  EXPECT_EQ(store.rows(run.tasks[0].id).values, std::vector<double>{0.0});
  Store again(folder / "old.db", Store::Access::write);
  again.add_log("aaaaaaaaaa", {{Severity::note, "a-code", {}, "new."}});
  EXPECT_EQ(store.run("aa").log.size(), 1u);
}

TEST(Store, a_newer_store_is_refused) {
  const Folder folder;
  { Store store(folder / "runs.db", Store::Access::write); }
  sql(folder / "runs.db", "PRAGMA user_version = 99");
  for (const auto access : {Store::Access::read, Store::Access::write}) {
    EXPECT_THAT(thrown([&] { Store store(folder / "runs.db", access); }).text,
                EndsWith("runs.db: it is a store of version 99. This program knows versions 1 to 4. Use the newer "
                         "Articula that wrote it.  [store-newer]"));
  }
}

TEST(Store, other_files_are_not_taken_for_a_store_and_not_touched) {
  const Folder folder;
  put(folder / "text",
      "articula: 1\nname: not a database, but longer than the head of one would be\n" + std::string(200, 'x'));
  put(folder / "empty", "");
  sql(folder / "other.db", "CREATE TABLE a(b); INSERT INTO a VALUES(1)");
  fs::create_directory(folder / "folder");
  for (const char* name : {"text", "other.db"}) {
    const std::string before = content(folder / name);
    for (const auto access : {Store::Access::read, Store::Access::write}) {
      const Thrown error = thrown([&] { Store store(folder / name, access); });
      EXPECT_EQ(error.code, "store-foreign");
      EXPECT_THAT(error.text, HasSubstr(std::string(name) + ": it is not a store of runs: it is "));
    }
    EXPECT_EQ(content(folder / name), before);
  }
  EXPECT_THAT(thrown([&] { Store store(folder / "empty"); }).text, HasSubstr("the file is empty."));
  EXPECT_THAT(thrown([&] { Store store(folder / "folder"); }).text,
              EndsWith("folder: it is a folder. Name a file in it with --store.  [store-foreign]"));
  EXPECT_THAT(thrown([&] { Store store("/dev/null"); }).text, HasSubstr("it is not a regular file."));
  EXPECT_THAT(thrown([&] { Store store(folder / "none.db"); }).text,
              EndsWith("none.db: there is no such store of runs. `articula run` makes one; name another file with "
                       "--store.  [store-missing]"));
  EXPECT_FALSE(fs::exists(folder / "none.db"));
  EXPECT_EQ(thrown([&] { Store store(folder / "no/such.db", Store::Access::write); }).code, "store-unwritable");
}

}  // namespace
}  // namespace articula::test
