// Opens stores: finds or makes the file, upgrades it to the newest version, and checks that it still has its name.

#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <system_error>
#include <thread>

#include <articula/base/text.h>
#include <articula/store/store.h>

#include <articula/text/output_file.h>
#include "internal/schema.h"
#include "internal/store_impl.h"

namespace articula::store {

namespace fs = std::filesystem;

namespace {

/// Checks whether the file can be opened, before SQLite tries.
fs::path checked(const fs::path& file, Store::Access access) {
  const Where where{file.string(), 0};
  std::error_code trouble;
  const fs::file_status status = fs::status(file, trouble);
  if (fs::is_directory(status)) throw Error("store-foreign", where, "it is a folder. Name a file in it with --store.");
  if (fs::exists(status) && !fs::is_regular_file(status)) {
    throw Error("store-foreign", where, "it is not a regular file. Name another file with --store.");
  }
  if (!fs::exists(status) && fs::is_symlink(fs::symlink_status(file, trouble))) {
    throw Error("store-missing", where,
                concat("it is a link to ", quoted(fs::read_symlink(file, trouble).string()),
                       ", and there is no such file. Put the store back there, remove the link, or name another file "
                       "with --store."));
  }
  if (!fs::exists(status) && access == Store::Access::read) {
    throw Error("store-missing", where,
                "there is no such store of runs. `articula run` makes one; name another file with --store.");
  }
  if (access == Store::Access::write) {
    // SQLite would report the error of its last attempt, which is to read.
    const fs::path needed = fs::exists(status) ? file : fs::absolute(file).parent_path();
    if (::access(needed.c_str(), W_OK) != 0) {
      throw Error("store-unwritable", where,
                  concat(needed == file ? "it" : "its folder", " cannot be written (", system_message(errno),
                         "). The file and its folder must be open to you. Change the permissions, or name another "
                         "file with --store."));
    }
  }
  return file;
}

/// Retries while another process makes the same store: SQLite does not wait while the log is set up.
template <class Act>
void patiently(double seconds, const Act& act) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start = Clock::now();
  while (true) {
    try {
      return act();
    } catch (const Error& error) {
      const double waited = std::chrono::duration<double>(Clock::now() - start).count();
      if (error.code() != "store-locked" || waited > seconds) throw;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

/// SQLite names its log after the file: under a second name, neither the log nor locks of runs would be found.
void require_one_name(const fs::path& file) {
  const fs::path real = real_path(file);
  const std::optional<FileIdentity> identity = identity_of(real);
  std::error_code trouble;
  if (fs::hard_link_count(real, trouble) <= 1 || trouble) return;
  // A second name may be left over from a process that was killed while it made the store.
  const std::string making = real.filename().string() + ".making-";
  for (fs::directory_iterator entry(real.parent_path(), trouble), end; !trouble && entry != end;
       entry.increment(trouble)) {
    const bool ours = entry->path().filename().string().starts_with(making);
    std::error_code none;
    if (ours && identity_of(entry->path()) == identity) fs::remove(entry->path(), none);
  }
  const std::uintmax_t names = fs::hard_link_count(real, trouble);
  if (trouble || names <= 1) return;
  throw Error("store-unwritable", {file.string(), 0},
              concat("it has ", names,
                     " names (hard links). What is stored under one of them would be missing under the others. Remove "
                     "the others, or use a copy."));
}

/// SQLite would use a log without its store as the log of a new store.
void require_no_log(const fs::path& file) {
  fs::path log = file;
  log += "-wal";
  std::error_code none;
  const std::uintmax_t size = fs::file_size(log, none);
  if (none || size == 0 || fs::exists(file)) return;  // checked last: another process may just have made the store
  throw Error("store-log-alone", {file.string(), 0},
              concat("the store is not there, but its log is, ", quoted(log.filename().string()),
                     ": the store was removed or renamed, and its last rows are in the log. Put the store back, or "
                     "remove the log, or name another file with --store."));
}

/// Makes a new store under a temporary name and renames it when it is complete, so that a killed process leaves no
/// partial store. If another process was faster, its store is kept.
fs::path placed(const fs::path& file, Store::Access access, const Store::Options& options) {
  if (access == Store::Access::read) return file;
  if (fs::exists(file)) {
    require_one_name(file);
    return file;
  }
  require_no_log(file);
  const fs::path making = file.string() + ".making-" + random_digits();
  std::error_code trouble;
  try {
    migrate_store(Database(making, Database::Mode::create, options.wait_for_lock));
  } catch (const Error& error) {
    for (const char* part : {"", "-wal", "-shm"}) fs::remove(making.string() + part, trouble);
    throw Error(error.code(), {file.string(), 0}, error.message());
  }
  const int cause = place_new_file(making, file);
  if (cause != 0) fs::remove(making, trouble);
  if (cause != 0 && cause != EEXIST) {
    throw Error("store-unwritable", {file.string(), 0},
                concat("it cannot be made (", system_message(cause), "). Name another file with --store."));
  }
  return file;
}

/// Upgrades an older store to the newest version before it is read.
void upgrade(const fs::path& file, int version, const Store::Options& options) {
  try {
    migrate_store(Database(file, Database::Mode::change, options.wait_for_lock));
  } catch (const Error& error) {
    throw Error("store-older", {file.string(), 0},
                concat("it is a store of version ", version, " and could not be brought to version ", Store::version,
                       ": ", error.message()));
  }
}

}  // namespace

Store::Impl::Impl(const fs::path& file, Access access_, const Options& options_)
    : access(access_),
      options(options_),
      database(placed(checked(file, access_), access_, options_),
               access_ == Access::write ? Database::Mode::create : Database::Mode::look, options_.wait_for_lock) {
  named = fs::absolute(file);
  real = real_path(file);
  if (access == Access::write) {
    patiently(options.wait_for_lock, [&] { migrate_store(database); });
    database.integer("SELECT count(*) FROM runs");  // this opens the log
    identity = identity_of(real);
    log = identity_of(real.string() + "-wal");
    index = identity_of(real.string() + "-shm");
    return;
  }
  database.execute("PRAGMA query_only = ON");
  int found = 0;
  patiently(options.wait_for_lock, [&] { found = store_version(database); });
  if (found == 0) {
    throw Error("store-foreign", {file.string(), 0},
                "it is not a store of runs: the file is empty. Name another with --store.");
  }
  if (found < oldest_readable_version) upgrade(file, found, options);
}

Store::Store(const fs::path& file, Access access, const Options& options)
    : impl_(std::make_unique<Impl>(file, access, options)) {}
Store::Store(const fs::path& file, Access access) : Store(file, access, Options()) {}
Store::~Store() = default;
Store::Store(Store&&) noexcept = default;
Store& Store::operator=(Store&&) noexcept = default;

const fs::path& Store::file() const { return impl_->database.file(); }

// Whether it is still there ----------------------------------------------------------------------------------------

void Store::Impl::require_in_place() const {
  const bool there = identity && identity_of(named) == identity && !database.has_moved();
  const bool with_log =
      (!log || identity_of(real.string() + "-wal") == log) && (!index || identity_of(real.string() + "-shm") == index);
  if (there && with_log) return;
  throw Error("store-unwritable", {database.file().string(), 0},
              concat(there ? "the log of the store, a file of the same name with -wal or -shm behind it," : "the file",
                     " was removed, renamed or replaced while the store was in use. What this process stored there may "
                     "be lost. Put the file back where it was and look at it with `articula runs verify`, or run the "
                     "study again."));
}

void Store::Impl::commit(Transaction& transaction) const {
  require_in_place();
  transaction.commit();
  require_in_place();
}

}  // namespace articula::store
