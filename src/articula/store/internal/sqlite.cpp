#include "sqlite.h"

#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <limits>
#include <system_error>

#include <articula/base/text.h>

namespace articula::store {

namespace fs = std::filesystem;

namespace {

bool no_room(int result, int cause) {
  if ((result & 0xff) == SQLITE_FULL) return true;
  return (result & 0xff) == SQLITE_IOERR && (cause == ENOSPC || cause == EFBIG || cause == EDQUOT);
}

std::string reason(int cause, const char* otherwise) { return cause != 0 ? system_message(cause) : otherwise; }

/// The name as a URI, which can contain options for SQLite.
std::string uri(const fs::path& file, std::string_view options) {
  std::string text = "file:";
  for (const char c : fs::absolute(file).string()) {
    if (c == '?' || c == '#' || c == '%') {
      static constexpr char digits[] = "0123456789ABCDEF";
      text += '%', text += digits[c >> 4], text += digits[c & 15];
    } else {
      text += c;
    }
  }
  return concat(text, "?", options);
}

constexpr int steps_between_looks = 100'000;
constexpr std::int64_t rows_between_looks = 1000;

}  // namespace

fs::path real_path(const fs::path& file) {
  std::error_code none;
  const fs::path found = fs::canonical(file, none);
  return none ? fs::absolute(file, none) : found;
}

void Database::fail(int result) const {
  const Where where{file_.string(), 0};
  // SQLite reports errors of the file itself; for the log, only the system can report them.
  const int said = errno;
  const int known = handle_ == nullptr ? 0 : sqlite3_system_errno(get());
  const int cause = known == 0 && (result & 0xff) == SQLITE_IOERR ? said : known;
  const char* text = sqlite3_errstr(result);
  if (no_room(result, cause)) {
    throw Error("store-full", where,
                concat("there is no room for more (", reason((result & 0xff) == SQLITE_FULL ? ENOSPC : cause, text),
                       "). What was stored before is kept. Make room on the disk, then resume the run."));
  }
  switch (result & 0xff) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      throw Error("store-locked", where,
                  "another process is writing to the store and does not let go. Nothing was changed. Wait until it has "
                  "ended, or use another store with --store.");
    case SQLITE_NOTADB:
      throw Error("store-foreign", where,
                  "it is not a store of runs: it is no SQLite file. Name another file with --store.");
    case SQLITE_CORRUPT:
      throw Error("store-damaged", where,
                  "the file is damaged: its inner structure does not hold together. `articula runs salvage` saves what "
                  "can be read in a new store.");
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN:
    case SQLITE_PERM:
    case SQLITE_AUTH:
      throw Error(writes_ ? "store-unwritable" : "store-unreadable", where,
                  concat("it cannot be ", writes_ ? "written" : "read", " (", reason(cause, text),
                         "). The file and its folder must be open to you. Change the permissions, or name another "
                         "file with --store."));
    case SQLITE_INTERRUPT:
      throw Error(
          "store-endless", where,
          "reading it takes more steps than a store of its size can need: the file is damaged, or was made to do "
          "harm. Nothing was changed. Use another store with --store.");
    case SQLITE_NOMEM:
      throw Error("out-of-memory", where, "there is not enough memory for this. What was stored before is kept.");
    default: break;
  }
  throw Error("store-failed", where,
              concat("the system failed: ", text, cause != 0 ? " (" + reason(cause, "") + ")" : std::string(),
                     ". What was stored before is kept. Look at the disk, then try again."));
}

void Database::open(const std::string& name, int flags, double wait_for_lock) {
  sqlite3* raw = nullptr;
  const int result = sqlite3_open_v2(name.c_str(), &raw, flags | SQLITE_OPEN_URI | SQLITE_OPEN_FULLMUTEX, nullptr);
  handle_.reset(raw);
  if (result != SQLITE_OK) fail(result);
  sqlite3_extended_result_codes(raw, 1);
  sqlite3_busy_timeout(raw, static_cast<int>(std::lround(std::min(wait_for_lock, 1e6) * 1000)));
  sqlite3_db_config(raw, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(raw, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_db_config(raw, SQLITE_DBCONFIG_ENABLE_FKEY, 1, nullptr);
  sqlite3_progress_handler(raw, steps_between_looks, watch, this);
}

std::int64_t Database::bytes() const {
  std::int64_t bytes = 0;
  for (const char* part : {"", "-wal"}) {
    std::error_code none;
    const std::uintmax_t size = fs::file_size(real_path(file_).string() + part, none);
    if (!none) bytes += static_cast<std::int64_t>(std::min<std::uintmax_t>(size, std::uintmax_t{1} << 50));
  }
  return bytes;
}

// A row of a store takes more than ten bytes, and SQLite takes about ten steps for it.
std::int64_t Database::most_steps() const { return 1'000'000 + 20 * bytes(); }
std::int64_t Database::most_rows() const { return rows_between_looks + bytes() / 8; }

int Database::watch(void* database) {
  const auto* self = static_cast<const Database*>(database);
  self->steps_ += steps_between_looks;
  return self->steps_ > self->most_steps() ? 1 : 0;
}

bool Database::has_moved() const {
  int moved = 0;
  sqlite3_file_control(get(), "main", SQLITE_FCNTL_HAS_MOVED, &moved);
  return moved != 0;
}

Database::Database(const fs::path& file, Mode mode, double wait_for_lock) : file_(file), writes_(mode != Mode::look) {
  if (mode == Mode::memory) {
    open("file::memory:", SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, wait_for_lock);
    return;
  }
  if (mode == Mode::look) {
    // SQLite keeps its log next to the file itself, not next to a link.
    const fs::path real = real_path(file);
    // Without a log the file is complete, and can be read even if nothing can be written.
    std::error_code none;
    fs::path log = real;
    log += "-wal";
    const fs::path folder = real.parent_path();
    const bool whole = !fs::exists(log, none) || fs::file_size(log, none) == 0;
    if (whole && access(folder.c_str(), W_OK) != 0) {
      open(uri(file, "immutable=1"), SQLITE_OPEN_READONLY, wait_for_lock);
      return;
    }
  }
  // Readers also open for writing, so that the last connection removes the log.
  open(uri(file, mode == Mode::create ? "mode=rwc" : "mode=rw"),
       SQLITE_OPEN_READWRITE | (mode == Mode::create ? SQLITE_OPEN_CREATE : 0), wait_for_lock);
}

void Database::execute(const char* sql) const {
  errno = 0;
  steps_ = 0;
  if (const int result = sqlite3_exec(get(), sql, nullptr, nullptr, nullptr); result != SQLITE_OK) fail(result);
}

std::int64_t Database::integer(const char* sql) const {
  Statement query(*this, sql);
  return query.step() ? query.integer(0) : 0;
}

// A statement ------------------------------------------------------------------------------------------------------

Statement::Statement(const Database& database, std::string_view sql) : database_(&database) {
  sqlite3_stmt* raw = nullptr;
  check(sqlite3_prepare_v2(database.get(), sql.data(), static_cast<int>(sql.size()), &raw, nullptr));
  handle_.reset(raw);
}

void Statement::check(int result) const {
  if (result != SQLITE_OK) database_->fail(result);
}

Statement& Statement::bind(std::int64_t value) {
  check(sqlite3_bind_int64(get(), ++bound_, value));
  return *this;
}
Statement& Statement::bind(double value) {
  check(sqlite3_bind_double(get(), ++bound_, value));
  return *this;
}
Statement& Statement::bind(std::string_view value) {
  const char* begin = value.data() == nullptr ? "" : value.data();
  check(sqlite3_bind_text64(get(), ++bound_, begin, value.size(), SQLITE_TRANSIENT, SQLITE_UTF8));
  return *this;
}
Statement& Statement::bind(std::span<const std::byte> value) {
  const void* begin = value.data() == nullptr ? static_cast<const void*>("") : value.data();
  check(sqlite3_bind_blob64(get(), ++bound_, begin, value.size(), SQLITE_TRANSIENT));
  return *this;
}

Statement& Statement::bind_column(const Statement& row, int column) {
  check(sqlite3_bind_value(get(), ++bound_, sqlite3_column_value(row.get(), column)));
  return *this;
}

bool Statement::step() {
  errno = 0;
  database_->steps_ = 0;
  const int result = sqlite3_step(get());
  if (result != SQLITE_ROW && result != SQLITE_DONE) database_->fail(result);
  if (result == SQLITE_ROW && ++rows_ % rows_between_looks == 0 && rows_ > database_->most_rows()) {
    database_->fail(SQLITE_INTERRUPT);
  }
  return result == SQLITE_ROW;
}

void Statement::run() {
  while (step()) {
  }
  reset();
}

void Statement::reset() {
  sqlite3_reset(get());
  bound_ = 0;
  rows_ = 0;
}

double Statement::real(int column) const {
  if (sqlite3_column_type(get(), column) == SQLITE_NULL) return std::numeric_limits<double>::quiet_NaN();
  return sqlite3_column_double(get(), column);
}

std::string Statement::text(int column) const {
  const std::span<const std::byte> all = bytes(column);
  std::string text(all.size(), '\0');
  for (std::size_t i = 0; i < all.size(); ++i) text[i] = static_cast<char>(all[i]);
  return text;
}

std::span<const std::byte> Statement::bytes(int column) const {
  // The value must be requested first; only then is its length known.
  const void* begin = sqlite3_column_blob(get(), column);
  const int size = sqlite3_column_bytes(get(), column);
  if (begin == nullptr && sqlite3_errcode(database_->get()) == SQLITE_NOMEM) database_->fail(SQLITE_NOMEM);
  return {static_cast<const std::byte*>(begin), begin == nullptr ? 0 : static_cast<std::size_t>(size)};
}

// A transaction ----------------------------------------------------------------------------------------------------

Transaction::~Transaction() {
  // Some errors have rolled back already.
  if (database_ != nullptr && sqlite3_get_autocommit(database_->get()) == 0) {
    sqlite3_exec(database_->get(), "ROLLBACK", nullptr, nullptr, nullptr);
  }
}

void Transaction::commit() {
  database_->execute("COMMIT");
  database_ = nullptr;
}

}  // namespace articula::store
