// Failures that a store survives: kill −9, a full disk, a folder without write permission, other writers, damage, lack
// of memory.

#include "store/store_support.h"
#include "support/names.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <random>
#include <thread>

namespace articula::test {
namespace {

using namespace store_test;
using testing::AllOf;
using testing::AnyOf;
using testing::Each;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

constexpr int nobody = 65534;

const std::vector<NewTask> one_task{{"motion", "simulate"}};

// Kill −9 --------------------------------------------------------------------------------------------------------------

constexpr std::int64_t rows_of_run = 20000;

/// Begins or continues the only run of the store, and reports after each commit how many rows are safe.
int write_run(const fs::path& file, std::atomic<std::int64_t>& safe) {
  Store store(file, Store::Access::write);
  const std::string id = store.list().empty() ? store.add_run(RunOrigin::here(), one_task) : store.find("latest");
  store.take_over(id);
  const TaskId task = store.run(id).tasks[0].id;
  const std::optional<Checkpoint> checkpoint = store.resume(task);
  TaskWriter writer = store.write(task);
  writer.columns(sample_signals);
  std::int64_t i = checkpoint ? number_of(checkpoint->bytes) : 0;
  if (i != writer.rows()) return 1;
  for (; i < rows_of_run; ++i) {
    writer.row(sample_row(i));
    if (i % 7 == 6) writer.checkpoint(sample_row(i)[0], bytes_of(i + 1));
    if (i % 50 == 40) {
      writer.flush();
      safe = i + 1;
    }
  }
  writer.finish(RunStatus::done);
  store.set_status(id, RunStatus::done);
  return 0;
}

TEST(StoreFailure, kill_at_random_moments_takes_no_committed_row_and_the_run_goes_on_to_the_same_bits) {
  const char* wish = std::getenv("ARTICULA_KILLS");
  const int kills = wish == nullptr ? 10 : std::atoi(wish);
  const unsigned seed = std::random_device()();
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  std::mt19937 random(seed);
  void* shared =
      mmap(nullptr, sizeof(std::atomic<std::int64_t>), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(shared, MAP_FAILED);
  auto& safe = *new (shared) std::atomic<std::int64_t>(0);
  const Folder folder;
  fs::path file = folder / "0.db";
  int killed = 0, runs = 0;
  while (killed < kills) {
    safe = 0;
    const pid_t child = fork();
    if (child == 0) _exit(write_run(file, safe));
    std::this_thread::sleep_for(std::chrono::microseconds(std::uniform_int_distribution(0, 60000)(random)));
    kill(child, SIGKILL);
    int status = 0;
    waitpid(child, &status, 0);
    if (WIFEXITED(status)) {
      ASSERT_EQ(WEXITSTATUS(status), 0);
    } else {
      ++killed;
    }
    if (!fs::exists(file)) continue;
    Store store(file, Store::Access::write);
    EXPECT_THAT(store.verify(), IsEmpty());
    if (store.list().empty()) continue;
    const StoredTask task = store.run("latest").tasks[0];
    EXPECT_GE(sound_rows(store, task.id), safe) << "a committed row is lost";
    EXPECT_THAT(task.status, AnyOf(RunStatus::interrupted, RunStatus::done, RunStatus::waiting));
    if (task.status == RunStatus::done) file = folder / (std::to_string(++runs) + ".db");
  }
  // The last one is brought to its end undisturbed.
  ASSERT_EQ(in_child([&] { return write_run(file, safe); }), 0);
  const Store store(file);
  EXPECT_EQ(sound_rows(store, store.run("latest").tasks[0].id), rows_of_run);
  EXPECT_EQ(store.run("latest").status, RunStatus::done);
  munmap(shared, sizeof(std::atomic<std::int64_t>));
}

// No room, no permission, no lock, no memory -----------------------------------------------------------------------------

TEST(StoreFailure, a_full_disk_is_said_and_what_was_committed_stays) {
  const Folder folder;
  const fs::path file = folder / "runs.db";
  std::string id;
  {
    Store store(file, Store::Access::write);
    id = store.add_run(RunOrigin::here(), one_task);
  }
  const int code = in_child([&] {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{400'000, 400'000};
    setrlimit(RLIMIT_FSIZE, &limit);
    Store store(file, Store::Access::write);
    const TaskId task = store.run(id).tasks[0].id;
    TaskWriter writer = store.write(task);
    writer.columns(sample_signals);
    std::int64_t safe = 0;
    const Thrown error = thrown([&] {
      for (std::int64_t i = 0; i < 1'000'000; ++i) {
        writer.row(sample_row(i));
        if (i % 500 != 499) continue;
        writer.checkpoint(0, bytes_of(i + 1));
        writer.flush();
        safe = i + 1;
      }
    });
    if (error.code != "store-full" || safe == 0) return std::fprintf(stderr, "%s\n", error.text.c_str()), 1;
    if (error.text != file.string() +
                          ": there is no room for more (File too large). What was stored before is kept. Make room on "
                          "the disk, then resume the run.  [store-full]") {
      return 2;
    }
    if (sound_rows(store, task) != safe) return 3;
    put(folder / "safe", std::to_string(safe));
    return 0;
  });
  ASSERT_EQ(code, 0);
  // With room again the run goes on.
  Store store(file, Store::Access::write);
  const TaskId task = store.run(id).tasks[0].id;
  const std::int64_t safe = std::stoll(content(folder / "safe"));
  EXPECT_EQ(sound_rows(store, task), safe);
  EXPECT_THAT(store.verify(), IsEmpty());
  const std::optional<Checkpoint> checkpoint = store.resume(task);
  ASSERT_TRUE(checkpoint);
  EXPECT_EQ(number_of(checkpoint->bytes), safe);
}

TEST(StoreFailure, rows_that_found_no_room_are_written_when_there_is_room_again) {
  const Folder folder;
  const int code = in_child([&] {
    std::signal(SIGXFSZ, SIG_IGN);
    Store store(folder / "runs.db", Store::Access::write);
    const TaskId task = store.run(store.add_run(RunOrigin::here(), one_task)).tasks[0].id;
    TaskWriter writer = store.write(task);
    writer.columns(sample_signals);
    writer.flush();
    rlimit limit{};
    getrlimit(RLIMIT_FSIZE, &limit);
    const rlimit small{1000, limit.rlim_max};
    setrlimit(RLIMIT_FSIZE, &small);
    for (int i = 0; i < 100; ++i) writer.row(sample_row(i));
    const Thrown error = thrown([&] { writer.flush(); });
    if (error.code != "store-full") return std::fprintf(stderr, "%s\n", error.text.c_str()), 1;
    if (writer.rows() != 100 || sound_rows(store, task) != 0) return 2;
    setrlimit(RLIMIT_FSIZE, &limit);
    writer.flush();
    return sound_rows(store, task) == 100 ? 0 : 3;
  });
  EXPECT_EQ(code, 0);
}

TEST(StoreFailure, a_folder_that_may_not_be_written_is_said_and_a_store_in_it_can_still_be_read) {
  if (getuid() != 0) GTEST_SKIP() << "becomes another user, which only root may";
  const Folder folder;
  {
    Store store(folder / "runs.db", Store::Access::write);
    add_sample(store, 30);
  }
  fs::permissions(folder.path(), fs::perms(0555));
  fs::permissions(folder / "runs.db", fs::perms(0444));
  const int code = in_child([&] {
    if (setgid(nobody) != 0 || setuid(nobody) != 0) return 1;
    const Thrown made = thrown([&] { Store store(folder / "new.db", Store::Access::write); });
    if (made.code != "store-unwritable") return 2;
    if (made.text.find(
            "new.db: its folder cannot be written (Permission denied). The file and its folder must be open to you."
            " Change the permissions, or name another file with --store.") == std::string::npos) {
      return std::fprintf(stderr, "%s\n", made.text.c_str()), 3;
    }
    if (thrown([&] {
          Store store(folder / "runs.db", Store::Access::write);
          store.add_run(RunOrigin::here(), one_task);
        }).code != "store-unwritable") {
      return 4;
    }
    const Store store(folder / "runs.db");
    return sound_rows(store, store.run("latest").tasks[0].id) == 30 && store.verify().empty() ? 0 : 5;
  });
  EXPECT_EQ(code, 0);
  EXPECT_THAT(folder.files(), testing::ElementsAre("runs.db"));
}

TEST(StoreFailure, an_older_store_that_may_not_be_written_is_said) {
  if (getuid() != 0) GTEST_SKIP() << "becomes another user, which only root may";
  const Folder folder;
  sql(folder / "runs.db", version_1);
  fs::permissions(folder.path(), fs::perms(0555));
  fs::permissions(folder / "runs.db", fs::perms(0444));
  EXPECT_EQ(in_child([&] {
              if (setgid(nobody) != 0 || setuid(nobody) != 0) return 1;
              const Thrown error = thrown([&] { Store store(folder / "runs.db"); });
              const bool said = error.text.find(
                                    "it is a store of version 1 and could not be brought to version 4: it "
                                    "cannot be written (") != std::string::npos;
              return error.code == "store-older" && said ? 0 : (std::fprintf(stderr, "%s\n", error.text.c_str()), 2);
            }),
            0);
}

TEST(StoreFailure, what_the_store_does_not_expect_is_said_with_its_reason) {
  const Folder folder;
  Store store(folder / "runs.db", Store::Access::write);
  const std::vector<NewTask> twice{{"motion", "simulate"}, {"motion", "simulate"}};
  EXPECT_THAT(thrown([&] { store.add_run(RunOrigin::here(), twice); }).text,
              EndsWith("runs.db: the system failed: constraint failed. What was stored before is kept. Look at the "
                       "disk, then try again.  [store-failed]"));
  EXPECT_THAT(store.list(), IsEmpty()) << "all or nothing";
}

TEST(StoreFailure, a_store_that_may_not_be_read_is_said) {
  if (getuid() != 0) GTEST_SKIP() << "becomes another user, which only root may";
  const Folder folder;
  { Store store(folder / "runs.db", Store::Access::write); }
  fs::permissions(folder / "runs.db", fs::perms(0));
  EXPECT_EQ(in_child([&] {
              if (setgid(nobody) != 0 || setuid(nobody) != 0) return 1;
              const Thrown error = thrown([&] { Store store(folder / "runs.db"); });
              const bool said = error.text.find("runs.db: it cannot be read (Permission denied).") != std::string::npos;
              return error.code == "store-unreadable" && said ? 0 : 2;
            }),
            0);
}

TEST(StoreFailure, a_writer_that_does_not_let_go_is_said) {
  const Folder folder;
  Store store(folder / "runs.db", Store::Access::write, {.wait_for_lock = 0.05});
  const std::string id = add_sample(store, 10);
  sqlite3* other = nullptr;
  ASSERT_EQ(sqlite3_open((folder / "runs.db").c_str(), &other), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(other, "BEGIN IMMEDIATE", nullptr, nullptr, nullptr), SQLITE_OK);
  EXPECT_THAT(thrown([&] { store.add_run(RunOrigin::here(), one_task); }).text,
              EndsWith("runs.db: another process is writing to the store and does not let go. Nothing was changed. "
                       "Wait until it has ended, or use another store with --store.  [store-locked]"));
  EXPECT_EQ(sound_rows(store, store.run(id).tasks[0].id), 10) << "reading does not wait";
  sqlite3_exec(other, "ROLLBACK", nullptr, nullptr, nullptr);
  sqlite3_close(other);
  store.add_run(RunOrigin::here(), one_task);
  EXPECT_EQ(store.list().size(), 2u);
}

TEST(StoreFailure, many_processes_may_make_one_store_at_the_same_moment) {
  const Folder folder;
  constexpr int processes = 8;
  std::vector<pid_t> children;
  for (int k = 0; k < processes; ++k) {
    const pid_t child = fork();
    if (child != 0) {
      children.push_back(child);
      continue;
    }
    const Thrown error = thrown([&] {
      Store store(folder / "runs.db", Store::Access::write);
      for (int i = 0; i < 3; ++i) add_sample(store, 30);
    });
    if (error.code != "nothing") std::fprintf(stderr, "%s\n", error.text.c_str());
    _exit(error.code == "nothing" ? 0 : 1);
  }
  for (const pid_t child : children) {
    int status = 1;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
  const Store store(folder / "runs.db");
  EXPECT_EQ(store.list().size(), 3u * processes);
  EXPECT_THAT(store.verify(), IsEmpty());
}

TEST(StoreFailure, another_user_may_look_at_a_run_that_goes_on) {
  if (getuid() != 0) GTEST_SKIP() << "becomes another user, which only root may";
  const Folder folder;
  fs::permissions(folder.path(), fs::perms(0755));
  Store store(folder / "runs.db", Store::Access::write);
  add_sample(store, 30);
  EXPECT_EQ(in_child([&] {
              if (setgid(nobody) != 0 || setuid(nobody) != 0) return 1;
              const Store reader(folder / "runs.db");
              return sound_rows(reader, reader.run("latest").tasks[0].id) == 30 ? 0 : 2;
            }),
            0);
}

TEST(StoreFailure, no_memory_is_said_and_what_was_committed_stays) {
  const Folder folder;
  std::string id;
  {
    Store store(folder / "runs.db", Store::Access::write);
    id = add_sample(store, 30);
  }
  const int code = in_child([&] {
    Store store(folder / "runs.db", Store::Access::write);
    RunOrigin large = RunOrigin::here();
    large.texts = {{"model", "large.yaml", std::string(50'000'000, 'x')}};
    sqlite3_hard_heap_limit64(20'000'000);
    const Thrown error = thrown([&] { store.add_run(large, one_task); });
    if (error.code != "out-of-memory") return 1;
    if (error.text.find("there is not enough memory for this. What was stored before is kept.") == std::string::npos) {
      return 2;
    }
    return store.list().size() == 1 && sound_rows(store, store.run(id).tasks[0].id) == 30 ? 0 : 3;
  });
  EXPECT_EQ(code, 0);
}

// Damage ---------------------------------------------------------------------------------------------------------------

/// A store with one run of many rows, closed.
std::string sample_file(const Folder& folder, std::int64_t rows = 3000, std::int64_t block = 100) {
  Store store(folder / "runs.db", Store::Access::write);
  add_sample(store, rows, block);
  { const Store closed = std::move(store); }
  return content(folder / "runs.db");
}

TEST(StoreFailure, a_flipped_bit_in_the_rows_is_found_and_the_run_goes_on_before_it) {
  const Folder folder;
  std::string bytes = sample_file(folder);
  const std::vector<double> row = sample_row(1234);
  const std::string pattern(reinterpret_cast<const char*>(row.data()), sizeof(double) * row.size());
  const std::size_t at = bytes.find(pattern);
  ASSERT_NE(at, std::string::npos);
  bytes[at + 3] = static_cast<char>(bytes[at + 3] ^ 0x10);
  put(folder / "runs.db", bytes);
  Store store(folder / "runs.db", Store::Access::write);
  const StoredRun run = store.run("latest");
  const StoredRows rows = store.rows(run.tasks[0].id);
  EXPECT_EQ(rows.size(), 1200u);
  ASSERT_TRUE(rows.damage);
  EXPECT_EQ(to_text(*rows.damage),
            (folder / "runs.db").string() + ": run " + run.id +
                ", task \"motion\": the rows from number 1200 on are damaged, or missing. The 1200 rows before are "
                "sound. Resume the run to compute the rest again.  [rows-damaged]");
  EXPECT_EQ(store.verify().size(), 1u);
  const std::optional<Checkpoint> checkpoint = store.resume(run.tasks[0].id);
  ASSERT_TRUE(checkpoint);
  EXPECT_EQ(checkpoint->rows, 1200);
  EXPECT_EQ(number_of(checkpoint->bytes), 1200);
  EXPECT_THAT(store.verify(), IsEmpty());
}

TEST(StoreFailure, wherever_a_bit_flips_no_wrong_row_is_ever_read) {
  const Folder folder;
  const std::string bytes = sample_file(folder, 10000, 1000);
  const unsigned seed = std::random_device()();
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  std::mt19937 random(seed);
  const fs::path file = folder / "flipped.db";
  int noticed = 0;
  for (int k = 0; k < 150; ++k) {
    std::string flipped = bytes;
    const std::size_t at = std::uniform_int_distribution<std::size_t>(0, bytes.size() - 1)(random);
    flipped[at] = static_cast<char>(flipped[at] ^ (1 << (k % 8)));
    put(file, flipped);
    SCOPED_TRACE(testing::Message() << "byte " << at << " bit " << k % 8);
    try {
      const Store store(file);
      noticed += store.verify().empty() ? 0 : 1;
      for (const StoredTask& task : store.run("latest").tasks) {
        const StoredRows rows = store.rows(task.id);
        EXPECT_TRUE(rows.damage || sound_rows(store, task.id) == task.rows);
        sound_rows(store, task.id);
      }
    } catch (const Error& error) {
      EXPECT_THAT(error.code(), AnyOf(StartsWith("store-"), "no-such-run"));
      ++noticed;
    }
    for (const char* end : {"", "-wal", "-shm"}) fs::remove(file.string() + end);
  }
  EXPECT_GT(noticed, 75);
}

TEST(StoreFailure, of_a_truncated_store_everything_before_the_cut_is_saved) {
  const Folder folder;
  const std::string bytes = sample_file(folder, 30000, 500);
  std::int64_t before = 0;
  for (const double part : {0.0, 0.05, 0.3, 0.5, 0.7, 0.9, 0.99}) {
    SCOPED_TRACE(testing::Message() << "cut at " << part);
    const std::size_t size = static_cast<std::size_t>(part * static_cast<double>(bytes.size()));
    put(folder / "cut.db", bytes.substr(0, size));
    EXPECT_THAT(thrown([&] { Store(folder / "cut.db").verify(), Store(folder / "cut.db").run("latest"); }).code,
                AnyOf("store-damaged", "store-foreign"));
    std::int64_t saved = 0;
    try {
      const Findings lost = salvage_store(folder / "cut.db", folder / "saved.db");
      EXPECT_THAT(lost, Not(IsEmpty()));
      const Store store(folder / "saved.db");
      saved = sound_rows(store, store.run("latest").tasks[0].id);
      EXPECT_EQ(store.run("latest").provenance.study, "kuka_lwr4_pd");
    } catch (const Error& error) {
      EXPECT_THAT(error.code(), AnyOf("store-damaged", "store-foreign"));
      EXPECT_THAT(folder.files(), Not(testing::Contains(StartsWith("saved.db"))));
    }
    EXPECT_EQ(content(folder / "cut.db").size(), size) << "the damaged file stays as it is";
    EXPECT_GE(saved, before);
    EXPECT_GT(static_cast<double>(saved), 30000 * (part - 0.2));
    before = saved;
    fs::remove(folder / "saved.db");
  }
}

TEST(StoreFailure, of_a_sound_store_all_is_saved) {
  const Folder folder;
  sample_file(folder);
  EXPECT_THAT(salvage_store(folder / "runs.db", folder / "saved.db"), IsEmpty());
  const Store from(folder / "runs.db"), to(folder / "saved.db");
  const StoredRun a = from.run("latest"), b = to.run("latest");
  EXPECT_EQ(a.provenance, b.provenance);
  EXPECT_EQ(sound_rows(to, b.tasks[0].id), 3000);
  EXPECT_EQ(to.checkpoints(b.tasks[0].id).size(), 30u);
  EXPECT_THAT(thrown([&] { salvage_store(folder / "runs.db", folder / "saved.db"); }).text,
              EndsWith("saved.db: the file is there already. Name a new one for what is saved.  [file-exists]"));
  EXPECT_EQ(thrown([&] { salvage_store(folder / "none.db", folder / "new.db"); }).code, "store-missing");
}

}  // namespace
}  // namespace articula::test
