#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <vector>

#include <articula/store/export.h>
#include <articula/store/store.h>

#include "support/temporary_folder.h"

namespace store_test {

namespace fs = std::filesystem;

/// A temporary folder. Other users may read it, which tests of permissions need.
class Folder : public articula::test::TemporaryFolder {
 public:
  Folder() { fs::permissions(path(), fs::perms(0755)); }
  fs::path operator/(const std::string& name) const { return path() / name; }
  std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(path())) names.push_back(entry.path().filename());
    return names;
  }
};

inline std::string content(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}
inline void put(const fs::path& file, const std::string& text) {
  std::ofstream(file, std::ios::binary | std::ios::trunc) << text;
}

/// Executes SQL without the library, as another program would.
inline void sql(const fs::path& file, const std::string& text) {
  sqlite3* database = nullptr;
  ASSERT_EQ(sqlite3_open(file.c_str(), &database), SQLITE_OK);
  char* message = nullptr;
  const int result = sqlite3_exec(database, text.c_str(), nullptr, nullptr, &message);
  EXPECT_EQ(result, SQLITE_OK) << (message == nullptr ? "" : message);
  sqlite3_free(message);
  sqlite3_close(database);
}

/// A store of version 1: without processes, references and log.
inline constexpr const char* version_1 = R"(
      PRAGMA application_id = 1098019945; PRAGMA user_version = 1; PRAGMA journal_mode = WAL;
      CREATE TABLE runs(id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, study TEXT NOT NULL,
        version TEXT NOT NULL, host TEXT NOT NULL, command TEXT NOT NULL, created TEXT NOT NULL, seed INTEGER NOT NULL,
        status INTEGER NOT NULL);
      CREATE TABLE texts(id INTEGER PRIMARY KEY, run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
        role TEXT NOT NULL, path TEXT NOT NULL, crc INTEGER NOT NULL, text TEXT NOT NULL);
      CREATE TABLE options(id INTEGER PRIMARY KEY, run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
        name TEXT NOT NULL, value TEXT NOT NULL);
      CREATE TABLE tasks(id INTEGER PRIMARY KEY AUTOINCREMENT, run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
        name TEXT NOT NULL, kind TEXT NOT NULL, status INTEGER NOT NULL, message TEXT NOT NULL, UNIQUE(run, name));
      CREATE TABLE signals(id INTEGER PRIMARY KEY, task INTEGER NOT NULL REFERENCES tasks ON DELETE CASCADE,
        name TEXT NOT NULL, unit TEXT NOT NULL, UNIQUE(task, name));
      CREATE TABLE blocks(id INTEGER PRIMARY KEY, task INTEGER NOT NULL REFERENCES tasks ON DELETE CASCADE,
        first INTEGER NOT NULL, rows INTEGER NOT NULL, columns INTEGER NOT NULL, crc INTEGER NOT NULL,
        data BLOB NOT NULL, UNIQUE(task, first));
      CREATE TABLE checkpoints(id INTEGER PRIMARY KEY, task INTEGER NOT NULL REFERENCES tasks ON DELETE CASCADE,
        t REAL, rows INTEGER NOT NULL, crc INTEGER NOT NULL, bytes BLOB NOT NULL);
      CREATE TABLE counts(id INTEGER PRIMARY KEY, task INTEGER NOT NULL REFERENCES tasks ON DELETE CASCADE,
        name TEXT NOT NULL, value REAL, UNIQUE(task, name));
      CREATE TABLE checks(id INTEGER PRIMARY KEY, run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
        task TEXT NOT NULL, name TEXT NOT NULL, signal TEXT NOT NULL, expected REAL, got REAL, tolerance REAL,
        pass INTEGER NOT NULL, message TEXT NOT NULL);
      INSERT INTO runs VALUES(1, 'aaaaaaaaaa', 'old study', '0.1', 'host', 'cmd', '2026-01-01T00:00:00Z', 5, 2);
      INSERT INTO tasks VALUES(1, 1, 'motion', 'simulate', 2, '');
      INSERT INTO signals VALUES(1, 1, 't', 's');
      -- one row, the double 0: CRC-32C of 1, 0, 1, 1 as 64-bit numbers and eight zero bytes
      INSERT INTO blocks VALUES(1, 1, 0, 1, 1, 3436998022, x'0000000000000000');
      INSERT INTO checks VALUES(1, 1, 'motion', 'end', 't', 0, 0, 0, 1, 'fine');
)";

/// The code and text of the Error that `act` throws.
struct Thrown {
  std::string code, text;
};
inline Thrown thrown(const std::function<void()>& act) {
  try {
    act();
  } catch (const articula::base::Error& error) {
    return {error.code(), error.what()};
  }
  return {"nothing", ""};
}

/// Runs `act` in a child process and returns its exit code; −n if signal n ended it.
inline int in_child(const std::function<int()>& act) {
  const pid_t child = fork();
  if (child == 0) {
    int code = 99;
    try {
      code = act();
    } catch (const std::exception& error) {
      std::fprintf(stderr, "child: %s\n", error.what());
    }
    _exit(code);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

/// Row i of a table that every test can recompute.
inline std::vector<double> sample_row(std::int64_t i) {
  const double t = 0.01 * static_cast<double>(i);
  return {t, std::sin(t), std::cos(3 * t) / 7};
}

inline const std::vector<articula::store::StoredSignal> sample_signals{
    {"t", "s"}, {"q.joint1", "rad"}, {"v.joint1", "rad/s"}};

inline std::vector<std::byte> bytes_of(std::int64_t i) {
  const auto bytes = std::as_bytes(std::span(&i, 1));
  return {bytes.begin(), bytes.end()};
}
inline std::int64_t number_of(const std::vector<std::byte>& bytes) {
  std::int64_t i = -1;
  if (bytes.size() == sizeof i) std::memcpy(&i, bytes.data(), sizeof i);
  return i;
}

inline articula::store::RunOrigin sample_provenance() {
  articula::store::RunOrigin p = articula::store::RunOrigin::here();
  p.study = "kuka_lwr4_pd";
  p.command = "articula run study.yaml";
  p.seed = 0xfedcba9876543210;
  p.texts = {{"study", "study.yaml", "articula_study: 1\n"}, {"model", "arm.yaml", "articula: 1\n"}};
  p.options = {{"threads", "2"}};
  return p;
}

/// A run with one task of `rows` rows in blocks of `block`, a checkpoint after each block; returns its id.
inline std::string add_sample(articula::store::Store& store, std::int64_t rows, std::int64_t block = 10) {
  const std::vector<articula::store::NewTask> tasks{{"motion", "simulate"}};
  const std::string run = store.add_run(sample_provenance(), tasks);
  articula::store::TaskWriter writer = store.write(store.run(run).tasks[0].id);
  writer.columns(sample_signals);
  for (std::int64_t i = 0; i < rows; ++i) {
    writer.row(sample_row(i));
    if ((i + 1) % block != 0) continue;
    writer.checkpoint(0.01 * static_cast<double>(i), bytes_of(i + 1));
    writer.flush();
  }
  writer.finish(articula::store::RunStatus::done);
  store.set_status(run, articula::store::RunStatus::done);
  return run;
}

/// Reads the rows back and checks each of them; returns their number.
inline std::int64_t sound_rows(const articula::store::Store& store, articula::store::TaskId task) {
  const articula::store::StoredRows rows = store.rows(task);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::vector<double> expected = sample_row(static_cast<std::int64_t>(i));
    if (!std::equal(expected.begin(), expected.end(), rows.row(i).begin(), rows.row(i).end())) {
      ADD_FAILURE() << "row " << i << " is not what was written";
      break;
    }
  }
  return static_cast<std::int64_t>(rows.size());
}

// Exports, by the name of the format.
inline articula::base::Findings export_as(std::string_view format, const articula::store::Store& store,
                                          const articula::store::StoredRun& run,
                                          std::span<const articula::store::StoredTask> tasks, const fs::path& file) {
  return articula::store::export_run(articula::store::find_export_format(format, file), store, run, tasks, file);
}

}  // namespace store_test
