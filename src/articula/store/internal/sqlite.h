#pragma once

#include <sqlite3.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include <articula/base/error.h>

namespace articula::store {

/// The real path of a file, without links; the path itself if there is none.
std::filesystem::path real_path(const std::filesystem::path& file);

/// A connection to an SQLite file. Every failure is an Error of docs/errors.md about this file.
///
/// A foreign file may contain anything. The work of each statement is limited by the size of the file, so that every
/// statement terminates.
class Database {
 public:
  enum class Mode { create, change, look, memory };

  /// Opens the file. Waits up to `wait_for_lock` seconds whenever another process writes. For reading, a file in a
  /// folder without write permission is opened as immutable.
  Database(const std::filesystem::path& file, Mode mode, double wait_for_lock);
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  sqlite3* get() const { return handle_.get(); }
  const std::filesystem::path& file() const { return file_; }

  void execute(const char* sql) const;
  std::int64_t integer(const char* sql) const;  ///< the single value of a query
  std::int64_t last_id() const { return sqlite3_last_insert_rowid(get()); }

  /// Whether the open file no longer has its name: it was removed, renamed or replaced.
  bool has_moved() const;

  /// Throws the Error for a result code of SQLite.
  [[noreturn]] void fail(int result) const;

 private:
  friend class Statement;
  void open(const std::string& name, int flags, double wait_for_lock);
  std::int64_t bytes() const;       ///< of the file and its log
  std::int64_t most_steps() const;  ///< of SQLite's virtual machine, for one row
  std::int64_t most_rows() const;   ///< of one statement
  static int watch(void* database);

  struct Close {
    void operator()(sqlite3* handle) const { sqlite3_close_v2(handle); }
  };
  std::filesystem::path file_;
  bool writes_ = false;
  mutable std::int64_t steps_ = 0;  ///< since the last row
  std::unique_ptr<sqlite3, Close> handle_;
};

/// One statement with its parameters. Foreign values are always bound, never part of the text.
class Statement {
 public:
  Statement(const Database& database, std::string_view sql);

  /// Binds the next parameter.
  Statement& bind(std::int64_t value);
  Statement& bind(double value);
  Statement& bind(std::string_view value);
  Statement& bind(std::span<const std::byte> value);

  /// Binds a value of another statement's row, of any type.
  Statement& bind_column(const Statement& row, int column);

  void reset();  ///< for new parameters
  bool step();   ///< returns whether there is a row
  void run();    ///< to the end, then resets

  int columns() const { return sqlite3_column_count(handle_.get()); }
  sqlite3_stmt* get() const { return handle_.get(); }

  /// Values of the row, by column. The bytes are valid until the next step.
  std::int64_t integer(int column) const { return sqlite3_column_int64(handle_.get(), column); }
  double real(int column) const;  ///< NaN for NULL: SQLite does not store NaN
  std::string text(int column) const;
  std::span<const std::byte> bytes(int column) const;

 private:
  void check(int result) const;

  struct Finalize {
    void operator()(sqlite3_stmt* handle) const { sqlite3_finalize(handle); }
  };
  const Database* database_;
  std::unique_ptr<sqlite3_stmt, Finalize> handle_;
  int bound_ = 0;
  std::int64_t rows_ = 0;
};

/// A transaction that is rolled back unless committed.
class Transaction {
 public:
  explicit Transaction(const Database& database, const char* begin = "BEGIN IMMEDIATE") : database_(&database) {
    database.execute(begin);
  }
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  void commit();

 private:
  const Database* database_;
};

}  // namespace articula::store
