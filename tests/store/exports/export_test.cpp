// The list of export formats, and which files they make.

#include <articula/store/export.h>

#include "store/exports/export_test_run.h"
#include "support/names.h"

namespace articula::test {
namespace {

using namespace store_test;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;

TEST(Export, the_ending_or_the_name_chooses_the_format) {
  for (const ExportFormat& format : export_formats()) {
    EXPECT_EQ(&find_export_format(format.name, "out.txt"), &format);
    for (const std::string_view ending : format.endings)
      EXPECT_EQ(&find_export_format("", "out" + std::string(ending)), &format);
  }
  EXPECT_EQ(find_export_format("csv", "out.h5").name, "csv");
}

TEST(Export, an_unknown_format_names_the_choices) {
  EXPECT_EQ(thrown([] { find_export_format("", "out.doc"); }).text,
            "out.doc: the ending \".doc\" names no known format. Known: .csv, .h5 and .hdf5, .mcap. Or say it with "
            "--format.  [format-unknown]");
  EXPECT_THAT(thrown([] { find_export_format("hdf", "out"); }).text,
              HasSubstr("\"hdf\" is no known format. Did you mean \"hdf5\"? Formats: csv, hdf5, mcap."));
}

TEST(Export, every_format_writes_a_file_that_it_recognises) {
  const Folder folder;
  Store store(folder / "runs.db", Store::Access::write);
  const StoredRun run = store.run(add_odd_run(store));
  const std::span<const StoredTask> task = std::span(run.tasks).first(1);
  for (const ExportFormat& format : export_formats()) {
    const fs::path file = folder / ("out" + std::string(format.endings.front()));
    export_run(format, store, run, task, file);
    for (const ExportFormat& other : export_formats())
      EXPECT_EQ(other.is_ours(content(file), task), &other == &format) << format.name << ", " << other.name;
  }
}

TEST(Export, several_tables_become_several_files) {
  const std::vector<StoredTask> tasks{{.name = "motion"}, {.name = "a/b"}, {.name = "a|b"}};
  std::vector<std::string> names;
  for (const ExportFile& file : export_files(find_export_format("csv", ""), tasks, "dir/out.csv")) {
    EXPECT_EQ(file.tasks.size(), 1u);
    names.push_back(file.path.string());
  }
  EXPECT_THAT(names, ElementsAre("dir/out_motion.csv", "dir/out_a_b.csv", "dir/out_a_b_2.csv"));
  const auto one = export_files(find_export_format("csv", ""), std::span(tasks).first(1), "out.csv");
  ASSERT_EQ(one.size(), 1u);
  EXPECT_EQ(one[0].path, "out.csv");
  const auto whole = export_files(find_export_format("hdf5", ""), tasks, "out.h5");
  ASSERT_EQ(whole.size(), 1u);
  EXPECT_EQ(whole[0].tasks.size(), 3u);
}

}  // namespace
}  // namespace articula::test
