// Rows as CSV: by RFC 4180, and read back to the same doubles.

#include <sys/resource.h>

#include <charconv>
#include <csignal>
#include <cstring>

#include <articula/text/csv.h>

#include "store/exports/export_test_run.h"
#include "support/names.h"

namespace articula::test {
namespace {

using namespace store_test;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;

/// Records and fields of a CSV text, character by character as RFC 4180 says.
std::vector<std::vector<std::string>> parse(const std::string& text) {
  std::vector<std::vector<std::string>> records(1, {""});
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted && c == '"' && i + 1 < text.size() && text[i + 1] == '"') {
      records.back().back() += '"', ++i;
    } else if (c == '"') {
      quoted = !quoted;
    } else if (!quoted && c == ',') {
      records.back().push_back("");
    } else if (!quoted && c == '\r' && i + 1 < text.size() && text[i + 1] == '\n') {
      records.push_back({""}), ++i;
    } else {
      records.back().back() += c;
    }
  }
  EXPECT_FALSE(quoted);
  records.pop_back();  // after the last line break
  return records;
}

double number(const std::string& text) {
  double value = 0;
  const auto [end, trouble] = std::from_chars(text.data(), text.data() + text.size(), value);
  EXPECT_TRUE(trouble == std::errc() && end == text.data() + text.size()) << text;
  return value;
}

TEST(ExportCsv, every_value_reads_back_as_the_same_double) {
  const Folder folder;
  Store store(folder / "runs.db", Store::Access::write);
  const StoredRun run = store.run(add_odd_run(store));
  for (const StoredTask& task : run.tasks) {
    EXPECT_THAT(export_as("csv", store, run, std::span(&task, 1), folder / "out.csv"), IsEmpty());
    const auto records = parse(content(folder / "out.csv"));
    const StoredRows rows = store.rows(task.id);
    ASSERT_EQ(records.size(), rows.size() + 1);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      ASSERT_EQ(records[i + 1].size(), rows.columns);
      for (std::size_t k = 0; k < rows.columns; ++k) {
        const double got = number(records[i + 1][k]), expected = rows.row(i)[k];
        EXPECT_EQ(std::memcmp(&got, &expected, sizeof got), 0) << records[i + 1][k];
      }
    }
  }
}

TEST(ExportCsv, the_header_has_names_and_units) {
  const Folder folder;
  Store store(folder / "runs.db", Store::Access::write);
  const StoredRun run = store.run(add_odd_run(store));
  export_as("csv", store, run, std::span(run.tasks).subspan(0, 1), folder / "a.csv");
  EXPECT_THAT(content(folder / "a.csv"), testing::StartsWith("t [s],q.joint1 [rad],v.joint1 [rad/s]\r\n0,0,"));
  export_as("csv", store, run, std::span(run.tasks).subspan(1, 1), folder / "b.csv");
  EXPECT_THAT(content(folder / "b.csv"),
              testing::StartsWith("i,\"a,b [N*m]\",\"say \"\"q\"\" [m]\",\"two\nlines [<script>]\",x/y [1/s],x|y\r\n"));
  EXPECT_THAT(parse(content(folder / "b.csv"))[0],
              ElementsAre("i", "a,b [N*m]", "say \"q\" [m]", "two\nlines [<script>]", "x/y [1/s]", "x|y"));
}

TEST(ExportCsv, a_full_disk_leaves_the_old_file) {
  const Folder folder;
  Store store(folder / "runs.db", Store::Access::write);
  const StoredRun run = store.run(add_odd_run(store));
  put(folder / "out.csv", "old");
  const int code = in_child([&] {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{1000, 1000};
    setrlimit(RLIMIT_FSIZE, &limit);
    const Thrown error =
        thrown([&] { export_as("csv", store, run, std::span(run.tasks).subspan(0, 1), folder / "out.csv"); });
    return error.code == "file-unwritable" &&
                   error.text.find("it cannot be written: File too large. What was there is unchanged.") !=
                       std::string::npos
               ? 0
               : 1;
  });
  EXPECT_EQ(code, 0);
  EXPECT_EQ(content(folder / "out.csv"), "old");
  EXPECT_THAT(folder.files(), testing::Not(testing::Contains(HasSubstr("out.csv."))));
}

TEST(ExportCsv, a_place_that_is_none_is_said) {
  const Folder folder;
  Store store(folder / "runs.db", Store::Access::write);
  const StoredRun run = store.run(add_odd_run(store));
  EXPECT_THAT(thrown([&] { export_as("csv", store, run, std::span(run.tasks).subspan(0, 1), folder.path()); }).text,
              EndsWith("it is a folder. Name a file in it.  [file-unwritable]"));
  EXPECT_THAT(
      thrown([&] { export_as("csv", store, run, std::span(run.tasks).subspan(0, 1), folder / "none/out.csv"); }).text,
      HasSubstr("no file can be made in the folder "));
}

TEST(ExportCsv, names_that_spreadsheets_would_compute_stay_text) {
  const Folder folder;
  Store store(folder / "runs.db", Store::Access::write);
  const std::string id = store.add_run(RunOrigin::here(), std::vector<NewTask>{{"motion", "simulate"}});
  TaskWriter writer = store.write(store.run(id).tasks[0].id);
  const std::vector<std::string> names{"t", "=1+2", "+SUM(A1)", "-x", "@cmd", "\t=3"};
  std::vector<StoredSignal> signals;
  for (const std::string& name : names) signals.push_back({name, ""});
  writer.columns(signals);
  writer.row(std::vector<double>{-1, -2, 3, -4, 5, -0.0});
  writer.finish(RunStatus::done);
  const StoredRun run = store.run(id);
  EXPECT_THAT(export_as("csv", store, run, run.tasks, folder / "out.csv"), IsEmpty());
  const auto records = parse(content(folder / "out.csv"));
  EXPECT_THAT(records[0], ElementsAre("t", "'=1+2", "'+SUM(A1)", "'-x", "'@cmd", "'\t=3"));
  EXPECT_THAT(records[1], ElementsAre("-1", "-2", "3", "-4", "5", "-0")) << "numbers are numbers";
  EXPECT_EQ(CsvTable(content(folder / "out.csv"), "out.csv").names(), names) << "and our own reader takes them off";
}

}  // namespace
}  // namespace articula::test
