// Locks of runs: one process at a time writes a run, and the system releases the lock when the process ends.

#include "store/store_support.h"
#include "support/names.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>

#include <thread>

#include <articula/store/internal/run_lock.h>

namespace articula::test {
namespace {

using namespace store_test;
using testing::HasSubstr;
using testing::IsEmpty;

const std::vector<NewTask> one_task{{"motion", "simulate"}};

/// A process that begins a run, and keeps its lock until it is killed.
class Owner {
 public:
  Owner(
      const fs::path& file, const std::function<bool()>& prepare = [] { return true; }) {
    int ready[2];
    if (pipe(ready) != 0) return;
    child_ = fork();
    if (child_ == 0) {
      char said = prepare() ? 'y' : 'n';
      // A new process number space begins with the next child.
      const pid_t inner = fork();
      if (inner == 0) {
        Store store(file, Store::Access::write);
        const std::string id = store.add_run(RunOrigin::here(), one_task);
        TaskWriter writer = store.write(store.run(id).tasks[0].id);
        writer.flush();
        if (write(ready[1], &said, 1) != 1) _exit(1);
        pause();
        _exit(0);
      }
      signal(SIGTERM, SIG_IGN);
      int status = 0;
      waitpid(inner, &status, 0);
      _exit(0);
    }
    char said = 'n';
    prepared = read(ready[0], &said, 1) == 1 && said == 'y';
    close(ready[0]);
    close(ready[1]);
  }
  ~Owner() { end(); }
  void end() {
    if (child_ <= 0) return;
    const std::string group = "/proc/" + std::to_string(child_) + "/task/" + std::to_string(child_) + "/children";
    const std::string inner = content(group);
    if (!inner.empty()) kill(std::stoi(inner), SIGKILL);
    waitpid(child_, nullptr, 0);
    child_ = -1;
  }
  bool prepared = false;

 private:
  pid_t child_ = -1;
};

void expect_owned_until_it_ends(const fs::path& file, Owner& owner) {
  Store store(file, Store::Access::write);
  const std::string id = store.find("latest");
  EXPECT_EQ(store.run(id).status, RunStatus::running);
  EXPECT_EQ(store.list()[0].status, RunStatus::running);
  EXPECT_EQ(thrown([&] { store.delete_run(id); }).code, "run-is-running");
  EXPECT_EQ(thrown([&] { store.take_over(id); }).code, "run-is-running");
  EXPECT_EQ(thrown([&] { store.write(store.run(id).tasks[0].id); }).code, "run-is-running");
  EXPECT_EQ(thrown([&] { store.resume(store.run(id).tasks[0].id); }).code, "run-is-running");
  EXPECT_EQ(thrown([&] { store.set_status(id, RunStatus::failed); }).code, "run-is-running");
  owner.end();
  EXPECT_EQ(store.run(id).status, RunStatus::interrupted);
  store.take_over(id);
  EXPECT_EQ(store.run(id).status, RunStatus::running);
  store.delete_run(id);
  EXPECT_THAT(store.list(), IsEmpty());
}

TEST(RunLock, a_run_is_its_owners_until_that_process_ends) {
  const Folder folder;
  Owner owner(folder / "runs.db");
  expect_owned_until_it_ends(folder / "runs.db", owner);
  EXPECT_FALSE(fs::exists(folder / "runs.db-lock")) << "the last one removes it";
}

TEST(RunLock, the_name_of_the_host_does_not_matter) {
  const Folder folder;
  Owner owner(folder / "runs.db", [] { return unshare(CLONE_NEWUTS) == 0 && sethostname("elsewhere", 9) == 0; });
  if (!owner.prepared) GTEST_SKIP() << "has no right to another host name";
  EXPECT_EQ(Store(folder / "runs.db").run("latest").provenance.host, "elsewhere");
  expect_owned_until_it_ends(folder / "runs.db", owner);
}

TEST(RunLock, who_has_a_run_now_is_named_not_who_began_it) {
  const Folder folder;
  Store a(folder / "runs.db", Store::Access::write), b(folder / "runs.db", Store::Access::write);
  RunOrigin origin = RunOrigin::here();
  const std::string here = origin.host;
  origin.host = "elsewhere";
  const std::string id = a.add_run(origin, one_task);
  EXPECT_THAT(thrown([&] { b.delete_run(id); }).text,
              HasSubstr("run " + id + " is running on \"" + here + "\" and cannot be deleted."));
}

TEST(RunLock, the_number_of_the_process_does_not_matter) {
  const Folder folder;
  // As in another container with the same host name.
  Owner owner(folder / "runs.db", [] { return unshare(CLONE_NEWPID) == 0; });
  if (!owner.prepared) GTEST_SKIP() << "has no right to other process numbers";
  expect_owned_until_it_ends(folder / "runs.db", owner);
}

TEST(RunLock, a_run_of_an_older_version_is_kept_while_its_process_lives_here) {
  const Folder folder;
  Store store(folder / "runs.db", Store::Access::write);
  const std::string id = add_sample(store, 10);
  const std::string here = this_process().substr(std::string("lock:").size());
  const auto set_process = [&](const std::string& process) {
    sql(folder / "runs.db", "UPDATE runs SET status = 1, process = '" + process + "'");
  };
  set_process(here);
  EXPECT_EQ(thrown([&] { store.delete_run(id); }).code, "run-is-running");
  set_process("elsewhere/b/1/2");
  EXPECT_EQ(store.run(id).status, RunStatus::interrupted);
  store.delete_run(id);
}

TEST(RunLock, two_stores_of_one_process_do_not_write_one_run) {
  const Folder folder;
  Store a(folder / "runs.db", Store::Access::write), b(folder / "runs.db", Store::Access::write);
  const std::string id = a.add_run(RunOrigin::here(), one_task);
  EXPECT_EQ(thrown([&] { b.take_over(id); }).code, "run-is-running");
  a.set_status(id, RunStatus::interrupted);
  b.take_over(id);
  EXPECT_EQ(thrown([&] { a.take_over(id); }).code, "run-is-running");
}

TEST(RunLock, a_link_to_the_store_leads_to_the_same_locks) {
  const Folder folder;
  Store a(folder / "runs.db", Store::Access::write);
  fs::create_directory(folder / "links");
  fs::create_symlink("../runs.db", folder / "links/runs.db");
  const std::string id = a.add_run(RunOrigin::here(), one_task);
  Store b(folder / "links/runs.db", Store::Access::write);
  EXPECT_EQ(thrown([&] { b.take_over(id); }).code, "run-is-running");
}

TEST(RunLock, a_forked_child_neither_has_nor_releases_it) {
  const Folder folder;
  auto lock = RunLock::take(folder / "runs.db", "aaaaaaaaaa");
  ASSERT_TRUE(lock);
  EXPECT_EQ(in_child([&] {
              if (lock->is_ours()) return 1;
              lock.reset();
              return RunLock::take(folder / "runs.db", "aaaaaaaaaa") ? 2 : 0;
            }),
            0);
  EXPECT_TRUE(RunLock::is_taken(folder / "runs.db", "aaaaaaaaaa"));
  EXPECT_FALSE(RunLock::is_taken(folder / "runs.db", "bbbbbbbbbb"));
  // A child that goes on does not keep it.
  int go[2];
  ASSERT_EQ(pipe(go), 0);
  const pid_t child = fork();
  char c = 'x';
  if (child == 0) _exit(read(go[0], &c, 1) == 1 ? 0 : 1);
  lock.reset();
  EXPECT_FALSE(RunLock::is_taken(folder / "runs.db", "aaaaaaaaaa"));
  EXPECT_EQ(write(go[1], &c, 1), 1);
  waitpid(child, nullptr, 0);
  for (const int end : go) close(end);
}

TEST(RunLock, a_file_of_that_name_with_something_in_it_stays) {
  const Folder folder;
  put(folder / "runs.db-lock", "mine");
  { EXPECT_TRUE(RunLock::take(folder / "runs.db", "aaaaaaaaaa")); }
  EXPECT_EQ(content(folder / "runs.db-lock"), "mine");
  fs::remove(folder / "runs.db-lock");
  fs::create_symlink("elsewhere", folder / "runs.db-lock");
  EXPECT_THAT(thrown([&] { RunLock::take(folder / "runs.db", "aaaaaaaaaa"); }).text,
              HasSubstr("runs.db-lock: it cannot be opened (Too many levels of symbolic links). Without this lock two "
                        "processes could write one run. Change the permissions, or keep the store on a file system "
                        "that has locks, such as a local disk.  [store-unwritable]"));
}

TEST(RunLock, of_many_who_want_it_one_has_it) {
  const Folder folder;
  constexpr int processes = 6, turns = 300;
  std::vector<pid_t> children;
  for (int k = 0; k < processes; ++k) {
    const pid_t child = fork();
    if (child != 0) {
      children.push_back(child);
      continue;
    }
    int had = 0;
    for (int i = 0; i < turns * 100 && had < turns; ++i) {
      const auto lock = RunLock::take(folder / "runs.db", "aaaaaaaaaa");
      const auto other = RunLock::take(folder / "runs.db", "b" + std::to_string(k));
      if (!other) _exit(2);
      if (!lock) continue;
      ++had;
      const int alone = open((folder / "alone").c_str(), O_CREAT | O_EXCL | O_WRONLY, 0600);
      if (alone < 0) _exit(3);
      close(alone);
      unlink((folder / "alone").c_str());
    }
    _exit(0);
  }
  for (const pid_t child : children) {
    int status = 1;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
  EXPECT_THAT(folder.files(), IsEmpty());
}

}  // namespace
}  // namespace articula::test
