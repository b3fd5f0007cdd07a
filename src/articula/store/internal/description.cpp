#include "description.h"

#include <array>
#include <bit>
#include <span>

#include <articula/base/text.h>

#include <articula/text/internal/crc.h>

namespace articula::store {
namespace {

/// All rows of these tables, in order, without the number of rows of a task, which follows from its blocks.
constexpr std::array parts{
    "SELECT name, study, version, host, command, created, seed, status FROM runs WHERE id = ?",
    "SELECT role, path, crc FROM texts WHERE run = ? ORDER BY id",
    "SELECT name, value FROM options WHERE run = ? ORDER BY id",
    "SELECT name, kind, status, message FROM tasks WHERE run = ? ORDER BY id",
    "SELECT t.name, s.name, s.unit FROM signals s JOIN tasks t ON t.id = s.task WHERE t.run = ? ORDER BY s.id",
    "SELECT t.name, c.name, c.value FROM counts c JOIN tasks t ON t.id = c.task WHERE t.run = ? ORDER BY c.id",
    "SELECT task, name, signal, expected, got, tolerance, pass, message, reference, unit, lower, upper FROM checks"
    " WHERE run = ? ORDER BY id",
    "SELECT severity, code, file, line, message FROM log WHERE run = ? ORDER BY id",
};

void add(Crc32c& crc, std::int64_t x) { crc.add(std::as_bytes(std::span(&x, 1))); }

/// Adds the type, the length and the bytes of each value.
void add(Crc32c& crc, const Statement& row, int column) {
  const int type = sqlite3_column_type(row.get(), column);
  add(crc, type);
  if (type == SQLITE_INTEGER) return add(crc, row.integer(column));
  if (type == SQLITE_FLOAT) return add(crc, std::bit_cast<std::int64_t>(row.real(column)));
  const std::span<const std::byte> bytes = row.bytes(column);
  add(crc, static_cast<std::int64_t>(bytes.size()));
  crc.add(bytes);
}

std::int64_t description_crc(const Database& database, std::int64_t run) {
  Crc32c crc;
  for (std::size_t k = 0; k < parts.size(); ++k) {
    Statement query(database, parts[k]);
    for (query.bind(run); query.step();) {
      add(crc, static_cast<std::int64_t>(k));
      for (int column = 0; column < query.columns(); ++column) add(crc, query, column);
    }
  }
  return crc.value();
}

}  // namespace

void seal_description(const Database& database, std::int64_t run) {
  const std::int64_t crc = description_crc(database, run);
  Statement(database, "UPDATE runs SET description = ? WHERE id = ?").bind(crc).bind(run).run();
}

void unseal_description(const Database& database, std::int64_t run) {
  Statement(database, "UPDATE runs SET description = NULL WHERE id = ?").bind(run).run();
}

std::optional<Finding> damaged_description(const Database& database, std::int64_t run) {
  if (database.integer("PRAGMA user_version") < 4) return std::nullopt;
  Statement query(database, "SELECT description, name FROM runs WHERE id = ?");
  if (!query.bind(run).step() || sqlite3_column_type(query.get(), 0) == SQLITE_NULL ||
      query.integer(0) == description_crc(database, run))
    return std::nullopt;
  return Finding{
      Severity::warning,
      "run-damaged",
      {database.file().string(), 0},
      concat("run ", query.text(1),
             ": what the store says of it, names, units, figures or checks, is damaged. Its rows may be sound; "
             "for a sound run, run the study again.")};
}

}  // namespace articula::store
